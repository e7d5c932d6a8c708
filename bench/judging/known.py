"""Answers whose truth is known without a label: what is read out of the packs.

The model answer makes every key point, the misconceptions make none, and the model answer of another question of the
same pack has nothing to do with the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.judging.data import question_of
from bench.judging.figures import Figure
from graph.judging import BuiltInJudge
from graph.judging.scoring import score
from rag import BankQuestion, load_packs

_EVERY = 4
"""One question in four: it is read out three times."""
_FURTHER = 7
"""The other question is so many places further in its pack."""


def figures(judge: BuiltInJudge) -> list[Figure]:
    """The mean overall score of each kind."""
    return [
        Figure(
            "overall score of model answers, read out", _mean(judge, lambda bank, _: bank.model_answer), goal="high"
        ),
        Figure("- of the misconceptions, read out", _mean(judge, lambda bank, _: _said(bank)), goal="low"),
        Figure("- of another question's model answer", _mean(judge, lambda _, other: other.model_answer), goal="low"),
    ]


def _mean(judge: BuiltInJudge, answer: Callable[[BankQuestion, BankQuestion], str]) -> float:
    overall = []
    for pack, bank, other in _questions():
        scores = score(judge.judge(question_of(pack, bank.id), answer(bank, other).split()))
        overall.append(scores.overall if scores else 0.0)
    return float(np.mean(overall))


def _questions() -> Iterator[tuple[str, BankQuestion, BankQuestion]]:
    """With its pack and the other question; stories have no answer that could be read out."""
    for pack in load_packs().values():
        for number, bank in enumerate(pack.questions):
            if number % _EVERY == 0 and not bank.parts:
                yield pack.id, bank, pack.questions[(number + _FURTHER) % len(pack.questions)]


def _said(bank: BankQuestion) -> str:
    return " ".join(f"{wrong.rstrip('.')}." for wrong in bank.misconceptions)
