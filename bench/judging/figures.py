"""The figures that describe a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table."""

    what: str
    viva: float
    similarity: float | None = None
    overlap: float | None = None
    model: float | None = None
    """The model judge, where there is one."""
    goal: str = ""
    unit: str = ""


def accuracy(wanted: NDArray[np.int_], got: NDArray[np.int_]) -> float:
    """Share of right ones."""
    return float((wanted == got).mean())


def macro_f1(wanted: NDArray[np.int_], got: NDArray[np.int_], classes: Sequence[int]) -> float:
    """Mean over the classes of the harmonic mean of precision and recall."""
    scores = []
    for each in classes:
        hits = int(((wanted == each) & (got == each)).sum())
        scores.append(2 * hits / max(1, int((wanted == each).sum()) + int((got == each).sum())))
    return float(np.mean(scores))


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Correlation, -1 to 1."""
    return float(np.corrcoef(one, other)[0, 1])


@dataclass(frozen=True, slots=True)
class Reliability:
    """Verdicts whose probability lies in one tenth."""

    low: float
    count: int
    mean: float
    right: float


def reliability(probabilities: Sequence[float], right: Sequence[bool]) -> list[Reliability]:
    """How often verdicts are right, by the probability that they claim."""
    claimed, hits = np.asarray(probabilities), np.asarray(right)
    rows = []
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (claimed >= low) & (claimed < low + 0.1 + (1e-9 if low > 0.85 else 0))
        if inside.any():
            rows.append(
                Reliability(
                    round(float(low), 1), int(inside.sum()), float(claimed[inside].mean()), float(hits[inside].mean())
                )
            )
    return rows


def calibration_error(rows: Sequence[Reliability]) -> float:
    """Mean distance between claimed and real, weighted by how many there are (expected calibration error)."""
    total = sum(row.count for row in rows)
    return sum(row.count * abs(row.mean - row.right) for row in rows) / total if total else 0.0
