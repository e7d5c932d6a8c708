"""Judging: verdicts with the candidate's own words as proof, and scores that follow from them by rule."""

from graph.judging.builtin import BuiltInJudge
from graph.judging.llm_judge import ModelJudge
from graph.judging.panel import Judge, JudgePanel

__all__ = [
    "BuiltInJudge",
    "Judge",
    "JudgePanel",
    "ModelJudge",
]
