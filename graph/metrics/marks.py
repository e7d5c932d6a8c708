"""Marks: the words of an answer by which it shows its reasoning and its order, from `marks.yaml`.

Words are compared one by one, so that the time grows with the length of an answer and no faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import get_args

import yaml

from domain.metrics import Mark
from domain.vocabulary import Sign
from graph.judging.text import clauses
from graph.judging.text.stems import plain

_FILE = Path(__file__).parent / "marks.yaml"
_OPENING_WORDS = 3
"""An answer begins with "so" or "say" out of habit: these words mark nothing."""

_ASIDE = "aside"

Phrase = tuple[str, ...]


@cache
def phrases() -> Mapping[str, frozenset[Phrase]]:
    """The phrases of each sign as plain words, and those that are set aside.

    Raises:
        ValueError: the file has another form.
    """
    read = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    signs = (*get_args(Sign), _ASIDE)
    if (
        not isinstance(read, dict)
        or set(read) != set(signs)
        or not all(isinstance(each, str) for each in read.values())
    ):
        raise ValueError(f"{_FILE.name} must have a line of phrases for each of: {', '.join(signs)}.")
    return {sign: frozenset(tuple(phrase.split()) for phrase in read[sign].split(", ")) for sign in signs}


@cache
def _longest() -> int:
    return max(len(phrase) for each in phrases().values() for phrase in each)


def find_marks(words: Sequence[str]) -> tuple[Mark, ...]:
    """The marks of an answer, in order: at most one of each sign in a clause, whose words it quotes."""
    said = _without_asides([plain(word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")) for word in words])
    return tuple(
        Mark(sign=sign, text=clause.text, first_word=clause.first_word, last_word=clause.last_word)
        for clause in clauses.split(words)
        for sign in get_args(Sign)
        if _is_marked(said, clause, phrases()[sign])
    )


def _without_asides(said: list[str]) -> list[str]:
    """The words, with nothing in the place of those that are set aside."""
    kept = list(said)
    for start in range(len(said)):
        for length in range(2, _longest() + 1):
            if tuple(said[start : start + length]) in phrases()[_ASIDE]:
                kept[start : start + length] = [""] * len(said[start : start + length])
    return kept


def _is_marked(said: Sequence[str], clause: clauses.Clause, known: frozenset[Phrase]) -> bool:
    return any(
        tuple(said[start : start + length]) in known
        for start in range(max(clause.first_word, _OPENING_WORDS), clause.last_word + 1)
        for length in range(1, _longest() + 1)
    )
