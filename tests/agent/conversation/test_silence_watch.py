"""Watching for silence, with a conversation and a clock that are told what to say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count

import pytest
from livekit.agents import AgentSession
from livekit.agents.voice.events import AgentState, UserState

from agent.conversation import silence
from agent.conversation.silence import SilenceStep, SilenceWatch


class Quiet(AgentSession[None]):
    """A conversation in which the interviewer listens and nobody speaks."""

    def __init__(self) -> None:
        pass

    @property
    def agent_state(self) -> AgentState:
        """Asked at every look."""
        return "listening"

    @property
    def user_state(self) -> UserState:
        """Asked at every look."""
        return "listening"


class Watched:
    """A watch whose clock moves on by a second at each look."""

    def __init__(self) -> None:
        self.seconds: Iterator[float] = count(0.0)
        self.said: list[SilenceStep] = []
        self.ends = 0
        self.watch = SilenceWatch(Quiet(), self.said.append, self._end, lambda: next(self.seconds))

    async def _end(self) -> None:
        self.ends += 1


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at every turn of the event loop."""
    monkeypatch.setattr(silence, "_CHECK_EVERY_S", 0)


async def test_a_silence_is_broken_twice_and_then_the_interview_is_ended() -> None:
    """A gentle word, an offer to move on, and the end, once each; then it watches no longer."""
    watched = Watched()
    await asyncio.wait_for(watched.watch.watch(), 5)
    assert (watched.said, watched.ends) == (["nudge", "offer"], 1)


async def test_nothing_is_said_once_goodbye_is_being_said() -> None:
    """After the closing began a silence is what is wanted, however long the room stays open."""
    watched = Watched()
    watched.watch.stop()
    await asyncio.wait_for(watched.watch.watch(), 5)
    assert (watched.said, watched.ends) == ([], 0)
