"""What an interviewer hears and speaks with, where there is no room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from agent.conversation.interviewer import Dependencies
from agent.conversation.playback import PlaybackTracker
from agent.conversation.transcript import AudioTimeline, Utterances
from agent.endpointing.detector import EndOfTurnDetector
from agent.endpointing.policy import RISKS
from agent.interviews.driver import Driver
from agent.interviews.failed_turn import tell_of_spoken
from agent.interviews.past import Past
from agent.interviews.run import InterviewRun
from agent.interviews.steps import VOICE
from domain.events import Event
from graph import Interview


async def _nobody_looks(_: int) -> None:
    raise AssertionError("no turn waits for a person here")


async def _nobody_judges() -> None:
    """No sound, no melody."""


def dependencies(
    stage: PlaybackTracker,
    record: Callable[[Event], None],
    clock: Callable[[], float],
    *,
    released: Callable[[int], Awaitable[None]] = _nobody_looks,
) -> Dependencies:
    """Ears and a voice that do nothing by themselves; the test says what is heard and when a pause is."""
    utterances = Utterances(AudioTimeline(clock))
    return Dependencies(
        stage,
        utterances,
        EndOfTurnDetector(asyncio.Event().wait, _nobody_judges, utterances, clock, risk=RISKS["normal"]),
        record,
        clock,
        set_pace=lambda _: None,
        prepare=lambda _: None,
        released=released,
        echoed=lambda: None,
    )


def run_of(
    interview: Interview, record: Callable[[Event], None], clock: Callable[[], float], past: Past | None = None
) -> InterviewRun:
    """The run of an interview by voice."""
    return InterviewRun(interview, Driver(manners=VOICE, record=record, clock=clock, tell=tell_of_spoken), past)
