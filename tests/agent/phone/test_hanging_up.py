"""How the interviewer hangs up, and what the line does where livekit-server does not answer it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from livekit import rtc

from agent.phone import hanging_up
from agent.phone.call import OVER, SIP
from agent.phone.hanging_up import tell_over
from agent.phone.line.departure import silence
from agent.processes.ports import free_ports_settings


class RoomOfACall:
    """A room with a caller, who leaves when told that it is over."""

    name = "call-1"

    def __init__(self, *, leaves: bool) -> None:
        self._leaves = leaves
        self.remote_participants = {"sip_1": SimpleNamespace(kind=SIP, track_publications={"TR_1": None})}
        self.local_participant = self

    async def set_attributes(self, attributes: Mapping[str, str]) -> None:
        """The caller hears of it a moment later."""
        if self._leaves and attributes == {OVER: "1"}:
            asyncio.get_running_loop().call_later(0.1, self.remote_participants.clear)


async def test_the_interviewer_waits_for_the_line_to_leave() -> None:
    """So that the room is not closed under it."""
    room = RoomOfACall(leaves=True)
    await tell_over(cast("rtc.Room", room))
    assert not room.remote_participants


async def test_a_line_that_knows_nothing_of_it_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """As livekit-sip: it leaves when the room is closed."""
    monkeypatch.setattr(hanging_up, "_LINE_LEAVES_S", 0.01)
    room = RoomOfACall(leaves=False)
    await tell_over(cast("rtc.Room", room))
    assert room.remote_participants


async def test_a_room_is_left_although_livekit_server_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It costs memory, and no call its end."""
    settings = free_ports_settings(tmp_path / "data")
    with caplog.at_level("INFO"):
        await silence(cast("rtc.Room", RoomOfACall(leaves=False)), settings)
    assert "is left while somebody publishes" in caplog.text
