"""Whether anybody can hear the interviewer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from livekit import rtc

from agent.worker import published_voice
from agent.worker.published_voice import WAITS_S, is_heard


class Room(rtc.Room):
    """A room with the people that a test puts into it."""

    def __init__(self, *identities: str) -> None:
        self.inside = dict.fromkeys(identities)

    @property
    def remote_participants(self) -> Mapping[str, rtc.RemoteParticipant]:  # type: ignore[override]
        """Everybody else."""
        return self.inside  # type: ignore[return-value]

    def __del__(self) -> None:
        """Nothing was opened."""


class Clock:
    """Goes on by ten seconds with each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 10.0
        return self.now


@pytest.fixture(autouse=True)
def _looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published_voice, "LOOKS_EVERY_S", 0.001)


async def test_a_voice_whose_track_was_never_taken_is_not_heard() -> None:
    """LiveKit's session would talk on without one, and the candidate sit in silence."""
    clock = Clock()
    assert not await is_heard(asyncio.Future(), Room("candidate"), "candidate", clock)
    assert clock.now >= WAITS_S


async def test_nothing_is_missing_before_the_candidate_comes() -> None:
    """The track is published for them: however long they take, it is waited for."""
    room, subscribed, clock = Room("recorder"), asyncio.Future[None](), Clock()
    heard = asyncio.ensure_future(is_heard(subscribed, room, "candidate", clock))
    await asyncio.sleep(0.02)
    room.inside["candidate"] = None
    await asyncio.sleep(0.0015)
    del room.inside["candidate"]
    await asyncio.sleep(0.02)
    assert not heard.done()
    subscribed.set_result(None)
    assert await heard
