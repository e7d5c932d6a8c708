"""Judging: verdicts with the candidate's own words as proof, and scores that follow from them by rule."""

from graph.judging.builtin import BuiltInJudge
from graph.judging.judge import Bench, Judge
from graph.judging.model import ModelJudge
from graph.judging.verdicts import Counts, Evaluation, Quote, Scores, Verdict

__all__ = [
    "Bench",
    "BuiltInJudge",
    "Counts",
    "Evaluation",
    "Judge",
    "ModelJudge",
    "Quote",
    "Scores",
    "Verdict",
]
