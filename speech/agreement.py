"""Which words of an answer that goes on are settled: those that two successive decodes agree on. Pure functions.

Whisper changes its mind about the last words while more sound comes in. LocalAgreement-2 (Liu and others 2020; for
Whisper: Macháček and others 2023, "Turning Whisper into a real-time transcription system") takes a word for settled
when two decodes in a row say it at the same place of their text, with nothing that they do not agree on before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from speech.repetition import words_of
from speech.word_times import HeardWord


def agreed(older: Sequence[HeardWord], newer: Sequence[HeardWord]) -> int:
    """How many words at the beginning are the same in both, whatever their case and punctuation."""
    count = 0
    for one, other in zip(older, newer, strict=False):
        if _spoken(one) != _spoken(other):
            break
        count += 1
    return count


def _spoken(word: HeardWord) -> str:
    return "".join(words_of(word.text)) or word.text
