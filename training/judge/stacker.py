"""Stacker: learns what to make of a reading, from whole answers to questions that the encoder never saw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.question import Question
from graph.encoders.linear import learn
from graph.judging.builtin import BuiltInJudge
from graph.judging.entailment import PairReader
from graph.judging.non_claims import Tagger
from graph.judging.stacking import FEATURES, STACKING_FILE, STATUSES, Stacker, Weights
from training.judge.synthetic_answers import Composed

_PENALTY = 1e-3
_STRAY = 8
"""One answer in eight is read beside another question, too."""
NOT_YET = Stacker(Weights(features=FEATURES, verdicts=[], misconceptions=[]))
"""The judge reads without it; it is what is to be learned."""


@dataclass(slots=True)
class Rows:
    """Features with what they should give."""

    features: list[NDArray[np.floating[Any]]] = field(default_factory=list)
    wanted: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Lessons:
    """What the linear models learn from."""

    verdicts: Rows = field(default_factory=Rows)
    misconceptions: Rows = field(default_factory=Rows)


def collect(reader: PairReader, tagger: Tagger, answers: Iterable[tuple[Composed, Question]], lessons: Lessons) -> None:
    """Add the features of answers that the reader's encoder never saw; some of them beside another question as well.

    Whoever answers another question than the one that was asked makes none of its points, however well they speak.

    Args:
        reader: with the encoder.
        tagger: of words that claim nothing.
        answers: to questions it never saw, each with its question.
        lessons: are added to.
    """
    judge, asked = BuiltInJudge(reader, NOT_YET, tagger), list(answers)
    for answer, question in asked[::_STRAY]:
        others = [other for of, other in asked if of.pack == answer.pack and other.id != question.id]
        if others:
            points = judge.read(others[0], answer.words)[: len(others[0].targets.points)]
            lessons.verdicts.features += [read.features for read in points]
            lessons.verdicts.wanted += [STATUSES.index("missing")] * len(points)
    for answer, question in asked:
        count = len(question.targets.points)
        for place, read in enumerate(judge.read(question, answer.words)):
            number = str(place + 1) if place < count else f"m{place - count + 1}"
            if status := answer.points.get(number):
                lessons.verdicts.features.append(read.features)
                lessons.verdicts.wanted.append(STATUSES.index(status))
            elif number in answer.stated:
                lessons.misconceptions.features.append(read.features)
                lessons.misconceptions.wanted.append(int(answer.stated[number]))


def write(lessons: Lessons, folder: Path) -> None:
    """Learn both linear models and store them beside the encoder's weights."""
    weights = Weights(
        features=FEATURES,
        verdicts=_learned(lessons.verdicts, len(STATUSES)),
        misconceptions=_learned(lessons.misconceptions, 2),
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STACKING_FILE.name).write_text(weights.model_dump_json(), encoding="utf-8")


def _learned(rows: Rows, classes: int) -> list[list[float]]:
    weights = learn(np.array(rows.features), rows.wanted, classes=classes, penalty=_PENALTY)
    return [[round(float(value), 4) for value in row] for row in weights]
