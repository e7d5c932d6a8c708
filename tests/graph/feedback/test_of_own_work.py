"""Feedback on what candidates tell of their own work."""

from __future__ import annotations

import pytest

from domain.question import KeyPoints, Question
from domain.verdict import Evaluation, Quote, Verdict
from domain.vocabulary import VerdictStatus
from graph.exploration.aspects import aspect_sheets
from graph.feedback.compose import About, Manner, compose
from graph.feedback.quoting import deed
from graph.judging.scoring import evaluation_of
from graph.templates import feedback_wording

TARGETS = aspect_sheets().targets("challenges")
ABOUT = About(parts=dict(zip(TARGETS.points, TARGETS.parts, strict=True)), own_work=True)
QUESTION = Question(
    id="resume-project_1-challenges", text="What was the hardest part of it?", kind="retrieved", source="resume",
    topic="project_1", difficulty="medium", targets=KeyPoints(points=TARGETS.points, parts=TARGETS.parts), concepts=(),
    expected_answer="", minutes=3, anchor="project_1", aspect="challenges",
)  # fmt: skip


SURE = 0.9
"""Probability from which a part is taken here to be surely left out."""


def told(*parts: tuple[VerdictStatus, float], said: str = "") -> Evaluation:
    """An evaluation with a verdict and its probability for each part; it says itself what is surely left out."""
    words = said.split()
    quote = Quote(text=said, first_word=0, last_word=len(words) - 1) if said else None
    verdicts = [
        Verdict(point=point, status=status, probability=sure, quote=quote)
        if status != "missing"
        else Verdict(point=point, status=status, probability=sure, told=sure >= SURE)
        for point, (status, sure) in zip(TARGETS.points, parts, strict=True)
    ]
    return evaluation_of("judge", QUESTION, verdicts)


@pytest.mark.parametrize("turn", range(9))
def test_nobody_hears_that_they_left_out_what_they_may_have_told(turn: int) -> None:
    """Feedback points at a part only where it is sure that it was told in no way."""
    unsure = told(("missing", 0.8), ("covered", 0.9), ("partly", 0.6))
    assert "gap" not in compose(unsure, ABOUT, Manner(turn=turn, wording=feedback_wording())).structure
    sure = told(("missing", 0.9), ("covered", 0.9), ("covered", 0.9))
    heard = [compose(sure, ABOUT, Manner(turn=each, wording=feedback_wording())) for each in range(9)]
    assert any("what made it hard" in feedback.text for feedback in heard)


def test_what_somebody_did_is_said_back() -> None:
    """Two times out of three, as far as their words can be: not "they" who did it, nor half a sentence."""
    evaluation = told(
        ("covered", 0.9), ("covered", 0.9), ("covered", 0.9), said="So I put a tube of black cardboard around it."
    )
    heard = [compose(evaluation, ABOUT, Manner(turn=turn, wording=feedback_wording())).text for turn in range(1, 9)]
    assert any("you put a tube of black cardboard around it" in text for text in heard)


@pytest.mark.parametrize(
    ("said", "deed_"),
    [
        ("and then I soldered the sensor to a small board", "you soldered the sensor to a small board"),
        ("we moved everybody over to the new cluster", "you moved everybody over to the new cluster"),
        ("they run one command and have the list", ""),
        ("the price is that you only get the list", ""),
        ("I did it", ""),
        ("you cannot cut the file anywhere you like", ""),
    ],
)
def test_only_deeds_of_their_own_are_said_back(said: str, deed_: str) -> None:
    """In whole clauses."""
    quote = Quote(text=said, first_word=0, last_word=len(said.split()) - 1)
    assert deed(Verdict(point="p", status="covered", probability=1.0, quote=quote)) == deed_
