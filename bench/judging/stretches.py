"""The stretches of an answer beside each point, by meaning and by words: what the baselines go by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.judging.text import clauses
from graph.judging.text.stems import content_stems, overlap
from rag import Embedder


def nearest_meaning(points: Sequence[str], words: Sequence[str], embedder: Embedder) -> list[float]:
    """For each point the highest cosine of any run of one to three clauses of the answer."""
    said = _runs(words)
    if not said:
        return [0.0] * len(points)
    vectors: NDArray[np.float32] = embedder.embed([*points, *said])
    return [float(value) for value in (vectors[: len(points)] @ vectors[len(points) :].T).max(axis=1)]


def most_words(points: Sequence[str], words: Sequence[str], question: str) -> list[float]:
    """For each point the largest share of its telling words in any run of one to three clauses of the answer.

    The words of the question tell nothing about a point: whoever answers repeats them.
    """
    asked, said = content_stems(question), [content_stems(run) for run in _runs(words)]
    telling = [(stems - asked) or stems for stems in map(content_stems, points)]
    return [max((overlap(stems, each) for each in said), default=0.0) for stems in telling]


def _runs(words: Sequence[str]) -> list[str]:
    return [run.text for run in clauses.windows(clauses.split(words), words)]
