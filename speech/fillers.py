"""Fillers ("um", "uh"): kept for how an answer was delivered, never among the words that are judged. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from speech.repetition import words_of
from speech.word_times import HeardWord

FILLERS = frozenset("um umm ummm uh uhh uhm uhum er err erm ehm hm hmm hmmm mm mmm".split())
"""As Whisper writes them. It leaves out most; "mhm" and "uh-huh" are answers."""


def is_filler(word: HeardWord) -> bool:
    """True for a sound that says nothing."""
    parts = words_of(word.text)
    return bool(parts) and all(part in FILLERS for part in parts)


def without_fillers(words: Sequence[HeardWord]) -> tuple[HeardWord, ...]:
    """The words that say something."""
    return tuple(word for word in words if not is_filler(word))


def fillers_in(words: Sequence[HeardWord]) -> tuple[HeardWord, ...]:
    """The others."""
    return tuple(word for word in words if is_filler(word))
