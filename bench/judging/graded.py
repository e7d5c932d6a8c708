"""Answers that people graded: Beetle and SciEntsBank by label, the networks set by the tutors' points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.judging.figures import Figure, accuracy, macro_f1
from graph.encoders.linear import learn
from graph.judging.entailment import Odds
from graph.judging.offline.labels import ANSWER_LABELS, FEATURES
from rag import Embedder
from training.judge.answer_labels import PENALTY, row_of
from training.judge.examples import FOLDS, fold_of_question
from training.judge.out_of_fold import of_answer
from training.judge.public_datasets import graded_answers

_GOALS = {"beetle": "≥ 0.60", "sciEntsBank": "≥ 0.68"}
_COLUMNS: Mapping[str, Sequence[str]] = {
    "viva": FEATURES,
    "similarity": ("meaning", "meaning squared"),
    "overlap": ("words",),
}

Matrix = NDArray[np.floating]


def labelled(folder: Path, kept: Mapping[int, Odds], embedder: Embedder) -> list[Figure]:
    """Three-way labels, five folds by question: what is learned of a set was learned on its other questions."""
    read = [(answer, odds) for answer in graded_answers(folder) if (odds := of_answer(answer, kept)) is not None]
    answers = [answer for answer, _ in read]
    rows = np.array([row_of(answer, odds, embedder) for answer, odds in read])
    wanted = np.array([ANSWER_LABELS.index(answer.label) for answer in answers])
    folds = np.array([fold_of_question(answer.question_id) for answer in answers])
    sets = np.array([answer.set_name for answer in answers])
    figures = []
    for name, goal in _GOALS.items():
        inside = sets == name
        got = {who: _predicted(rows[inside], wanted[inside], folds[inside], who) for who in _COLUMNS}
        right = {who: accuracy(wanted[inside], labels) for who, labels in got.items()}
        balanced = {who: macro_f1(wanted[inside], labels, range(len(ANSWER_LABELS))) for who, labels in got.items()}
        figures += [
            Figure(f"{name}, {inside.sum()} answers, by question: accuracy", **right, goal=goal),
            Figure("- macro F1", **balanced),
        ]
    return figures


def _predicted(rows: Matrix, wanted: NDArray[np.int_], folds: NDArray[np.int_], who: str) -> NDArray[np.int_]:
    columns = rows[:, [FEATURES.index(name) for name in _COLUMNS[who]]]
    got = np.zeros(len(wanted), int)
    for fold in range(FOLDS):
        out = folds == fold
        if out.any() and not out.all():
            weights = learn(columns[~out], wanted[~out].tolist(), classes=len(ANSWER_LABELS), penalty=PENALTY)
            got[out] = (columns[out] @ weights[:-1] + weights[-1]).argmax(axis=1)
    return got
