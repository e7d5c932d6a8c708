"""Judging: verdicts with the candidate's own words as proof, and scores that follow from them by rule."""

from graph.judging.builtin import BuiltInJudge
from graph.judging.llm_judge import ModelJudge
from graph.judging.panel import Bench, Judge
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
