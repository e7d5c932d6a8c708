"""Stems: the words of a sentence that carry its meaning, for comparing what was said with what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

_FUNCTION_WORDS = frozenset(
    "a about after all also an and any are as at be because been before being but by can could did do does doing each "
    "even every for from get gets give gives had has have having he her here him his how i if in into is it its just "
    "kind let like lot make makes many may maybe me might more most much must my of on one only or other our out over "
    "own really same she should so some something sort such than that the their them then there these they thing "
    "things this those through to too um uh use used uses using very want was way we well were what when where which "
    "while who why will with would you your".split()
)
_NEGATIONS = frozenset("no not never none nothing without cannot neither nor hardly rarely".split())
_NOT_A_WORD = re.compile(r"[^\w']+")


@lru_cache(maxsize=10_000)
def plain(word: str) -> str:
    """A word without case and punctuation, for comparing."""
    return _NOT_A_WORD.sub("", word.lower())


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of a text that are not mere grammar."""
    words = {plain(word) for word in text.replace("-", " ").split()}
    return frozenset(_stem(word) for word in words if word and word not in _FUNCTION_WORDS)


def overlap(wanted: frozenset[str], said: frozenset[str]) -> float:
    """Share of the wanted stems that were said, 0 to 1."""
    return len(wanted & said) / len(wanted) if wanted else 0.0


def negations(words: Iterable[str]) -> int:
    """How many words turn the meaning round ("not", "never", "don't")."""
    return sum((word := plain(each)) in _NEGATIONS or word.endswith("n't") for each in words)


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    # One of its own for each word: a stemmer keeps the word in itself, and threads stem at the same time.
    return str(snowballstemmer.stemmer("english").stemWord(word))
