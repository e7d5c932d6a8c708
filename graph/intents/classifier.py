"""Classifier: how likely each intent is for a stretch of words.

Two models, both learned from labelled utterances (`python -m training.intents.train`) and shipped in `weights/`: a
linear one over how a stretch is built, which takes microseconds and says where to look closely; and a small encoder,
fine-tuned from MiniLM, which reads the stretches that are looked at closely.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from domain.vocabulary import Intent
from graph.encoders import runtime
from graph.encoders.linear import Matrix, probabilities
from graph.intents.cues import INTENTS
from graph.intents.features import features
from graph.intents.normalize import Stretch

WEIGHTS_DIR = Path(__file__).parents[2] / "assets" / "intents"
BUILD_FILE = "build.json"
MAX_TOKENS = 48
"""Word pieces of a stretch; the longest that are looked at have 30 words."""

_ANSWER = INTENTS.index("answer")
_ANSWERS_IN_LIFE = 8.0
"""Nearly half of what is learned from are answers (odds of 0.8); in an interview it is seven of eight (odds of 7)."""


class BuildWeights(BaseModel):
    """What was learned about how requests are built."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intents: list[Intent]
    request_stems: list[str]
    by_build: list[list[float]]
    """One row for each feature, the last one for the constant; one column for each intent."""


@cache
def load_build(path: Path = WEIGHTS_DIR / BUILD_FILE) -> BuildWeights:
    """The weights in a file.

    Raises:
        EncoderError: the file is missing, of another form, or for other intents than there are.
    """
    weights = runtime.read_weights(path, BuildWeights)
    if tuple(weights.intents) != INTENTS:
        raise runtime.EncoderError(f"{path} was learned for other intents: run `make train-intents` again.")
    return weights


class StretchReader(Protocol):
    """Whoever reads stretches closely."""

    def scores(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of scores for each text, one column for each intent."""
        ...


def load_reader() -> StretchReader:
    """The encoder that comes with Viva; loaded once, in a tenth of a second."""
    return runtime.load(WEIGHTS_DIR, max_tokens=MAX_TOKENS)


class Classifier:
    """Probabilities of the intents of stretches of words.

    Args:
        reader: reads stretches closely; Viva's own encoder by default.
        weights: of the build; Viva's own by default.
    """

    def __init__(self, reader: StretchReader | None = None, weights: BuildWeights | None = None) -> None:
        weights = weights or load_build()
        self.request_stems = frozenset(weights.request_stems)
        self._reader = reader or load_reader()
        self._by_build = np.array(weights.by_build, np.float32)

    def build(self, stretches: Sequence[Stretch], asked: frozenset[str]) -> Matrix:
        """The features of stretches, one row for each. `asked` are the stems of the question."""
        return np.stack([features(stretch, asked, self.request_stems) for stretch in stretches])

    def quick(self, stretches: Sequence[Stretch], asked: frozenset[str]) -> Matrix:
        """Probabilities by the build alone: one row for each stretch, one column for each intent."""
        return probabilities(self.build(stretches, asked) @ self._by_build[:-1] + self._by_build[-1])

    def full(self, stretches: Sequence[Stretch]) -> Matrix:
        """Probabilities by what is said. It takes about two milliseconds for each stretch."""
        scores = np.array(self._reader.scores([stretch.text for stretch in stretches]))
        scores[:, _ANSWER] += np.log(_ANSWERS_IN_LIFE)
        return probabilities(scores)
