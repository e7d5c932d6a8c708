"""Query rewriting: other words for a search that found nothing good.

Strategies take turns: a model's rephrasing (only when one is given), topic pivot, simplify, forced. Each proposes a
query from what is still to be asked; the first proposal is taken whose cosine to every earlier query is 0.85 or less,
because the same words again find the same questions again.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rag.embedding.embedder import Embedder
from rag.packs.pack import BankQuestion

Strategy = Literal["llm-refine", "topic-pivot", "simplify", "forced"]
STRATEGIES: tuple[Strategy, ...] = ("llm-refine", "topic-pivot", "simplify", "forced")

TOO_SIMILAR = 0.85
"""Cosine to an earlier query from which on a query is no new one."""

_PIVOT_CONCEPTS = 3
_JOINING_WORDS = re.compile(r"\b(?:and|or|of|in|on|for|with|from|to|the|a|an)\b|[,;:()]", re.IGNORECASE)

Rephrase = Callable[[str, Sequence[str]], Awaitable[str | None]]
"""A model that words a query anew: it gets the query and all earlier ones. None when the model cannot be used."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a refinement can draw on."""

    query: str
    """The query that was graded low."""
    earlier: Sequence[str]
    """All queries so far, the last one included."""
    topic_title: str
    rejected: Sequence[BankQuestion]
    """What the earlier queries found."""
    of_topic: Sequence[BankQuestion]
    """Questions of the wanted topic that were not asked."""
    of_pack: Sequence[BankQuestion]
    """Questions of the pack that were not asked."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A query in other words, and the strategy it came from."""

    query: str
    strategy: Strategy


async def refine(situation: Situation, embedder: Embedder, attempt: int, rephrase: Rephrase | None) -> Refined | None:
    """The first new query, beginning with the strategy whose turn it is (`attempt` counts from 0); None if there is no.

    The embedder works in a thread.
    """
    available = [name for name in STRATEGIES if name != "llm-refine" or rephrase is not None]
    turn = attempt % len(available)
    for strategy in [*available[turn:], *available[:turn]]:
        if strategy == "llm-refine" and rephrase is not None:
            proposals: Iterable[str | None] = [await rephrase(situation.query, situation.earlier)]
        else:
            proposals = propose(strategy, situation)
        if query := await asyncio.to_thread(_first_new, proposals, situation.earlier, embedder):
            return Refined(query, strategy)
    return None


def propose(strategy: Strategy, situation: Situation) -> list[str]:
    """Queries in the spirit of a strategy that needs no model, best first.

    - topic-pivot: ideas of the wanted topic that the rejected questions are not about;
    - simplify: the topic's title alone, then its parts;
    - forced: any idea of the pack that is still to be asked, the most frequent first.
    """
    if strategy == "topic-pivot":
        seen = {concept for question in situation.rejected for concept in question.concepts}
        fresh = [concept for concept in _concepts(situation.of_topic) if concept not in seen]
        return [", ".join(map(_words, fresh[:_PIVOT_CONCEPTS]))] if fresh else []
    if strategy == "simplify":
        title = situation.topic_title
        return [title, *(part.strip() for part in _JOINING_WORDS.split(title) if part.strip())]
    return [_words(concept) for concept in _concepts(situation.of_pack)]


def _first_new(proposals: Iterable[str | None], earlier: Sequence[str], embedder: Embedder) -> str | None:
    before = embedder.embed(earlier)
    for query in proposals:
        if query and query.strip() and float(np.max(before @ embedder.embed([query])[0])) <= TOO_SIMILAR:
            return query
    return None


def _concepts(questions: Sequence[BankQuestion]) -> list[str]:
    counts = Counter(concept for question in questions for concept in question.concepts)
    return [concept for concept, _ in counts.most_common()]


def _words(slug: str) -> str:
    return slug.replace("-", " ")
