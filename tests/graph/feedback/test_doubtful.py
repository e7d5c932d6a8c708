"""Doubts that the candidate's own words speak against are not told; what holds is said in full instead."""

from __future__ import annotations

import pytest

from domain.question import KeyPoints
from domain.verdict import Evaluation, Quote, Verdict
from graph.feedback.coaching import coached
from graph.feedback.compose import About, Manner
from graph.feedback.doubtful import doubted_words, says_the_same, without_the_doubtful
from graph.feedback.lessons import lesson_on
from graph.judging.scoring import evaluation_of
from graph.planning.questions import from_bank
from graph.templates import feedback_wording
from tests.graph.fakes import tea_pack

WRONG = "Precision tells you how many of the actual positives were found."
RIGHT = "Precision is the share of flagged cases that really are positive."
TARGETS = KeyPoints(points=("Recall is the share of the positives.",), misconceptions=(WRONG,), corrections=(RIGHT,))


def contradicted(point: str, said: str, kind: str = "key_point") -> Verdict:
    """A contradiction that the judge is sure enough of to tell."""
    quote = Quote(text=said, first_word=0, last_word=len(said.split()) - 1)
    return Verdict(point=point, kind=kind, status="contradicted", probability=0.9, quote=quote, told=True)  # type: ignore[arg-type]


def judged(verdict: Verdict) -> Evaluation:
    """An evaluation with this verdict alone."""
    return Evaluation(question_id="q", topic="t", difficulty="easy", judge="j", verdicts=(verdict,), scores=None)


@pytest.mark.parametrize(
    ("said", "doubted"),
    [
        ("precision asks of everything I flagged how much was really positive", False),
        ("precision tells you how many of the actual positives were found", True),
        ("precision is not the share of flagged cases that really are positive", True),
        ("it is about what was found", True),
    ],
)
def test_no_misconception_is_held_against_who_spoke_like_its_correction(said: str, doubted: bool) -> None:
    """More of the words that only the correction has, and no "not" turned round: it stays in the record, untold."""
    fair = without_the_doubtful(judged(contradicted(WRONG, said, "misconception")), TARGETS)
    assert bool(fair.doubts) == doubted
    assert fair.contradictions


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("it's one big lock in the interpreter", ""),
        ("with the lock there can't be any race in your code", "with the lock there can't be any race in your code"),
    ],
)
def test_words_that_any_answer_has_are_not_said_back_as_wrong(said: str, back: str) -> None:
    """What was doubted was the sentence behind them."""
    wrong = contradicted("Because of the interpreter lock there can be no race conditions.", said, "misconception")
    assert doubted_words(wrong, "What does the interpreter lock protect? global interpreter lock") == back


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("every example comes with the right answer and it learns from that", True),
        ("every example comes without the right answer so it learns from nothing", False),
        ("the model gets bigger", False),
    ],
)
def test_a_point_is_said_by_half_of_its_words(said: str, same: bool) -> None:
    """Unless a check finds a number, a direction or a "not" turned round."""
    assert says_the_same(contradicted("It learns from examples that come with the right answer.", said)) == same


def test_what_was_perhaps_right_is_said_in_full_and_not_doubted() -> None:
    """True in either case: nobody hears that what they said is worth checking."""
    bank = tea_pack().questions[0]
    question = from_bank(bank, topic_title="t", concepts=(), grade="high", attempts=1, lead_in="")
    point = question.targets.points[0]
    evaluation = evaluation_of("test", question, [contradicted(point, point)])
    lesson = lesson_on(evaluation, question)
    assert lesson is not None
    assert (lesson.kind, lesson.told[0]) == ("in full", point)
    wording = feedback_wording()
    feedback = coached(evaluation, About(gap="tea", strength="tea"), lesson, Manner(0, wording))
    assert "doubt" not in feedback.structure
    assert feedback.sentences[-1] in {way.format(truth=lesson.truth) for way in wording.ways("coach.half")}
