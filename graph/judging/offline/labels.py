"""Labels of whole short answers beside model answers: correct, contradictory, or incorrect.

Interviews do not need it: they judge point by point. It is for whoever measures the judge on graded answers, which
carry such labels, or uses it on a corpus of their own (`viva judge batch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graph.encoders.linear import Matrix, probabilities
from graph.encoders.runtime import LearnedOfFeatures, read_weights_of
from graph.judging.contradictions import checks
from graph.judging.entailment import WEIGHTS_DIR, EncoderReader, Odds, PairReader
from graph.judging.pair_labels import LABELS, pair_texts
from graph.judging.text.stems import content_stems, overlap
from rag.embedding.embedder import Embedder

AnswerLabel = Literal["correct", "contradictory", "incorrect"]
ANSWER_LABELS: tuple[AnswerLabel, ...] = ("correct", "contradictory", "incorrect")

LABELS_FILE = WEIGHTS_DIR / "labels.json"
FEATURES = (
    "covered", "partly", "contradicted", "unrelated", "most contradicted", "least unrelated", "mean covered",
    "meaning", "words", "words of the answer", "number differs", "direction differs", "parity differs", "length",
    "shorter than the reference", "meaning squared", "covered and words",
)  # fmt: skip

_COVERED, _PARTLY, _CONTRADICTED, _UNRELATED = range(len(LABELS))
_STEEPEST = 6.0

Row = NDArray[np.floating[Any]]


class LabelWeights(LearnedOfFeatures):
    """What was learned: a row for each feature and one for the constant, a column for each of `ANSWER_LABELS`."""

    labels: list[list[float]]


@cache
def load_labels(path: Path = LABELS_FILE) -> LabelWeights:
    """The weights in a file.

    Raises:
        EncoderError: the file is missing, of another form, or was learned for other features.
    """
    return read_weights_of(FEATURES, path, LabelWeights, "make train-judge")


class Labeller:
    """Labels short answers by model answers.

    Args:
        embedder: compares meanings.
        reader: reads the answer beside each model answer; Viva's own encoder by default.
        weights: what was learned; Viva's own by default.
    """

    def __init__(
        self, embedder: Embedder, reader: PairReader | None = None, weights: LabelWeights | None = None
    ) -> None:
        self._embedder = embedder
        self._reader = reader or EncoderReader()
        self._weights = weights or load_labels()

    def label(self, answer: str, references: Sequence[str], question: str) -> AnswerLabel:
        """The likeliest label of an answer; `references` are at least one."""
        vectors = self._embedder.embed([answer, *references])
        read = self._reader.read([pair_texts(answer, reference) for reference in references])
        odds = np.array([reading.odds for reading in read])
        meaning = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
        return label(features(answer, references, question=question, odds=odds, meaning=meaning), self._weights)[0]


def label(row: Row, weights: LabelWeights) -> tuple[AnswerLabel, float]:
    """The likeliest label and its probability."""
    learned: Matrix = np.array(weights.labels)
    odds = probabilities((row[None] @ learned[:-1]) + learned[-1])[0]
    best = int(np.argmax(odds))
    return ANSWER_LABELS[best], float(odds[best])


def features(answer: str, references: Sequence[str], *, question: str, odds: Odds, meaning: Sequence[float]) -> Row:
    """One row of numbers, in the order of `FEATURES`.

    Args:
        answer: what was said.
        references: model answers, alternatives of each other.
        question: what was asked; its words tell nothing.
        odds: what the encoder makes of the answer beside each reference, rows of `LABELS`.
        meaning: the cosine of the answer and each reference.
    """
    clipped = np.clip(odds, 1e-4, 1 - 1e-4)
    logits = np.clip(np.log(clipped / (1 - clipped)), -_STEEPEST, _STEEPEST) / _STEEPEST
    best = int(np.argmax(odds[:, _COVERED] + 0.3 * np.asarray(meaning)))
    asked, said, reference = content_stems(question), content_stems(answer), references[best]
    telling = [(stems - asked) or stems for stems in map(content_stems, references)]
    words = max(overlap(stems, said) for stems in telling)
    size, reference_size = len(answer.split()), len(reference.split())
    return np.array([
        *logits[best],
        logits[:, _CONTRADICTED].max(),
        logits[:, _UNRELATED].min(),
        odds[:, _COVERED].mean(),
        max(meaning),
        words,
        overlap(said - asked, telling[best]) if said - asked else 0.0,
        bool(checks.number_differs(reference, answer)),
        bool(checks.direction_differs(reference, answer)),
        checks.parity(reference, answer),
        min(size, 40) / 40,
        size < reference_size / 2,
        max(meaning) ** 2,
        odds[best, _COVERED] * words,
    ], dtype=float)  # fmt: skip
