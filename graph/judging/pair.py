"""What the judge's encoder reads: words that were said, and the point that they may make."""

from __future__ import annotations

from typing import Literal

PairLabel = Literal["covered", "partly", "contradicted", "unrelated"]
LABELS: tuple[PairLabel, ...] = ("covered", "partly", "contradicted", "unrelated")
"""What a stretch of words may do about a point, in the order of the encoder's scores."""

MAX_TOKENS = 96
"""Word pieces of a pair; what is longer is cut. 99 of 100 pairs have fewer than 80."""


def pair_texts(said: str, point: str) -> tuple[str, str]:
    """The two texts of a pair. The question is left out: points stand for themselves, and it costs a third more time.

    Args:
        said: a stretch of an answer.
        point: a key point or a misconception.
    """
    return said, point
