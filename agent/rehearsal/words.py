"""Words compared: what was said against what was recognised, and the figures of a rehearsal's table."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_WORD = re.compile(r"[a-z0-9]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NUMBER_NAMES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
_NUMBERS = {name: str(value) for value, name in enumerate(_NUMBER_NAMES.split())}


def words_of(text: str) -> list[str]:
    """Words in lower case without punctuation; numbers up to twenty as digits, because a recogniser chooses freely."""
    plain = text.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return [_NUMBERS.get(word, word) for word in _WORD.findall(plain)]


def sentences_of(text: str) -> list[str]:
    """Sentences of a text, each with the mark that ends it."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := " ".join(part.split()))]


def word_errors(said: Sequence[str], recognised: Sequence[str]) -> int:
    """Fewest words to replace, add or drop to turn one into the other (Levenshtein distance over words)."""
    row = list(range(len(recognised) + 1))
    for i, word in enumerate(said, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(recognised, start=1):
            substituted = diagonal + (word != other)
            diagonal = row[j]
            row[j] = min(substituted, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def word_accuracy(said: str, recognised: str) -> float | None:
    """One minus the word error rate, not below 0; None when nothing was said."""
    expected = words_of(said)
    if not expected:
        return None
    return max(0.0, 1 - word_errors(expected, words_of(recognised)) / len(expected))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that `share` (0 to 1) of all values do not exceed (nearest rank); None without values."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
