"""From evidence to a verdict: a small linear model over what the encoder, similarity and the checks say.

Its weights were learned on answers that the encoder had never seen (out of fold), and so was the temperature that makes
its probabilities mean what they say: of a hundred verdicts with a probability of 0.8, about eighty are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from graph.encoders.linear import probabilities
from graph.encoders.runtime import EncoderError, read_weights
from graph.judging import checks
from graph.judging.evidence import Evidence
from graph.judging.pair import LABELS
from graph.judging.reading import WEIGHTS_DIR, Odds
from graph.judging.verdicts import VerdictStatus

Row = NDArray[np.floating[Any]]

STACKING_FILE = WEIGHTS_DIR / "stacking.json"

STATUSES: tuple[VerdictStatus, ...] = ("covered", "partly", "missing", "contradicted")
"""Verdicts in the order of the model's probabilities."""

_COVERED, _PARTLY, _CONTRADICTED, _UNRELATED = range(len(LABELS))
_STEEPEST = 5.0
"""Log-odds are cut here: beyond it the encoder is only more or less certain of the same."""

FEATURES = (
    "covered", "partly", "contradicted", "related", "covered minus contradicted", "credit", "contradicted where covered",
    "covered where contradicted", "second covered", "second contradicted", "closest", "closeness where covered",
    "closeness where contradicted", "words where covered", "words where contradicted", "number differs",
    "direction differs", "negation differs", "parity differs", "length",
)  # fmt: skip


class Weights(BaseModel):
    """What was learned: a row for each feature and one for the constant, a column for each outcome."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    features: tuple[str, ...]
    verdicts: list[list[float]]
    """Outcomes: `STATUSES`."""
    misconceptions: list[list[float]]
    """Outcomes: not stated, stated."""
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class Stacker:
    """The linear model.

    Args:
        weights: what was learned.
    """

    weights: Weights

    def verdicts(self, rows: Row) -> Row:
        """Probabilities of `STATUSES`, one row for each row of features."""
        return _outcomes(rows, np.array(self.weights.verdicts), self.weights.temperature)

    def stated(self, rows: Row) -> Row:
        """The probability that a misconception was stated, for each row of features."""
        return np.asarray(_outcomes(rows, np.array(self.weights.misconceptions))[:, 1])


@cache
def load_stacker(path: Path = STACKING_FILE) -> Stacker:
    """The model in a file.

    Raises:
        EncoderError: the file is missing, of another form, or was learned for other features.
    """
    weights = read_weights(path, Weights)
    if weights.features != FEATURES:
        raise EncoderError(f"{path} was learned for other features: run `make train-judge` again.")
    return Stacker(weights)


def features(point: str, evidence: Sequence[Evidence], odds: Odds) -> Row:
    """One row of numbers for a point, in the order of `FEATURES`.

    Args:
        point: the claim.
        evidence: stretches of the answer, at least one.
        odds: what the encoder makes of each, rows of `LABELS`.
    """
    log_odds = _log_odds(odds)
    best, worst = int(np.argmax(odds[:, _COVERED])), int(np.argmax(odds[:, _CONTRADICTED]))
    covered, contradicted = np.sort(odds[:, _COVERED])[::-1], np.sort(odds[:, _CONTRADICTED])[::-1]
    credit = odds[:, _COVERED] + 0.5 * odds[:, _PARTLY]
    said = evidence[best].clause.text
    return np.array([
        log_odds[best, _COVERED],
        log_odds[:, _PARTLY].max(),
        log_odds[worst, _CONTRADICTED],
        -log_odds[:, _UNRELATED].min(),
        covered[0] - contradicted[0],
        credit.max(),
        odds[best, _CONTRADICTED],
        odds[worst, _COVERED],
        covered[1] if len(covered) > 1 else 0.0,
        contradicted[1] if len(contradicted) > 1 else 0.0,
        max(each.closeness for each in evidence),
        evidence[best].closeness,
        evidence[worst].closeness,
        evidence[best].words,
        evidence[worst].words,
        bool(checks.number_differs(point, said)),
        bool(checks.direction_differs(point, said)),
        checks.negated(point, said),
        checks.parity(point, said),
        min(len(said.split()), 60) / 60,
    ], dtype=float)  # fmt: skip


def _outcomes(rows: Row, weights: Row, temperature: float = 1.0) -> Row:
    return probabilities((rows @ weights[:-1] + weights[-1]) / temperature)


def _log_odds(odds: Odds) -> Odds:
    clipped = np.clip(odds, 1e-6, 1 - 1e-6)
    return np.asarray(np.clip(np.log(clipped / (1 - clipped)), -_STEEPEST, _STEEPEST) / _STEEPEST)
