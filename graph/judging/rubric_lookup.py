"""Rubric look-up for prompts: what an answer to a question is judged by; there is no other way to it."""

from __future__ import annotations

from collections.abc import Sequence

from domain.question import Question


def rubric_lookup(question: Question) -> dict[str, str]:
    """What an answer to a question is judged by, as prompts have it.

    Returns:
        question, points (numbered from 1), wrong (the misconceptions, numbered on, or "none").
    """
    points, wrong = question.targets.points, question.targets.misconceptions
    return {
        "question": question.text,
        "points": _numbered(points, 1),
        "wrong": _numbered(wrong, len(points) + 1) or "none",
    }


def _numbered(points: Sequence[str], first: int) -> str:
    return "\n".join(f"{number}. {point}" for number, point in enumerate(points, start=first))
