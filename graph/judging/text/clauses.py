"""Clauses of a spoken answer, each with its place in the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph.judging.quote_matching import plain

CONNECTIVES = frozenset(
    {"because", "but", "so", "whereas", "while", "which", "then", "and", "or", "however", "although"}
)
_MIN_WORDS = 4
_MAX_WORDS = 24


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of an answer that says one thing, or close to it."""

    text: str
    first_word: int
    last_word: int
    """Inclusive."""


def split(words: Sequence[str]) -> list[Clause]:
    """Clauses of an answer, in order, covering every word once.

    A clause ends at punctuation or before a connective, once it has four words; and after 24 words in any case,
    since a recogniser may give no punctuation at all.
    """
    clauses: list[Clause] = []
    first = 0
    for index, word in enumerate(words):
        length = index - first + 1
        following = plain(words[index + 1]) if index + 1 < len(words) else ""
        ends = word[-1:] in ".?!;:," or following in CONNECTIVES
        if (ends and length >= _MIN_WORDS) or length >= _MAX_WORDS:
            clauses.append(_clause(words, first, index))
            first = index + 1
    if first < len(words):
        clauses.append(_clause(words, first, len(words) - 1))
    return clauses


def windows(clauses: Sequence[Clause], words: Sequence[str], widest: int = 3) -> list[Clause]:
    """Every run of one to `widest` neighbouring clauses: a point is often made over more than one."""
    return [
        _clause(words, clauses[start].first_word, clauses[start + size - 1].last_word)
        for size in range(1, widest + 1)
        for start in range(len(clauses) - size + 1)
    ]


def _clause(words: Sequence[str], first: int, last: int) -> Clause:
    return Clause(text=" ".join(words[first : last + 1]), first_word=first, last_word=last)
