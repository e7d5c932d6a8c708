"""Fillers ("um", "uh"): kept for how an answer was delivered, never among the words that are judged.

Whisper leaves them out unless the text before has some. Measured with base on 16 sentences with a synthetic filler in a
short pause, and 4 without: told nothing it writes none of the 16, and mistakes 8 for words ("arm", "I'm on"); told of a
text with fillers it writes 10, and 5 of them are words ("I'm on", "on"); neither hears any where there is none. Voice
that belongs to no word finds one at most, and more ends of words than fillers. So a count of them is a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from domain.vocabulary import FILLERS
from speech.stt.repetition import words_of
from speech.stt.word_times import HeardWord

_PROMPTS = Path(__file__).parent / "prompts"


@lru_cache
def filler_prompt(language: str) -> str:
    """A text with fillers, for Whisper to take as the text before; empty for a language without one."""
    path = _PROMPTS / f"{language}.md"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


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
