"""Feedback that was given and not heard: a process died between its words and their sound."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domain.events import SpeechStarted
from tests.agent.interviews.run_rig import PLAYED_S, Line
from tests.graph.virtual_time import VirtualTime

_FEEDBACK_IS_THERE_S = 1.5
"""After the judge, before the selector."""


async def _judged(line: Line, text: str = "good answer w1", *, for_s: float = _FEEDBACK_IS_THERE_S) -> None:
    """The first question was heard, and now there is feedback that nobody hears yet."""
    await line.connect()
    await line.quiet(4 * PLAYED_S)
    await line.say(text)
    await line.mute()
    await line.quiet(for_s)


async def _in_mid_turn(line: Line) -> None:
    await _judged(line)
    await line.crash()


async def _at_the_end_of_the_turn(line: Line) -> None:
    await _judged(line, for_s=30)
    await line.crash()


async def _for_the_page_alone(line: Line) -> None:
    await _judged(line)
    await line.come_back()


async def _twice(line: Line) -> None:
    await _in_mid_turn(line)
    await line.quiet(PLAYED_S)
    await line.crash()


async def _after_it_was_heard(line: Line) -> None:
    await line.connect()
    await line.quiet(4 * PLAYED_S)
    await line.say("good answer w1")
    await line.quiet(_FEEDBACK_IS_THERE_S)
    await line.crash()


def _said_after(happens: Callable[[Line], Awaitable[None]]) -> list[str]:
    """The kinds of what was heard in the first turn, in order."""

    async def hold() -> list[str]:
        line = Line()
        await happens(line)
        await line.quiet(60)
        await line.hang_up()
        return [event.speech for event in line.events if isinstance(event, SpeechStarted) and event.turn == 1]

    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(hold())


@pytest.mark.parametrize(
    "happens", [_in_mid_turn, _at_the_end_of_the_turn, _for_the_page_alone, _twice, _after_it_was_heard]
)
def test_feedback_is_heard_once_whatever_stops_between_its_words_and_their_sound(
    happens: Callable[[Line], Awaitable[None]],
) -> None:
    """It comes before the next question, and whoever heard it does not hear it again."""
    said = _said_after(happens)
    assert said[0] == "feedback"
    assert said.count("feedback") == 1
    assert "question" in said[1:]


def test_feedback_of_a_turn_before_is_not_given_again_when_a_turn_fails() -> None:
    """After a turn that was given up and a crash, the open question is asked and nothing else is said."""

    async def hold() -> list[tuple[int, str]]:
        line = Line()
        await line.connect()
        await line.quiet(4 * PLAYED_S)
        await line.say("good answer w1")
        await line.quiet(30)
        line.judge.failures = 2
        await line.say("good answer w2")
        await line.quiet(30)
        assert line.voided == {2}
        await line.crash()
        await line.quiet(30)
        await line.hang_up()
        return [(event.turn, event.speech) for event in line.events if isinstance(event, SpeechStarted)]

    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        said = runner.run(hold())
    assert said.count((1, "feedback")) == 1
    assert (2, "feedback") not in said
    assert said[-1] == (2, "question")
