"""The events of a turn: in the order in which they happened, for whoever follows and whenever they come."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.http.problems import ProblemError
from agent.http.text.turn_events import TurnLog


def names(log: TurnLog) -> list[str]:
    """What was told, in order."""
    return [event.name for event in log.events]


def test_feedback_is_complete_when_its_last_piece_has_arrived() -> None:
    """The graph tells of it before the words come out of its stream."""
    log = TurnLog(1)
    log.expect_feedback("One. Two.")
    log.feedback("One.")
    assert names(log) == ["feedback_token"]
    log.feedback("Two.")
    assert names(log) == ["feedback_token", "feedback_token", "feedback_complete"]
    log.finish_feedback()
    assert names(log).count("feedback_complete") == 1


def test_a_question_chosen_after_the_feedback_was_written_is_told_after_it() -> None:
    """Also when the words arrive late; one that was chosen before is told at once."""
    late, early = TurnLog(1), TurnLog(1)
    late.expect_feedback("One.")
    late.choose("next")
    late.feedback("One.")
    assert names(late) == ["feedback_token", "feedback_complete", "question_selected"]
    early.choose("next")
    early.feedback("One.")
    early.finish_feedback()
    assert names(early) == ["question_selected", "feedback_token", "feedback_complete"]


def test_feedback_that_came_in_other_words_holds_nothing_up() -> None:
    """Whatever was expected: with the question it is complete."""
    log = TurnLog(1)
    log.expect_feedback("Something else.")
    log.feedback("One.")
    log.choose("next")
    assert names(log) == ["feedback_token"]
    log.finish_feedback()
    assert names(log) == ["feedback_token", "feedback_complete", "question_selected"]


@given(st.lists(st.sampled_from(["token", "choose", "wait"]), max_size=12), st.integers(0, 12))
async def test_everybody_gets_all_events_in_order(happens: list[str], joins_after: int) -> None:
    """A follower who is there from the start, and one who comes late, get the same."""
    log = TurnLog(1)

    async def follow() -> list[str]:
        return [event.id async for event in log.follow()]

    followers = [asyncio.create_task(follow())]
    for index, happening in enumerate(happens):
        if index == joins_after:
            followers.append(asyncio.create_task(follow()))
        match happening:
            case "token":
                log.feedback("One.")
            case "choose":
                log.choose("next")
            case _:
                await asyncio.sleep(0)
    log.close()
    followers.append(asyncio.create_task(follow()))
    got = await asyncio.gather(*followers)
    assert all(each == [event.id for event in log.events] for each in got)


async def test_a_turn_that_came_to_nothing_says_that_it_can_be_resumed() -> None:
    """A process that stops leaves no response; the client is told what to do."""
    log = TurnLog(1)
    log.close()
    with pytest.raises(ProblemError, match="resume"):
        await log.response()
