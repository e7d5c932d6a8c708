"""What Viva's judge is measured against: the cosine of MiniLM, and the words in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bench.judging.data import SpokenAnswer
from bench.judging.stretches import most_words, nearest_meaning
from domain.question import Question
from domain.vocabulary import VerdictStatus
from rag import Embedder

Which = Literal["similarity", "overlap"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a baseline's number becomes a verdict. Fitted on what it is measured on: its best."""

    covered: float
    partly: float


def numbers(which: Which, question: Question, words: Sequence[str], embedder: Embedder) -> list[float]:
    """For each key point the best of all stretches of an answer, 0 to 1."""
    points = question.targets.points
    if which == "similarity":
        return nearest_meaning(points, words, embedder)
    return most_words(points, words, question.text)


def verdicts(which: Which, answers: Sequence[SpokenAnswer], embedder: Embedder) -> list[VerdictStatus]:
    """What a baseline says of every key point of these answers, in their order, with the limits that suit it best."""
    values = [value for answer in answers for value in numbers(which, answer.question, answer.words, embedder)]
    limits = fitted(values, [label for answer in answers for label in answer.labels])
    return [verdict(value, limits) for value in values]


def fitted(values: Sequence[float], labels: Sequence[VerdictStatus]) -> Limits:
    """The limits with the most right verdicts."""
    given, wanted = np.array(values), np.array(labels)
    grid = np.quantile(given, np.linspace(0, 1, 41))

    def right(limits: Limits) -> int:
        return int((np.array([verdict(value, limits) for value in given]) == wanted).sum())

    every = [Limits(float(high), float(low)) for high in grid for low in grid if low <= high]
    return max(every, key=right)


def verdict(value: float, limits: Limits) -> VerdictStatus:
    """A baseline knows no contradiction."""
    if value >= limits.covered:
        return "covered"
    return "partly" if value >= limits.partly else "missing"
