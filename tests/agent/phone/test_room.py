"""The line's place in a room, where livekit-server is slow."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from livekit import rtc

from agent.phone.line import room as module
from agent.phone.line.caller import Caller
from agent.phone.line.room import CallRoom, RoomError
from agent.settings import Settings


class SlowRoom(rtc.Room):
    """A room that lets nobody in until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.lets_in = asyncio.Event()
        self.was_cancelled = False

    async def connect(self, *_args: Any, **_options: Any) -> None:
        try:
            await self.lets_in.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise

    async def disconnect(self, *_args: Any, **_options: Any) -> None:
        pass


async def test_a_connection_that_takes_too_long_is_left_and_not_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """LiveKit's client library ends the whole process when a connection comes about that was cancelled."""
    rooms: list[SlowRoom] = []

    def slow_room() -> SlowRoom:
        rooms.append(SlowRoom())
        return rooms[-1]

    monkeypatch.setattr(module.rtc, "Room", slow_room)
    monkeypatch.setattr(module, "_CONNECT_S", 0.01)
    monkeypatch.setattr(module, "_LEAVE_S", 0.01)
    place = CallRoom(Settings(), Caller("call", "12", "viva", "PCMU"), 8000)

    with pytest.raises(RoomError):
        await place.join()
    await place.leave()
    rooms[0].lets_in.set()
    await asyncio.sleep(0)

    assert place.state == "closed"
    assert not rooms[0].was_cancelled
