"""Grades of candidates: the rule, line by line, and the model that decides what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vocabulary import DIFFICULTIES, Difficulty, Grade
from rag.bank.bank import Hit
from rag.packs.pack import BankQuestion
from rag.retrieval.grading import (
    OTHER_TOPIC,
    PER_DIFFICULTY_STEP,
    GradeByModel,
    Grading,
    WantedQuestion,
    grade,
    grade_with_model,
    rank,
)

WANTED = WantedQuestion("soup", "medium")


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


def model(answer: Grade | None, asked: list[tuple[str, WantedQuestion, list[str]]]) -> GradeByModel:
    """A model that always says the same, and what it was asked."""

    async def grade_by_model(query: str, wanted: WantedQuestion, candidates: Sequence[BankQuestion]) -> Grade | None:
        asked.append((query, wanted, [each.id for each in candidates]))
        return answer

    return grade_by_model


@pytest.mark.parametrize("answer", ["high", "medium", "low"])
async def test_a_model_decides_what_scores_leave_open(answer: Grade) -> None:
    """Between the limits its word counts; it is told what was searched for, what was wanted, and what was found."""
    asked: list[tuple[str, WantedQuestion, list[str]]] = []
    grading = await grade_with_model([hit(0.6), hit(0.5, name="b")], WANTED, "Cooking soup", model(answer, asked))

    assert grading == Grading(answer, pytest.approx(0.55), "model")
    assert asked == [("Cooking soup", WANTED, ["a", "b"])]


@pytest.mark.parametrize("hits", [[], [hit(0.75)], [hit(0.45)]])
async def test_a_model_is_not_asked_what_scores_decide(hits: list[Hit]) -> None:
    """Clear cases cost no call."""
    asked: list[tuple[str, WantedQuestion, list[str]]] = []

    assert await grade_with_model(hits, WANTED, "Cooking soup", model("medium", asked)) == grade(hits, WANTED)
    assert asked == []


@pytest.mark.parametrize("by_model", [None, model(None, [])])
async def test_without_a_models_word_the_labels_decide(by_model: GradeByModel | None) -> None:
    """No model, or one that cannot be used, leaves the rule as it is."""
    grading = await grade_with_model([hit(0.6)], WANTED, "Cooking soup", by_model)
    assert (grading.grade, grading.by) == ("medium", "labels")


@pytest.mark.parametrize("topic", [None, "soup"])
@pytest.mark.parametrize("difficulty", [None, "medium"])
def test_what_was_not_asked_for_costs_nothing(topic: str | None, difficulty: Difficulty | None) -> None:
    """Without a wanted topic or difficulty every candidate has it."""
    assert grade([hit(0.8)], WantedQuestion(topic, difficulty)).score == pytest.approx(0.8)


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
