"""Repetition: does a transcript go round in circles? Pure text, no model.

Whisper's decoder, given less silence after the words than it was trained with, sometimes says the same thing again
and again until it runs out of tokens. Two signs are enough: the text compresses too well (Whisper's own measure and
limit, Radford and others 2022, section 4.5), or its words repeat a block back to back.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

COMPRESSION_LIMIT = 2.4
"""A text that zlib makes shorter than this many times repeats itself (the limit of Whisper's reference decoder)."""

_WORD = re.compile(r"[\w']+")


def words_of(text: str) -> list[str]:
    """The words of `text` in lower case, without punctuation."""
    return _WORD.findall(text.lower())


def compression_ratio(text: str) -> float:
    """How many times shorter zlib makes `text`; 0 for an empty text."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0


def _turns_needed(block: int) -> int:
    """How often a block of so many words must come in a row to be a loop: people do say "no, no, no"."""
    return {1: 4, 2: 3}.get(block, 2)


def loop_start(words: Sequence[str]) -> int | None:
    """Where the words begin to repeat themselves up to their end: the index of the first repeated word, else None.

    A loop is a block of words that comes again back to back until the text ends, the last time perhaps cut short.
    """
    for block in range(1, len(words) // 2 + 1):
        start = len(words)
        while start > block and words[start - 1] == words[start - 1 - block]:
            start -= 1
        if len(words) - start >= block * (_turns_needed(block) - 1):
            return start
    return None


def repeats_itself(text: str) -> bool:
    """True if `text` looks like a decoder's loop rather than speech."""
    return compression_ratio(text) > COMPRESSION_LIMIT or loop_start(words_of(text)) is not None
