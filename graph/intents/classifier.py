"""The classifier: how likely each intent is for a stretch of words, by their meaning and their build.

It is a linear model. Its weights were learned from labelled utterances (`python -m graph.intents.training`) and are
stored in `weights.json`, once with the embedding of MiniLM and once without any: they are of no use with another
embedding model, whose numbers mean something else, so then the build alone decides, less well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from graph.intents.cues import INTENTS
from graph.intents.features import features
from graph.intents.plain import Stretch
from graph.intents.vocabulary import Intent
from graph.judging.builtin import Embedder

Matrix = NDArray[np.floating[Any]]

WEIGHTS_FILE = Path(__file__).parent / "weights.json"
PROBE = "shall we begin"
"""A sentence whose embedding tells whether an embedder is the one that the weights were learned with."""

_SAME_EMBEDDER = 0.98
"""Cosine from which on it is: room for other arithmetic, not for another model."""
EMBEDDING_SCALE = 2.0
FEATURE_SCALE = 0.5
"""The rows are brought to a like size, so that the penalty on large weights meets all of them alike."""


class Weights(BaseModel):
    """What was learned. One row for each input, the last one for the constant; one column for each intent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intents: list[Intent]
    request_stems: list[str]
    probe: list[float]
    """The embedding of `PROBE`."""
    with_meaning: list[list[float]]
    by_build: list[list[float]]


@cache
def load_weights(path: Path = WEIGHTS_FILE) -> Weights:
    """The weights in a file.

    Raises:
        ValueError: the file is of another form, or for other intents than there are.
    """
    weights = Weights.model_validate_json(path.read_bytes())
    if tuple(weights.intents) != INTENTS:
        raise ValueError(f"{path} was learned for other intents: run `python -m graph.intents.training` again.")
    return weights


class Classifier:
    """Probabilities of the intents of stretches of words.

    Args:
        embedder: gives the meaning of sentences.
        weights: what was learned.
    """

    def __init__(self, embedder: Embedder, weights: Weights | None = None) -> None:
        weights = weights or load_weights()
        self.request_stems = frozenset(weights.request_stems)
        self._embedder = embedder
        self._by_build = np.array(weights.by_build, np.float32)
        self._with_meaning = np.array(weights.with_meaning, np.float32) if _is_same(embedder, weights) else None

    @property
    def uses_meaning(self) -> bool:
        """False when the embedder is none that the weights were learned with."""
        return self._with_meaning is not None

    def build(self, stretches: Sequence[Stretch], asked: frozenset[str]) -> Matrix:
        """The features of stretches, one row for each. `asked` are the stems of the question."""
        return np.stack([features(stretch, asked, self.request_stems) for stretch in stretches])

    def quick(self, build: Matrix) -> Matrix:
        """Probabilities by the build alone: one row for each row, one column for each intent."""
        return probabilities(FEATURE_SCALE * build, self._by_build)

    def full(self, stretches: Sequence[Stretch], build: Matrix) -> Matrix:
        """Probabilities by meaning and build. It embeds the stretches, which takes milliseconds for each."""
        if self._with_meaning is None:
            return self.quick(build)
        meaning = self._embedder.embed([stretch.text for stretch in stretches])
        return probabilities(np.hstack([EMBEDDING_SCALE * meaning, FEATURE_SCALE * build]), self._with_meaning)


def probabilities(rows: Matrix, weights: Matrix) -> Matrix:
    """Softmax of the linear model."""
    scores = rows @ weights[:-1] + weights[-1]
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def _is_same(embedder: Embedder, weights: Weights) -> bool:
    row = np.asarray(embedder.embed([PROBE])[0], np.float32)
    probe = np.array(weights.probe, np.float32)
    return row.shape == probe.shape and float(row @ probe) >= _SAME_EMBEDDER
