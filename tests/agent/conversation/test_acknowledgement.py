"""An "okay" when an answer takes long to be judged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent.conversation.acknowledgement import (
    WITH_BUILT_IN_JUDGE,
    WITH_MODEL,
    AcknowledgementDelay,
    with_acknowledgement,
)
from domain.say import Say

OKAY, WELL_DONE, NEXT = Say("acknowledgement", "Okay."), Say("feedback", "Well done."), Say("question", "And now?")


async def spoken(says: AsyncIterator[Say], after_s: float) -> list[Say]:
    """All that is said."""
    return [say async for say in with_acknowledgement(says, after_s=after_s, acknowledge=lambda: OKAY)]


async def slow(thought: asyncio.Event) -> AsyncIterator[Say]:
    """Feedback that takes until somebody has thought about it."""
    await thought.wait()
    yield WELL_DONE
    yield NEXT


async def test_what_comes_in_time_needs_none() -> None:
    """Feedback that is there at once is not held up."""
    thought = asyncio.Event()
    thought.set()
    assert await spoken(slow(thought), 60.0) == [WELL_DONE, NEXT]


async def test_what_takes_long_is_preceded_by_one() -> None:
    """One acknowledgement, then what was waited for."""
    thought = asyncio.Event()
    says = with_acknowledgement(slow(thought), after_s=0.0, acknowledge=lambda: OKAY)
    assert await anext(says) == OKAY
    thought.set()
    assert [say async for say in says] == [WELL_DONE, NEXT]


async def test_nothing_to_say_stays_nothing() -> None:
    """Where the interviewer says nothing, nothing is acknowledged."""

    async def nothing() -> AsyncIterator[Say]:
        for say in ():
            yield say

    assert await spoken(nothing(), 60.0) == []


async def test_a_failure_comes_through() -> None:
    """What goes wrong in the turn is raised to whoever speaks."""

    async def fails() -> AsyncIterator[Say]:
        raise RuntimeError("no judge")
        yield OKAY

    with pytest.raises(RuntimeError, match="no judge"):
        await spoken(fails(), 60.0)


async def test_whoever_stops_listening_stops_the_work() -> None:
    """A barge-in ends the turn at once, and with it what it was waiting for."""
    ended = asyncio.Event()

    async def thinks() -> AsyncIterator[Say]:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        yield WELL_DONE

    says = with_acknowledgement(thinks(), after_s=0.0, acknowledge=lambda: OKAY)
    assert await anext(says) == OKAY
    await says.aclose()  # type: ignore[attr-defined]
    assert ended.is_set()


@pytest.mark.parametrize(
    ("patience", "silent_s", "left_s"),
    [
        (AcknowledgementDelay(0.7, 0.2), 0.1, pytest.approx(0.6)),
        (AcknowledgementDelay(0.7, 0.2), 0.65, 0.2),
        (AcknowledgementDelay(0.7, 0.2), 3.0, 0.2),
    ],
)
def test_an_answer_that_is_taken_late_still_leaves_time_for_what_is_nearly_ready(
    patience: AcknowledgementDelay, silent_s: float, left_s: float
) -> None:
    """However long the silence was, what is at hand comes without an "okay" before it."""
    assert patience.left_s(silent_s) == left_s


def test_feedback_of_the_built_in_judge_is_waited_for_longer_than_that_of_a_model() -> None:
    """A model takes seconds, so an "okay" helps; the built-in judge is about to speak."""
    assert WITH_BUILT_IN_JUDGE.left_s(0.7) > WITH_MODEL.left_s(0.7)
