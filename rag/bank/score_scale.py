"""Score scale of retrieval, calibrated for an embedding model.

Grades have fixed limits (0.75 and better is high, 0.45 and worse is low), but every embedding model has cosines of
its own: between a topic's title and a question about it MiniLM gives 0.5, not 0.75. So a cosine is mapped to a score
by a straight line through two points that are measured on the shipped packs:

- 0.45 is the cosine that nine of ten questions of *another* topic stay below;
- 0.75 is the median cosine of questions of the topic that was *wanted*.

`python -m bench.retrieval_scale` measures both, for any model, and prints how well the scale tells topics apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

HIGH = 0.75
"""Scores from here on are high."""
LOW = 0.45
"""Scores up to here are low."""


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Maps cosines of one embedding model to scores from 0 to 1."""

    cosine_at_low: float
    cosine_at_high: float

    def score(self, cosine: float) -> float:
        """The cosine on the scale, 0 to 1."""
        per_cosine = (HIGH - LOW) / (self.cosine_at_high - self.cosine_at_low)
        return min(1.0, max(0.0, LOW + (cosine - self.cosine_at_low) * per_cosine))


MINILM_SCALE = ScoreScale(cosine_at_low=0.284, cosine_at_high=0.542)
"""Measured for all-MiniLM-L6-v2 on the eight shipped packs. Fitted to one pack alone it is 0.255 to 0.310 for the low
point and 0.429 to 0.577 for the high one: titles of machine-learning are farthest from their questions."""


def fit_scale(wanted: Sequence[float], other: Sequence[float]) -> ScoreScale:
    """The scale for a model, from the cosines of questions of the wanted topic and of other topics.

    Raises:
        ValueError: the model does not tell topics apart, so that there is no scale.
    """
    low, high = float(np.quantile(other, 0.9)), float(np.median(wanted))
    if low >= high:
        raise ValueError(
            f"questions of the wanted topic (median cosine {high:.3f}) do not stand out from those of other topics "
            f"(nine of ten below {low:.3f}): this model cannot search the packs"
        )
    return ScoreScale(cosine_at_low=round(low, 3), cosine_at_high=round(high, 3))
