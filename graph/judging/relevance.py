"""Relevance: whether an answer is about what was asked at all, by what its words mean.

The encoder reads an answer beside one point at a time. Beside an answer to another question of the same field it finds
something of a point here and there; that none of it comes near any of the points, only all of them together show.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.question import Question
from graph.judging.text import clauses
from rag.embedding.embedder import Embedder

_SECTION = 30
"""Words: what an embedder makes of a whole speech is near everything, of a clause near nothing."""
_LEAST = 10
"""Words of the last section; fewer belong to the one before."""


def relevance(question: Question, words: Sequence[str], embedder: Embedder) -> float:
    """How near an answer comes to the key points, from about 0 to 1: the mean of how near it comes to each.

    That is the highest cosine of any section of the answer, whole clauses of about 30 words, and the point.

    Args:
        question: with one key point or more.
        words: the answer, one word or more.
        embedder: for sections and points.
    """
    nearness = embedder.embed(sections(words)) @ embedder.embed(question.targets.points).T
    return float(nearness.max(axis=0).mean())


def sections(words: Sequence[str]) -> list[str]:
    """An answer in whole clauses of about 30 words."""
    whole: list[list[str]] = []
    section: list[str] = []
    for clause in clauses.split(words):
        section += words[clause.first_word : clause.last_word + 1]
        if len(section) >= _SECTION:
            whole.append(section)
            section = []
    if section and whole and len(section) < _LEAST:
        whole[-1] += section
    elif section:
        whole.append(section)
    return [" ".join(each) for each in whole]
