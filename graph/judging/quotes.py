"""Finding words in a transcript: a quote that was not said proves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from graph.judging.verdicts import Quote
from graph.judging.words import plain

__all__ = ["locate", "plain"]

_MIN_MATCH = 0.8
"""Share of a quote's words that must be found, in order and close together: room for the recogniser's spelling."""


def locate(quote: str, words: Sequence[str]) -> Quote | None:
    """The place of a quote in an answer, or None when it was not said.

    Args:
        quote: what somebody claims was said. Case, punctuation and a few misheard words do not matter.
        words: the answer, word by word, as recognised.
    """
    wanted = [plain(word) for word in quote.split() if plain(word)]
    said = [plain(word) for word in words]
    if not wanted:
        return None
    blocks = SequenceMatcher(a=wanted, b=said, autojunk=False).get_matching_blocks()
    found = [block for block in blocks if block.size]
    if not found:
        return None
    first, last = found[0].b, found[-1].b + found[-1].size - 1
    matched = sum(block.size for block in found)
    stretch = last - first + 1
    if matched / len(wanted) < _MIN_MATCH or matched / stretch < _MIN_MATCH:
        return None
    return Quote(text=" ".join(words[first : last + 1]), first_word=first, last_word=last)
