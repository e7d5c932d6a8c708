"""Difficulty in whole interviews: what a weak and a strong candidate are asked, and one who goes off plan."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import Supervised
from domain.verdict import Evaluation
from graph import Interview
from graph.checkpoints.serializer import serializer
from graph.selectors import evaluations_so_far
from tests.graph.fakes import Rig, begun, spoken

WEAK = "nothing that helps with this question"
STRONG = "good answer about oxidation of tea"


def _moves(rig: Rig) -> Iterator[tuple[int, str, str]]:
    """Turn, difficulty and reason of each decision that moved it."""
    for event in rig.notes.decisions:
        if event.difficulty_reason:
            yield event.turn, str(event.difficulty), event.difficulty_reason


async def _answered(interview: Interview, *said: str) -> None:
    for turn, words in enumerate(said, start=1):
        await spoken(interview.answer(words, turn))


async def test_who_is_weak_from_the_start_is_asked_something_easier_after_the_third_answer() -> None:
    """No decline is waited for; the very next question of its own is easier, and the record says why."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    await _answered(interview, *[WEAK] * 6)
    assert list(_moves(rig)) == [(3, "easy", "low_scores")]
    asked = {event.turn: event for event in rig.notes.questions}
    assert [asked[turn].difficulty for turn in (0, 3)] == ["medium", "easy"]
    assert asked[3].question_kind == "retrieved"
    state = await interview.snapshot()
    assert (state["difficulty_level"], state["candidate_state"]) == ("easy", "struggling")
    assert state["difficulty_reduced_due_to_performance"]


async def test_who_is_strong_from_the_start_is_asked_something_harder_after_the_third_answer() -> None:
    """Half an hour in, before the plan would have it."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    await _answered(interview, *[STRONG] * 4)
    assert list(_moves(rig)) == [(3, "hard", "high_scores")]
    assert rig.notes.questions[3].difficulty == "hard"
    assert (await interview.snapshot())["candidate_state"] == "confident"


async def test_a_second_step_waits_for_an_answer_at_the_new_difficulty() -> None:
    """Who skips the easier question gets no easier one for it; who misses that one does."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), minutes=60, difficulty="hard")
    await spoken(interview.begin())
    await _answered(interview, *[WEAK] * 3, "#skip", "#skip", WEAK, "#skip")
    assert list(_moves(rig)) == [(3, "medium", "low_scores"), (7, "easy", "low_scores")]


async def test_with_little_time_left_nothing_becomes_easier() -> None:
    """Less than five minutes: however the answers go."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=20)
    rig.clock.advance(16 * 60)
    await _answered(interview, *[WEAK] * 4)
    assert not list(_moves(rig))
    assert {event.difficulty for event in rig.notes.questions} == {"medium"}


async def test_topics_that_were_asked_for_bring_the_harder_half_no_nearer() -> None:
    """The plan's harder half begins at its sixth topic, however often the candidate asked about another in between."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=36)
    plan = (await interview.snapshot())["interview_plan"]
    assert plan.difficulty_curve.index("hard") == 5
    await _answered(interview, *[f"#change_topic {plan.topics[0]}"] * 6)
    assert len(rig.notes.questions) == 7
    assert {decision.difficulty for decision in rig.notes.decisions} == {"medium"}


async def test_a_correction_moves_no_difficulty() -> None:
    """The open question still waits for its answer, and is as hard as it was."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    await _answered(interview, STRONG, STRONG, f"#correct_myself {STRONG}")
    assert not list(_moves(rig))


def test_old_records_say_no_reason() -> None:
    """A record that was written before there were reasons is read as one that says none."""
    old = {
        "at": 1.0, "turn": 1, "goes_on": True, "question_count": 1, "difficulty": "easy", "ema": 2.0,
        "remaining_s": 9.0,
    }  # fmt: skip
    assert Supervised.model_validate(old).difficulty_reason == ""
    with pytest.raises(ValueError, match="difficulty_reason"):
        Supervised.model_validate({**old, "difficulty_reason": "whim"})


def test_an_evaluation_counts_once() -> None:
    """Before the supervisor has put this turn's with the others, and after."""
    one = Evaluation(question_id="q", topic="t", difficulty="easy", judge="j", verdicts=(), scores=None, turn=1)
    two = one.model_copy(update={"turn": 2})
    assert evaluations_so_far({"all_evaluations": [one], "current_evaluation": two}) == [one, two]
    assert evaluations_so_far({"all_evaluations": [one, two], "current_evaluation": two}) == [one, two]
    assert evaluations_so_far({"all_evaluations": [one], "current_evaluation": None}) == [one]
