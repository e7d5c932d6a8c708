"""Metrics of a detector on labelled utterances: precision and recall of each intent, and the words of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import get_args

from domain.vocabulary import Intent
from graph.intents.evaluation.labelled import LabelledUtterance
from graph.intents.types import ASKS_FROM, Understood

_FOUND_FROM = 0.8
"""F1 of the words from which on the answer in an utterance counts as found."""


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """One intent."""

    intent: Intent
    precision: float
    recall: float
    f1: float
    count: int


@dataclass(frozen=True, slots=True)
class Measured:
    """All of them."""

    intents: tuple[IntentFigures, ...]
    """Those that occur among the labels."""
    macro_f1: float
    accuracy: float
    count: int
    mixed: int
    """Utterances that hold an answer and a request."""
    spans_found: float
    """Share of these whose answer was found among the words."""


def measure(utterances: Sequence[LabelledUtterance], understood: Sequence[Understood]) -> Measured | None:
    """Compare labels with what was understood; None when nothing is labelled."""
    pairs = [(said, found) for said, found in zip(utterances, understood, strict=True) if said.intent is not None]
    if not pairs:
        return None
    outcomes = [(said.intent, _intent(found)) for said, found in pairs]
    figures = tuple(
        _figures(intent, outcomes) for intent in get_args(Intent) if any(intent == wanted for wanted, _ in outcomes)
    )
    spans = [_overlap(said, found) >= _FOUND_FROM for said, found in pairs if said.answer]
    return Measured(
        intents=figures,
        macro_f1=fmean(each.f1 for each in figures),
        accuracy=fmean(wanted == got for wanted, got in outcomes),
        count=len(pairs),
        mixed=len(spans),
        spans_found=fmean(spans) if spans else 0.0,
    )


def _intent(found: Understood) -> Intent:
    return found.request if found.request and found.confidence >= ASKS_FROM else "answer"


def _figures(intent: Intent, outcomes: Sequence[tuple[Intent | None, Intent]]) -> IntentFigures:
    hits = sum(wanted == got == intent for wanted, got in outcomes)
    labelled = sum(wanted == intent for wanted, _ in outcomes)
    named = sum(got == intent for _, got in outcomes)
    precision, recall = hits / named if named else 0.0, hits / labelled
    f1 = 2 * hits / (labelled + named)
    return IntentFigures(intent, precision, recall, f1, labelled)


def _overlap(said: LabelledUtterance, found: Understood) -> float:
    """F1 of the words of the answer as it was labelled and as it was found."""
    wanted = Counter(said.answer.split())
    first, last = found.answer or (0, -1)
    got = Counter(said.text.split()[first : last + 1])
    return 2 * (wanted & got).total() / max(1, wanted.total() + got.total())
