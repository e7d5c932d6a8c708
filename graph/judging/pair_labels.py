"""Pairs of an answer and a point that it may make: what the judge's encoder reads, and its labels."""

from __future__ import annotations

from typing import Literal

PairLabel = Literal["covered", "partly", "contradicted", "unrelated"]
LABELS: tuple[PairLabel, ...] = ("covered", "partly", "contradicted", "unrelated")
"""What words may do about a point, in the order of the encoder's scores."""

MAX_TOKENS = 320
"""Word pieces of an answer and a point together: more than a minute of speech. What is longer is read in parts
(`graph.judging.entailment`)."""


def pair_texts(said: str, point: str) -> tuple[str, str]:
    """The two texts of a pair. The question is left out: points stand for themselves, and it costs a third more time.

    Args:
        said: an answer, or a part of one.
        point: a key point or a misconception.
    """
    return said, point
