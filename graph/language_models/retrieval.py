"""Corrective retrieval's two questions to a model: does this fit, and how else could it be searched for?

Retrieval is shared by the interviews of a process, models belong to one interview. So whoever retrieves says for how
long its models may be asked, and outside of that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from graph.language_models.protocol import LanguageModels
from graph.language_models.tasks import QUERY_REFINER, RETRIEVAL_GRADER, QueryReply
from rag.grading import Grade, Wanted
from rag.packs import BankQuestion

_MOST_WORDS = 20

_asking: ContextVar[tuple[LanguageModels, int] | None] = ContextVar("models that retrieval may ask", default=None)


@contextmanager
def retrieval_may_ask(models: LanguageModels | None, turn: int) -> Iterator[None]:
    """Let retrieval ask these models while this lasts; with None it goes by rule."""
    token = _asking.set((models, turn) if models else None)
    try:
        yield
    finally:
        _asking.reset(token)


async def grade_by_model(query: str, wanted: Wanted, candidates: Sequence[BankQuestion]) -> Grade | None:
    """A model's grade of what scores leave open; None without a model (`rag.grading.GradeByModel`)."""
    asking = _asking.get()
    if asking is None:
        return None
    models, turn = asking
    values = {
        "query": query,
        "wanted": f"{wanted.topic or 'any topic'}, {wanted.difficulty or 'any difficulty'}",
        "found": "\n".join(f"- {each.text} ({each.topic}, {each.difficulty})" for each in candidates),
    }
    reply = await models.ask(RETRIEVAL_GRADER, values, turn=turn)
    return reply.grade if reply else None


async def rephrase(query: str, earlier: Sequence[str]) -> str | None:
    """A query in a model's other words; None without a model (`rag.refining.Rephrase`)."""
    asking = _asking.get()
    if asking is None:
        return None
    models, turn = asking

    def is_new(reply: QueryReply) -> str:
        words = reply.query.split()
        if not 0 < len(words) <= _MOST_WORDS:
            return f"it must have 1 to {_MOST_WORDS} words"
        return "it was searched for before" if reply.query.lower() in {each.lower() for each in earlier} else ""

    values = {"query": query, "earlier": "\n".join(f"- {each}" for each in earlier) or "- none"}
    reply = await models.ask(QUERY_REFINER, values, turn=turn, check=is_new)
    return reply.query if reply else None
