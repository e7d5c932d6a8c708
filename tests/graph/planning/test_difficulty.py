"""The table of difficulty: how hard the next question is, by what was planned, answered and asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vocabulary import DIFFICULTIES, Difficulty
from graph.planning.difficulty import FEWEST_SCORES, DifficultyDecision, next_difficulty, step_by_scores
from graph.planning.plan import InterviewPlan, make_plan, planned_difficulty
from graph.planning.supervision import PRESSURE_BELOW_S
from graph.planning.trend import EASIER_BELOW, HARDER_ABOVE, candidate_state, ema
from rag.packs.pack import load_packs

PLAN = InterviewPlan(
    topics=("leaves", "water", "serving", "leaves"),
    difficulty_curve=("medium", "medium", "hard", "hard"),
    fundamentals=("water",),
)
score = st.floats(0, 10)
trajectories = st.lists(score, max_size=30)
levels = st.sampled_from(DIFFICULTIES)


def decided(current: Difficulty, scores: Sequence[float], **more: Any) -> DifficultyDecision:
    """The decision in a turn in which the plan has what is in force, there is time, and nothing has moved yet."""
    usual = {"turn": 9, "planned": current, "since": scores, "remaining_s": 900.0}
    return next_difficulty(current=current, scores=scores, **{**usual, **more})


@pytest.mark.parametrize(
    ("current", "scores", "more", "expected", "why"),
    [
        # who is weak from the start, and never declines
        ("medium", [0.8, 0, 0], {}, "easy", "low_scores"),
        ("hard", [0.8, 0, 0], {}, "medium", "low_scores"),
        ("medium", [3.9, 3.9, 3.9], {}, "easy", "low_scores"),
        ("easy", [0, 0, 0], {}, "easy", None),
        # who becomes weak
        ("medium", [8, 2, 1, 0, 0], {}, "easy", "low_scores"),
        # two are too few
        ("medium", [0, 0], {}, "medium", None),
        ("medium", [10, 10], {}, "medium", None),
        # one answer does not decide it
        ("medium", [8, 8, 0], {}, "medium", None),
        ("medium", [4, 4, 4], {}, "medium", None),
        # who is strong
        ("medium", [9, 9, 9], {}, "hard", "high_scores"),
        ("easy", [6.5, 9, 10, 10, 10], {}, "medium", "high_scores"),
        ("hard", [10, 10, 10], {}, "hard", None),
        ("medium", [8.5, 8.5, 8.5], {}, "medium", None),
        # in the middle the plan is followed, a step at a time
        ("medium", [6, 6, 6], {"planned": "hard"}, "hard", "plan"),
        ("easy", [7, 7, 7], {"planned": "hard"}, "medium", "plan"),
        ("medium", [], {"planned": "hard"}, "hard", "plan"),
        # but it makes nothing harder for who is struggling, and the scores have the last word
        ("medium", [4.5, 4.5], {"planned": "hard"}, "medium", None),
        ("medium", [1, 1, 1], {"planned": "hard"}, "easy", "low_scores"),
        ("medium", [9, 9, 9], {"planned": "easy"}, "hard", "high_scores"),
        # not again before an answer at the new difficulty was judged, and has said the same
        ("medium", [1, 1, 1], {"since": []}, "medium", None),
        ("medium", [1, 1, 1, 1], {"since": [1]}, "easy", "low_scores"),
        ("medium", [1, 1, 1, 6], {"since": [6]}, "medium", None),
        ("medium", [10, 10, 10, 7], {"since": [7]}, "medium", None),
        ("medium", [10, 10, 10, 9], {"since": [9]}, "hard", "high_scores"),
        # little time left
        ("medium", [0, 0, 0], {"remaining_s": 299.0}, "medium", None),
        ("medium", [10, 10, 10], {"remaining_s": 299.0}, "medium", None),
        ("medium", [6], {"remaining_s": 299.0, "planned": "hard"}, "medium", None),
        # what was asked for goes before all of it
        ("medium", [10, 10, 10], {"asked_for": "easy", "remaining_s": 200.0}, "easy", "request"),
        ("easy", [10, 10, 10], {"asked_for": "easy"}, "easy", None),
        ("easy", [6, 6], {"planned": "medium", "leaning": -1}, "easy", None),
    ],
)
def test_the_table_of_difficulty(
    current: Difficulty, scores: list[float], more: dict[str, Any], expected: str, why: str | None
) -> None:
    """Weak answers make the next question easier, strong ones harder, and in between the plan is followed."""
    decision = decided(current, scores, **more)
    assert (decision.difficulty, decision.why) == (expected, why)


def test_whom_the_scores_gave_easier_questions_only_the_scores_give_harder_ones() -> None:
    """After an answer in the middle the plan does not take back what the scores have brought about."""
    lowered = decided("medium", [1, 1, 1])
    recovered = [1.0, 1, 1, 8, 8, 8]
    kept = decided("easy", recovered, since=recovered[3:], planned="hard", before=lowered)
    assert (kept.difficulty, kept.reduced) == ("easy", True)
    best = [*recovered, *[10.0] * 8]
    raised = decided("easy", best, since=best[3:], planned="hard", before=kept)
    assert (raised.difficulty, raised.why, raised.reduced) == ("medium", "high_scores", False)


def test_what_the_scores_raised_stays_above_the_plan() -> None:
    """A step up is no exception for one question: the plan goes on from there."""
    raised = decided("easy", [9, 9, 9])
    after = decided("medium", [9, 9, 9, 7], since=[7], planned="easy", before=raised)
    assert (after.difficulty, after.why) == ("medium", None)


def test_fundamentals_come_first_also_where_nothing_easier_is_left() -> None:
    """Who is weak in the easiest questions is asked the fundamentals of what is left."""
    assert decided("easy", [0, 0, 0]).reduced


@given(st.tuples(trajectories, trajectories), levels, levels, st.floats(0, 3600), st.integers(-2, 2))
def test_one_step_at_a_time(
    answers: tuple[list[float], list[float]], current: Difficulty, planned: Difficulty, left_s: float, leaning: int
) -> None:
    """Whatever the scores and whatever the plan says, the next question is at most a step from the present one."""
    scores, since = answers
    decision = decided(current, scores, since=since, planned=planned, remaining_s=left_s, leaning=leaning)
    assert abs(_at(decision.difficulty) - _at(current)) <= 1
    assert (decision.why is None) == (decision.difficulty == current)
    if left_s < PRESSURE_BELOW_S:
        assert decision.difficulty == current


@given(st.lists(score, max_size=FEWEST_SCORES - 1), levels)
def test_scores_never_move_it_on_fewer_than_three(scores: list[float], current: Difficulty) -> None:
    """However good or bad they are."""
    assert step_by_scores(scores, scores) == 0
    assert decided(current, scores).difficulty == current


@given(st.lists(st.tuples(score, score), max_size=20), st.integers(0, 20), levels, levels)
def test_better_answers_never_make_it_easier(
    pairs: list[tuple[float, float]], moved_after: int, current: Difficulty, planned: Difficulty
) -> None:
    """In the same place, whoever scored at least as much in each answer gets a question that is at least as hard."""
    low, high = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    lesser, better = (
        decided(current, scores, since=scores[moved_after:], planned=planned).difficulty for scores in (low, high)
    )
    assert _at(lesser) <= _at(better)


@given(st.lists(score, min_size=FEWEST_SCORES, max_size=30))
def test_who_gets_easier_questions_is_struggling_and_who_gets_harder_ones_confident(scores: list[float]) -> None:
    """What questions about a résumé go by never says the opposite of what the difficulty does."""
    if ema(scores)[-1] < EASIER_BELOW:
        assert candidate_state(scores) == "struggling"
    if ema(scores)[-1] > HARDER_ABOVE:
        assert candidate_state(scores) == "confident"


@pytest.mark.parametrize(
    ("covered", "planned"),
    [
        (["leaves"], "medium"),
        (["leaves", "kettles"], "medium"),
        (["leaves", "kettles", "cups", "spoons"], "medium"),
        (["leaves", "serving"], "medium"),
        (["leaves", "water"], "hard"),
        (["leaves", "serving", "water"], "hard"),
        (["leaves", "water", "serving", "leaves"], "easy"),
    ],
)
def test_a_topic_off_plan_shifts_nothing_of_the_rest(covered: list[str], planned: str) -> None:
    """Difficulty belongs to the topics of the plan, not to how many were asked; past its end what is in force stays."""
    assert planned_difficulty(PLAN, covered, "easy") == planned


def _at(difficulty: Difficulty) -> int:
    return DIFFICULTIES.index(difficulty)


def _held(plan: InterviewPlan, draw: Callable[[], float]) -> list[DifficultyDecision]:
    """The decisions of an interview of this plan without follow-ups, with time enough, and with scores as drawn."""
    current, before = plan.difficulty_curve[0], None
    scores: list[float] = []
    since: list[float] = []
    decisions = []
    for turn in range(1, len(plan.topics)):
        scores.append(drawn := draw())
        since.append(drawn)
        planned = planned_difficulty(plan, plan.topics[:turn], current)
        before = next_difficulty(
            turn=turn, current=current, planned=planned, scores=scores, since=since, remaining_s=900, before=before
        )
        current, since = before.difficulty, [] if before.why else since
        decisions.append(before)
    return decisions


def _turns(plan: InterviewPlan, decisions: Sequence[DifficultyDecision]) -> int:
    """How often the difficulty went up after it had gone down, or the other way round."""
    course = [_at(plan.difficulty_curve[0]), *(_at(each.difficulty) for each in decisions)]
    steps = [after - before for before, after in pairwise(course) if after != before]
    return sum(one != other for one, other in pairwise(steps))


@pytest.mark.parametrize(("lowest", "highest", "most_in_100"), [(3, 7, 1), (0, 3, 0), (8, 10, 0), (0, 10, 6)])
def test_the_difficulty_does_not_flap(lowest: float, highest: float, most_in_100: float) -> None:
    """With scores drawn as people's, in interviews over every pack, next to none goes down and up again."""
    rng = random.Random(7)
    held = turned = 0
    for pack in load_packs().values():
        for start in DIFFICULTIES:
            for minutes in (20, 30, 48):
                plan = make_plan(pack, minutes, start)
                for _ in range(30):
                    decisions = _held(plan, lambda: rng.uniform(lowest, highest))
                    turned += _turns(plan, decisions) > 0
                    held += 1
    assert held > 2000
    assert turned <= most_in_100 / 100 * held
