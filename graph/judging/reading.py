"""Reading a stretch of an answer beside a point: what the small encoder makes of the pair.

The encoder is fine-tuned from MiniLM on entailment, on graded answers and on pairs that were written for Viva
(`graph.judging.learning`, `docs/judging.md`). It comes with Viva as int8 ONNX, in `weights/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph.encoders import runtime
from graph.judging.pair import LABELS, MAX_TOKENS

WEIGHTS_DIR = Path(__file__).parent / "weights"

Odds = NDArray[np.floating[Any]]


class PairReader(Protocol):
    """Whoever reads pairs of words and points."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> Odds:
        """One row for each pair: the probabilities of `LABELS`, in their order."""
        ...


class EncoderReader:
    """The encoder that comes with Viva, or another one of its kind.

    Args:
        folder: with the encoder's files; loaded at the first pair.
        threads: for one answer.
    """

    def __init__(self, folder: Path = WEIGHTS_DIR, threads: int = 2) -> None:
        self._folder = folder
        self._threads = threads

    def read(self, pairs: Sequence[tuple[str, str]]) -> Odds:
        """One row for each pair: the probabilities of `LABELS`, in their order."""
        if not pairs:
            return np.empty((0, len(LABELS)))
        scores = runtime.load(self._folder, max_tokens=MAX_TOKENS, threads=self._threads).scores(pairs)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))
