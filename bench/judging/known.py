"""Answers whose truth is known without a label: what is read out of the packs.

The model answer makes every key point, however badly it is said, the misconceptions make none, and the model answer of
another question of the same pack has nothing to do with the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.judging import robustness
from bench.judging.data import question_of
from bench.judging.figures import Figure
from graph.judging import BuiltInJudge
from graph.judging.scoring import score
from rag import BankQuestion, load_packs

_EVERY = 4
"""One question in four: it is read out four times."""
_FURTHER = 7
"""The other question is so many places further in its pack."""
_NEAR = 1.0
"""Points of the overall score that how badly something is said may cost."""


def figures(judge: BuiltInJudge) -> list[Figure]:
    """The overall scores of each kind."""
    read_out = _overall(judge, lambda bank, _: bank.model_answer)
    badly = _overall(judge, lambda bank, _: " ".join(robustness.said_badly(bank.model_answer.split())))
    within = np.abs(np.array(read_out) - np.array(badly)) <= _NEAR
    wrong = _overall(judge, lambda bank, _: _said(bank))
    others = _overall(judge, lambda _, other: other.model_answer)
    return [
        Figure(f"overall score of {len(read_out)} model answers, read out", float(np.mean(read_out)), goal="≥ 9"),
        Figure("- said badly", float(np.mean(badly))),
        Figure("- said badly: share within one point", float(within.mean()), goal="high"),
        Figure("- of the misconceptions, read out", float(np.mean(wrong)), goal="low"),
        Figure("- of another question's model answer", float(np.mean(others)), goal="≤ 1.5"),
    ]


def _overall(judge: BuiltInJudge, answer: Callable[[BankQuestion, BankQuestion], str]) -> list[float]:
    overall = []
    for pack, bank, other in _questions():
        scores = score(judge.judge(question_of(pack, bank.id), answer(bank, other).split()))
        overall.append(scores.overall if scores else 0.0)
    return overall


def _questions() -> Iterator[tuple[str, BankQuestion, BankQuestion]]:
    """With its pack and the other question; stories have no answer that could be read out."""
    for pack in load_packs().values():
        for number, bank in enumerate(pack.questions):
            if number % _EVERY == 0 and not bank.parts:
                yield pack.id, bank, pack.questions[(number + _FURTHER) % len(pack.questions)]


def _said(bank: BankQuestion) -> str:
    return " ".join(f"{wrong.rstrip('.')}." for wrong in bank.misconceptions)
