"""Reasoning depth and communication clarity, by rule."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.metrics import AnswerMetrics, Mark, Metric, combined
from domain.question import KeyPoints, Question
from domain.verdict import Quote, Verdict
from domain.vocabulary import Sign, VerdictStatus
from graph.judging import JudgePanel
from graph.judging.scoring import evaluation_of
from graph.metrics.feedback import (
    LATE_FROM_WORDS,
    MOST_WORDS,
    accuracy_feedback,
    clarity_feedback,
    depth_feedback,
)
from graph.metrics.measure import measured, together
from graph.metrics.rubrics import communication_clarity, reasoning_depth
from tests.graph.fakes import ScriptedJudge

SIGNS: tuple[Sign, ...] = ("reason", "comparison", "cost", "example", "order")
STATUSES: tuple[VerdictStatus, ...] = ("covered", "partly", "missing", "contradicted")
QUESTION = Question(
    id="q",
    text="What is a cache for?",
    kind="retrieved",
    source="plan",
    topic="caching",
    difficulty="medium",
    targets=KeyPoints(points=("It saves reads.", "It can be stale.")),
    expected_answer="",
    concepts=(),
    minutes=2,
)


def marks(*signs: Sign, words: str = "because it is stale") -> list[Mark]:
    """A mark of each sign."""
    return [Mark(sign=sign, text=words, first_word=0, last_word=3) for sign in signs]


def verdicts(*statuses: VerdictStatus) -> list[Verdict]:
    """A verdict of each status on a key point."""
    return [Verdict(point=str(n), status=status, probability=1.0) for n, status in enumerate(statuses)]


def test_depth_follows_the_documented_rule() -> None:
    """Three reasons and a comparison: 10 · 3.5 / 6."""
    assert reasoning_depth(marks("reason", "reason", "reason", "comparison")) == pytest.approx(10 * 3.5 / 6)
    assert reasoning_depth([]) == 0
    assert reasoning_depth(marks("order", "order")) == 0


def test_examples_do_not_stand_for_reasons() -> None:
    """However many cases are told, saying why is worth more."""
    assert reasoning_depth(marks(*["example"] * 9)) < reasoning_depth(marks("reason", "reason"))


def test_clarity_follows_the_documented_rule() -> None:
    """Of four points three are spoken to, one of them in part, the first after five of 20 words; one clause tells the
    order.
    """
    said = verdicts("covered", "contradicted", "partly", "missing")
    said[2] = said[2].model_copy(update={"quote": Quote(text="it", first_word=5, last_word=5)})
    wanted = 10 * (0.45 * 0.75 + 0.25 * (1 - 1 / 3) + 0.15 / 3 + 0.15 * 0.75)
    assert communication_clarity(marks("order"), said, 20) == pytest.approx(wanted)


def test_being_wrong_is_not_being_unclear() -> None:
    """Whether it is so is told by the accuracy."""
    assert communication_clarity([], verdicts("contradicted", "covered"), 20) == communication_clarity(
        [], verdicts("covered", "covered"), 20
    )


def test_speaking_of_something_else_is_not_clear() -> None:
    """However orderly it is."""
    assert communication_clarity(marks("order", "order", "order"), verdicts("missing", "missing"), 20) == 0


@given(st.lists(st.sampled_from(SIGNS), max_size=20), st.lists(st.sampled_from(STATUSES), min_size=1, max_size=8))
def test_metrics_stay_on_the_scale(signs: list[Sign], statuses: list[VerdictStatus]) -> None:
    """0 to 10, and one more reason never makes an answer less deep."""
    found = marks(*signs)
    assert 0 <= reasoning_depth(found) <= reasoning_depth([*found, *marks("reason")]) <= 10
    assert 0 <= communication_clarity(found, verdicts(*statuses), len(signs)) <= 10


@given(
    st.tuples(st.floats(0, 10), st.floats(0, 10)),
    st.lists(st.sampled_from(STATUSES), min_size=1, max_size=8),
    st.integers(0, 99),
    st.lists(st.sampled_from(SIGNS), max_size=8),
    st.text(alphabet="ab .,\"'", max_size=400),
)
def test_overall_feedback_is_short(
    scores: tuple[float, float], statuses: list[VerdictStatus], place: int, signs: Sequence[Sign], words: str
) -> None:
    """At most 100 words, whatever was said."""
    quote, found = Quote(text=words, first_word=place, last_word=place), marks(*signs, words=words)
    said = [each.model_copy(update={"quote": quote}) for each in verdicts(*statuses)]
    told = accuracy_feedback(scores[0]), depth_feedback(scores[1], found), clarity_feedback(said, found)
    overall = together(*(Metric(score=0, feedback=each) for each in told)).feedback
    assert 0 < len(overall.split()) <= MOST_WORDS


def test_feedback_quotes_a_reason_and_asks_for_what_lacks() -> None:
    """In the candidate's words; for a comparison before a cost."""
    told = depth_feedback(5, marks("reason", "cost"))
    assert "because it is stale" in told
    assert "what else one could do" in told


@pytest.mark.parametrize(
    ("statuses", "first_word", "signs", "told"),
    [
        (("covered", "missing"), LATE_FROM_WORDS, ("order", "order"), "only where you said “it”"),
        (("covered", "missing"), LATE_FROM_WORDS - 1, ("order", "order"), "in an order"),
        (("covered", "missing"), 0, ("order",), "Go through the parts"),
        (("contradicted", "partly"), 0, (), "You spoke to what was asked"),
        (("missing", "missing"), 0, (), "Go through the parts"),
    ],
)
def test_feedback_on_clarity_says_what_can_be_shown(
    statuses: tuple[VerdictStatus, ...], first_word: int, signs: tuple[Sign, ...], told: str
) -> None:
    """In the answer's own words, and never that it was easy or hard to follow: that no rule can tell."""
    quote = Quote(text="it", first_word=first_word, last_word=first_word)
    said = [each.model_copy(update={"quote": quote}) for each in verdicts(*statuses)]
    assert clarity_feedback(said, marks(*signs)).startswith(("You", "Go"))
    assert told in clarity_feedback(said, marks(*signs))


def test_the_three_metrics_are_averaged() -> None:
    """Each counts as much."""
    assert combined(9.0, AnswerMetrics(reasoning_depth=3, communication_clarity=6)) == pytest.approx(6.0)


async def test_an_answer_is_measured_by_its_verdicts_and_words() -> None:
    """With marks that quote its words; one that is not scored is not measured."""
    words = "good answer about the oxidation of tea leaves because the enzymes meet the air".split()
    metrics = measured(await JudgePanel(ScriptedJudge()).evaluate(QUESTION, words), words)
    assert metrics is not None
    (reason,) = metrics.marks
    assert (reason.sign, reason.text) == ("reason", "because the enzymes meet the air")
    assert measured(evaluation_of("judge", QUESTION.model_copy(update={"id": "x"}), []), words) is None
