"""Stacker: learns what to make of a reading, from whole answers to questions that the encoder never saw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
RATES = {"covered": 0.55, "partly": 0.16, "missing": 0.255, "contradicted": 0.035}
"""How often real candidates do what about a key point: an assumption. Whoever prepares for an interview leaves things
out, and seldom says what is wrong; in the answers that are learned from one point in five is contradicted, so that
there is enough to learn from."""
STATED_RATE = 0.05
"""How often they state a misconception: as often as in the answers of people who know two thirds that are no twins."""
_HALFWAY = 0.5
"""Power of how much oftener something is than in what is learned from: halfway between the two, so that whoever knows
half of it is still judged."""
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


def collect(
    reader: PairReader,
    tagger: Tagger,
    answers: Iterable[tuple[Composed, Question]],
    lessons: Lessons,
    *,
    of_points: bool = True,
) -> None:
    """Add the features of answers that the reader's encoder never saw; some of them beside another question as well.

    Whoever answers another question than the one that was asked makes none of its points, however well they speak.

    Args:
        reader: with the encoder.
        tagger: of words that claim nothing.
        answers: to questions it never saw, each with its question.
        lessons: are added to.
        of_points: False: of the misconceptions alone.
    """
    judge, asked = BuiltInJudge(reader, NOT_YET, tagger), list(answers)
    for answer, question in asked[::_STRAY] if of_points else ():
        others = [other for of, other in asked if of.pack == answer.pack and other.id != question.id]
        if others:
            points = judge.read(others[0], answer.words)[: len(others[0].targets.points)]
            lessons.verdicts.features += [read.features for read in points]
            lessons.verdicts.wanted += [STATUSES.index("missing")] * len(points)
    for answer, question in asked:
        count = len(question.targets.points)
        for place, read in enumerate(judge.read(question, answer.words)):
            number = str(place + 1) if place < count else f"m{place - count + 1}"
            if (status := answer.points.get(number)) and of_points:
                lessons.verdicts.features.append(read.features)
                lessons.verdicts.wanted.append(STATUSES.index(status))
            elif number in answer.stated:
                lessons.misconceptions.features.append(read.features)
                lessons.misconceptions.wanted.append(int(answer.stated[number]))


def write(lessons: Lessons, folder: Path) -> None:
    """Learn both linear models and store them beside the encoder's weights."""
    weights = Weights(
        features=FEATURES,
        verdicts=_learned(lessons.verdicts, [RATES[status] for status in STATUSES]),
        misconceptions=_learned(lessons.misconceptions, [1 - STATED_RATE, STATED_RATE]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STACKING_FILE.name).write_text(weights.model_dump_json(), encoding="utf-8")


def _learned(rows: Rows, rates: Sequence[float]) -> list[list[float]]:
    classes = len(rates)
    counts = importance(rows.wanted, rates)
    weights = learn(np.array(rows.features), rows.wanted, classes=classes, penalty=_PENALTY, weights=counts)
    return [[round(float(value), 4) for value in row] for row in weights]


def importance(wanted: Sequence[int], rates: Sequence[float]) -> list[float]:
    """How much each example counts, so that probabilities hold for a world in which classes are as often as in `rates`.

    Rates differ and what a class looks like does not (label shift; Saerens and others 2002, "Adjusting the outputs of a
    classifier to new a priori probabilities"). The step is made halfway.

    Args:
        wanted: the class of each example, each class at least once.
        rates: how often each class is met.
    """
    shares = np.bincount(wanted, minlength=len(rates)) / len(wanted)
    return [float((rates[each] / shares[each]) ** _HALFWAY) for each in wanted]
