"""Learning what to make of the evidence: from composed answers, read by encoders that never saw their pack."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.encoders.linear import learn
from graph.judging.builtin import BuiltInJudge
from graph.judging.learning.compositions import Composed, compose
from graph.judging.learning.examples import fold_of_pack
from graph.judging.learning.own_pairs import Pair
from graph.judging.reading import EncoderReader
from graph.judging.stacking import FEATURES, STATUSES, Stacker, Weights, features
from graph.questions import Question, from_bank
from rag import Embedder, load_packs

_EACH_QUESTION = 4
"""Composed answers."""
_SEED = 5
_PENALTY = 1e-3
_NOT_YET = Stacker(Weights(features=FEATURES, verdicts=[], misconceptions=[]))
"""The judge reads evidence without it; it is what is to be learned."""


@dataclass(slots=True)
class Rows:
    """Features with what they should give."""

    features: list[NDArray[np.floating[Any]]]
    wanted: list[int]


def write(folders: Sequence[Path], pairs: Sequence[Pair], embedder: Embedder, out: Path) -> None:
    """Learn both linear models and store them.

    Args:
        folders: of the encoders, one for each fold.
        pairs: Viva's own.
        embedder: finds evidence.
        out: the file.
    """
    verdicts, misconceptions = Rows([], []), Rows([], [])
    packs = sorted({pair.pack for pair in pairs})
    for fold, folder in enumerate(folders):
        judge = BuiltInJudge(embedder, EncoderReader(folder), _NOT_YET)
        held_out = [pair for pair in pairs if fold_of_pack(pair.pack, packs) == fold]
        collect(judge, held_out, verdicts, misconceptions)
    weights = Weights(
        features=FEATURES,
        verdicts=_learned(verdicts, len(STATUSES)),
        misconceptions=_learned(misconceptions, 2),
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(weights.model_dump_json(), encoding="utf-8")


def collect(judge: BuiltInJudge, pairs: Sequence[Pair], verdicts: Rows, misconceptions: Rows) -> None:
    """Add the features of composed answers to the questions that these pairs belong to."""
    choice = random.Random(_SEED)  # noqa: S311 - variety, not a secret
    by_question: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_question[pair.pack, pair.question_id].append(pair)
    packs = load_packs()
    for (pack, question_id), of_question in by_question.items():
        bank = next(each for each in packs[pack].questions if each.id == question_id)
        question = from_bank(bank, topic_title="", concepts=(), grade="high", attempts=1)
        for _ in range(_EACH_QUESTION):
            _add(judge, question, compose(of_question, choice), verdicts, misconceptions)


def _add(judge: BuiltInJudge, question: Question, answer: Composed, verdicts: Rows, misconceptions: Rows) -> None:
    count = len(question.targets.points)
    for place, read in enumerate(judge.read(question, answer.words)):
        if not read.evidence:
            continue
        row = features(read.point, read.evidence, read.odds)
        number = str(place + 1) if place < count else f"m{place - count + 1}"
        if status := answer.points.get(number):
            verdicts.features.append(row)
            verdicts.wanted.append(STATUSES.index(status))
        elif number in answer.stated:
            misconceptions.features.append(row)
            misconceptions.wanted.append(int(answer.stated[number]))


def _learned(rows: Rows, classes: int) -> list[list[float]]:
    weights = learn(np.array(rows.features), rows.wanted, classes=classes, penalty=_PENALTY)
    return [[round(float(value), 4) for value in row] for row in weights]
