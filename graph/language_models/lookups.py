"""Lookups for prompts: what a question is judged by, and what is behind an idea; there is no other way to either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from domain.question import Question
from rag.packs.pack import Concept

if TYPE_CHECKING:
    from graph.context import InterviewContext
    from graph.state import InterviewState


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


async def concept_lookup(name: str, state: InterviewState, context: InterviewContext) -> Concept | None:
    """What the pack of an interview knows about an idea; None when it does not know it.

    Args:
        name: its id, its spoken name, or what means nearly the same.
        state: of the interview.
        context: of the interview.
    """
    return await context.questions.concept(state["interview_id"], context.pack.id, name)


def _numbered(points: Sequence[str], first: int) -> str:
    return "\n".join(f"{number}. {point}" for number, point in enumerate(points, start=first))
