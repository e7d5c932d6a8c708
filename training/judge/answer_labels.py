"""Answer labels: learns to label whole short answers beside model answers: correct, contradictory, or incorrect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.encoders.linear import learn
from graph.judging.entailment import Odds, PairReader
from graph.judging.offline.labels import ANSWER_LABELS, FEATURES, LABELS_FILE, LabelWeights, features
from rag import Embedder
from training.judge.out_of_fold import pairs_of
from training.judge.public_datasets import GradedAnswer

PENALTY = 3e-4


def row_of(answer: GradedAnswer, odds: Odds, embedder: Embedder) -> NDArray[np.floating[Any]]:
    """The features of a graded answer. `odds` are those of the answer beside each of its references."""
    vectors = embedder.embed([answer.answer, *answer.references])
    meaning = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
    return features(answer.answer, answer.references, question=answer.question, odds=odds, meaning=meaning)


def write(answers: Sequence[GradedAnswer], reader: PairReader, embedder: Embedder, folder: Path) -> None:
    """Learn from graded answers that the reader's encoder never saw, and store the weights."""
    read = [(answer, np.array([reading.odds for reading in reader.read(list(pairs_of(answer)))])) for answer in answers]
    rows = np.array([row_of(answer, odds, embedder) for answer, odds in read])
    wanted = [ANSWER_LABELS.index(answer.label) for answer, _ in read]
    learned = learn(rows, wanted, classes=len(ANSWER_LABELS), penalty=PENALTY)
    labels = [[round(float(value), 4) for value in row] for row in learned]
    weights = LabelWeights(features=FEATURES, labels=labels)
    (folder / LABELS_FILE.name).write_text(weights.model_dump_json(), encoding="utf-8")
