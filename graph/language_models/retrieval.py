"""Retrieval helpers: models grade what scores leave open, and word a poor search anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from domain.vocabulary import Grade
from graph.context import InterviewContext
from graph.language_models.tasks import QUERY_REFINER, RETRIEVAL_GRADER, QueryReply
from graph.validators import Check, first_fault
from rag.packs.pack import BankQuestion
from rag.retrieval.grading import WantedQuestion
from rag.retrieval.graph import Helpers


def helpers(context: InterviewContext, turn: int) -> Helpers:
    """What the interview's models can do for a search; nothing when there are none."""
    if context.models is None:
        return Helpers()

    async def rephrase(query: str, earlier: Sequence[str]) -> str | None:
        values = {"query": query, "earlier": "\n".join(f"- {each}" for each in earlier)}
        check = partial(first_fault, query_checks(earlier))
        reply = await context.ask(QUERY_REFINER, values, turn=turn, check=check)
        return reply.query if reply else None

    async def grade(query: str, wanted: WantedQuestion, found: Sequence[BankQuestion]) -> Grade | None:
        topic = context.topic_title(wanted.topic) if wanted.topic else "any topic"
        values = {
            "query": query,
            "wanted": f"{topic}, {wanted.difficulty or 'any difficulty'}",
            "found": "\n".join(f"- {each.text} ({each.topic}, {each.difficulty})" for each in found),
        }
        reply = await context.ask(RETRIEVAL_GRADER, values, turn=turn)
        return reply.grade if reply else None

    return Helpers(rephrase=rephrase, grade_by_model=grade)


def query_checks(earlier: Sequence[str]) -> tuple[Check[QueryReply], ...]:
    """The gate of a reworded search.

    Args:
        earlier: what was searched for before.
    """
    known = {each.lower() for each in earlier}

    def is_new(reply: QueryReply) -> str:
        return "these words were searched for already" if reply.query.lower() in known else ""

    return (Check("new words", is_new),)
