"""Stacking, from a reading to a verdict: a small linear model over what the encoder and the checks say.

Its weights were learned on answers to questions that the encoder had never seen, so that its probabilities mean what
they say as far as the encoder's do not: `docs/judging.md` has the reliability diagram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.verdict import Quote
from domain.vocabulary import VerdictStatus
from graph.encoders.linear import probabilities
from graph.encoders.runtime import LearnedOfFeatures, read_weights_of
from graph.judging.contradictions import checks
from graph.judging.entailment import WEIGHTS_DIR, Odds, Reading
from graph.judging.pair_labels import LABELS
from graph.judging.text.stems import content_stems, overlap

Row = NDArray[np.floating[Any]]

STACKING_FILE = WEIGHTS_DIR / "stacking.json"

STATUSES: tuple[VerdictStatus, ...] = ("covered", "partly", "missing", "contradicted")
"""Verdicts in the order of the model's probabilities."""

_COVERED, _PARTLY, _CONTRADICTED, _UNRELATED = range(len(LABELS))
_STEEPEST = 5.0
"""Log-odds are cut here: beyond it the encoder is only more or less certain of the same."""
_LONG = 200
"""Words from which on an answer is simply long."""

FEATURES = (
    "covered", "partly", "contradicted", "unrelated", "quote covers", "quote covers in part", "quote contradicts",
    "quote is unrelated", "covered minus contradicted", "surest word", "words marked", "covered elsewhere",
    "contradicted elsewhere", "misconceptions", "words in common", "number differs", "direction differs",
    "parity differs", "length", "covered beside", "contradicted beside", "correction is covered",
    "correction is covered in part", "correction is contradicted", "correction is unrelated", "no correction",
)  # fmt: skip


class Weights(LearnedOfFeatures):
    """What was learned: a row for each feature and one for the constant, a column for each outcome."""

    verdicts: list[list[float]]
    """Outcomes: `STATUSES`."""
    misconceptions: list[list[float]]
    """Outcomes: not stated, stated."""


@dataclass(frozen=True, slots=True)
class Stacker:
    """The linear model.

    Args:
        weights: what was learned.
    """

    weights: Weights

    def verdicts(self, rows: Row) -> Row:
        """Probabilities of `STATUSES`, one row for each row of features."""
        return _outcomes(rows, np.array(self.weights.verdicts))

    def stated(self, rows: Row) -> Row:
        """The probability that a misconception was stated, for each row of features."""
        return np.asarray(_outcomes(rows, np.array(self.weights.misconceptions))[:, 1])


@cache
def load_stacker(path: Path = STACKING_FILE) -> Stacker:
    """The model in a file.

    Raises:
        EncoderError: the file is missing, of another form, or was learned for other features.
    """
    return Stacker(read_weights_of(FEATURES, path, Weights, "make train-judge"))


def features(
    points: Sequence[str],
    readings: Sequence[Reading],
    quotes: Sequence[Quote],
    of_quotes: Sequence[Odds],
    of_corrections: Sequence[Odds | None],
    *,
    count: int,
    length: int,
) -> list[Row]:
    """One row of numbers for each point, in the order of `FEATURES`.

    What an answer does about the other points says something about this one: who is right four times is likely to be
    right a fifth time, and who states a misconception contradicts a point that goes with it. Words that state a
    misconception contradict a key point as well, most often, and what holds instead; that tells them from words which are
    only about the same (docs/judging.md#what-is-wrong).

    Args:
        points: key points, then misconceptions.
        readings: of each of them.
        quotes: the words that carry each verdict.
        of_quotes: what the quotes do about their points by themselves, probabilities of `LABELS`.
        of_corrections: what the quotes do about what holds instead; None where nobody has written that down.
        count: how many of them are key points.
        length: words of the answer.
    """
    odds = np.array([reading.odds for reading in readings])
    log_odds, of_quote = _log_odds(odds), _log_odds(np.array(of_quotes))
    stated = float(odds[count:, _COVERED].max(initial=0.0))
    rows = []
    for number, (point, reading, quote, of_correction) in enumerate(
        zip(points, readings, quotes, of_corrections, strict=True)
    ):
        others = [other for other in range(count) if other != number]
        beside = [other for other in _of_the_other_kind(number, count, len(points)) if quote.overlaps(quotes[other])]
        rows.append(np.array([
            *log_odds[number],
            *of_quote[number],
            odds[number, _COVERED] - odds[number, _CONTRADICTED],
            reading.words.max(),
            min(1.0, reading.words.sum() / 20),
            odds[others, _COVERED].mean() if others else 0.0,
            odds[others, _CONTRADICTED].mean() if others else 0.0,
            stated,
            overlap(content_stems(point), content_stems(quote.text)),
            bool(checks.number_differs(point, quote.text)),
            bool(checks.direction_differs(point, quote.text)),
            checks.parity(point, quote.text),
            min(length, _LONG) / _LONG,
            odds[beside, _COVERED].max(initial=0.0),
            odds[beside, _CONTRADICTED].max(initial=0.0),
            *(np.zeros(len(LABELS)) if of_correction is None else _log_odds(of_correction)),
            of_correction is None,
        ], dtype=float))  # fmt: skip
    return rows


def _of_the_other_kind(number: int, count: int, size: int) -> range:
    """For a key point the misconceptions, for a misconception the key points."""
    return range(count, size) if number < count else range(count)


def _outcomes(rows: Row, weights: Row) -> Row:
    return probabilities(rows @ weights[:-1] + weights[-1])


def _log_odds(odds: Odds) -> Odds:
    clipped = np.clip(odds, 1e-6, 1 - 1e-6)
    return np.asarray(np.clip(np.log(clipped / (1 - clipped)), -_STEEPEST, _STEEPEST) / _STEEPEST)
