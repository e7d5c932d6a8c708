"""Concept look-up for prompts: what the pack of an interview explains of an idea; there is no other way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.packs.pack import Concept

if TYPE_CHECKING:
    from graph.context import InterviewContext
    from graph.state import InterviewState


async def concept_lookup(name: str, state: InterviewState, context: InterviewContext) -> Concept | None:
    """What the pack of an interview knows about an idea; None when it does not know it.

    Args:
        name: its id, its spoken name, or what means nearly the same.
        state: of the interview.
        context: of the interview.
    """
    return await context.questions.concept(state["interview_id"], context.pack.id, name)
