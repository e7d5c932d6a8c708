"""Verdicts in records of version 0.1: a quote's text and its place lay side by side."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events import AnswerJudged, event_adapter
from domain.verdict import Counts, Evaluation, Quote, Verdict

OLD = {
    "point": "It answers repeated reads faster.",
    "kind": "key_point",
    "status": "covered",
    "quote": "reads are faster",
    "first_word": 6,
    "last_word": 8,
    "probability": 0.86,
    "rule": "close in meaning, no negation",
    "counts": {"covered": 1.0, "partly": 0.0, "missing": 0.0, "contradicted": 0.0},
}


def test_an_old_quote_is_read_with_its_place() -> None:
    """Text, first and last word are the quote; everything else of the verdict is as it was."""
    verdict = Verdict.model_validate(OLD)
    assert verdict.quote == Quote(text="reads are faster", first_word=6, last_word=8)
    assert (verdict.probability, verdict.rule, verdict.counts) == (0.86, OLD["rule"], Counts(covered=1.0))


@pytest.mark.parametrize("absent", [{"quote": "", "first_word": None, "last_word": None}, {"quote": ""}])
def test_an_old_verdict_without_a_quote_has_none(absent: dict[str, object]) -> None:
    """An empty text stood for no quote, and fields that came later may be missing."""
    old = {name: value for name, value in OLD.items() if name not in ("quote", "first_word", "last_word", "counts")}
    verdict = Verdict.model_validate({**old, **absent})
    assert (verdict.quote, verdict.counts) == (None, None)


def test_an_old_judgement_is_the_graphs_own_evaluation() -> None:
    """The event of an old record is an `Evaluation`, and is written back in the present shape."""
    old = {
        "kind": "answer_judged", "at": 5.0, "turn": 1, "question_id": "q", "topic": "t", "difficulty": "easy",
        "judge": "built-in", "verdicts": [OLD], "scores": None, "not_scored": "", "fallback": False,
    }  # fmt: skip
    event = event_adapter.validate_json(json.dumps(old))
    assert isinstance(event, AnswerJudged)
    assert isinstance(event, Evaluation)
    assert event.verdicts == (Verdict.model_validate(OLD),)
    assert event_adapter.validate_json(event.model_dump_json()) == event


@given(st.text(min_size=1), st.integers(0, 50), st.integers(0, 50))
def test_a_quote_is_the_same_in_both_shapes(text: str, first: int, more: int) -> None:
    """Whatever was quoted, the old shape and the present one give equal verdicts."""
    place = {"first_word": first, "last_word": first + more}
    of_today = {name: value for name, value in OLD.items() if name not in place}
    assert Verdict.model_validate({**OLD, "quote": text, **place}) == Verdict.model_validate(
        {**of_today, "quote": {"text": text, **place}}
    )
