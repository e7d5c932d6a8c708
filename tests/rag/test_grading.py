"""Grades of candidates: the rule, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.bank import Hit
from rag.grading import OTHER_TOPIC, PER_DIFFICULTY_STEP, Grade, Wanted, grade, rank
from rag.packs import DIFFICULTIES, BankQuestion, Difficulty

WANTED = Wanted("soup", "medium")


def hit(score: float, topic: str = "soup", difficulty: Difficulty = "medium", name: str = "a") -> Hit:
    """A candidate of which only labels and score matter."""
    question = BankQuestion(
        id=name,
        topic=topic,
        difficulty=difficulty,
        text="What is in a soup?",
        key_points=["There is water.", "There is salt.", "There are leeks."],
        misconceptions=["There is sand."],
        model_answer="There is water in it, and salt, and quite often there are leeks in it too, cut into rings.",
        minutes=2,
        concepts=["stock"],
    )
    return Hit(question, score)


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ([], "low"),
        ([hit(0.75)], "high"),
        ([hit(0.9), hit(0.6)], "high"),
        ([hit(0.74)], "medium"),
        ([hit(0.451)], "medium"),
        ([hit(0.45)], "low"),
        ([hit(0.0)], "low"),
        ([hit(1.0, topic="bread")], "low"),
        ([hit(0.9), hit(0.9, topic="bread")], "medium"),
        ([hit(1.0), hit(0.9, topic="bread"), hit(0.9, topic="bread")], "low"),
        ([hit(1.0, difficulty="hard")], "medium"),
        ([hit(0.6, difficulty="hard")], "low"),
    ],
)
def test_the_rule(hits: list[Hit], expected: Grade) -> None:
    """The mean score after penalties gives the grade; between the limits the labels do."""
    assert grade(hits, WANTED).grade == expected


@pytest.mark.parametrize("topic", [None, "soup"])
@pytest.mark.parametrize("difficulty", [None, "medium"])
def test_what_was_not_asked_for_costs_nothing(topic: str | None, difficulty: Difficulty | None) -> None:
    """Without a wanted topic or difficulty every candidate has it."""
    assert grade([hit(0.8)], Wanted(topic, difficulty)).score == pytest.approx(0.8)


def test_nothing_that_differs_from_what_was_wanted_is_high() -> None:
    """The penalties are below the limit of high, so that labels outweigh wording."""
    assert max(OTHER_TOPIC, PER_DIFFICULTY_STEP) < 0.75


@given(
    st.lists(
        st.builds(
            hit,
            st.floats(0, 1),
            topic=st.sampled_from(["soup", "bread"]),
            difficulty=st.sampled_from(DIFFICULTIES),
        )
    )
)
def test_candidates_are_ordered_by_labels_then_by_score(hits: list[Hit]) -> None:
    """No candidate comes before one that fits the labels better, and equals are ordered by score."""
    keys = [(not WANTED.is_topic_of(each), WANTED.steps_off(each), -each.score) for each in rank(hits, WANTED)]
    assert keys == sorted(keys)
    assert len(keys) == len(hits)
