"""Alignment: when each word of a synthesised text is heard, by the durations of its phonemes. Pure functions.

A voice says how long each phoneme lasts, but not which word it belongs to: espeak-ng joins words ("of the" is one) and
makes several of one ("105", "camelCase"). So each word is also phonemised by itself, and the phonemes of all words in
a row are matched with those of the text; what differs (a vowel that is weak in the sentence) lies between matches.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Marks = tuple[tuple[int, float], ...]
"""Places of a text (in characters) and the seconds at which they are heard, both rising: where each word begins and
where it ends."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Phoneme:
    """A phoneme, or a sign that the phonemiser keeps (a blank, a comma), and how long it lasts."""

    sign: str
    seconds: float


def is_sound(sign: str) -> bool:
    """True for what has a sound of its own: no stress mark, no length mark, no blank, no pause."""
    return unicodedata.category(sign[0]) in {"Ll", "Lu", "Lo"} if sign else False


def word_marks(text: str, phonemes: Sequence[Phoneme], phonemise: Callable[[str], str]) -> Marks:
    """Where in the speech the words of `text` begin and end.

    Args:
        text: what was synthesised.
        phonemes: what came of it, in order; their lengths add up to the speech's.
        phonemise: the phonemes of a word that stands by itself.
    """
    ends = np.cumsum([phoneme.seconds for phoneme in phonemes])
    heard = [index for index, phoneme in enumerate(phonemes) if is_sound(phoneme.sign)]
    if not heard:
        return ()
    sounds = "".join(phonemes[index].sign[0] for index in heard)
    # A stress or length mark belongs to a sound too: a word begins where the mark before its first sound does.
    starts_s = [_start(phonemes, ends, index) for index in heard]
    ends_s = [_end(phonemes, ends, index) for index in heard]

    words = [(match.span(), "".join(filter(is_sound, phonemise(match[0])))) for match in _WORD.finditer(text)]
    expected = "".join(sounds for _, sounds in words)
    places = _matched(expected, sounds)
    marks: list[tuple[int, float]] = []
    at = 0
    for (start, end), own in words:
        if own:
            first, last = places[at], places[at + len(own) - 1]
            marks += [(start, starts_s[first]), (end, ends_s[last])]
            at += len(own)
    return _rising(marks)


def _matched(expected: str, heard: str) -> NDArray[np.int64]:
    """For each sound that is expected, which of those heard it is, or lies nearest to."""
    blocks = SequenceMatcher(None, expected, heard, autojunk=False).get_matching_blocks()
    known = [(block.a + step, block.b + step) for block in blocks for step in (0, block.size - 1) if block.size]
    one, other = zip(*([(-1, -1), *known, (len(expected), len(heard))]), strict=True)
    between = np.interp(np.arange(len(expected)), one, other)
    places: NDArray[np.int64] = np.clip(np.rint(between).astype(np.int64), 0, len(heard) - 1)
    return places


def _start(phonemes: Sequence[Phoneme], ends: NDArray[np.float64], index: int) -> float:
    while index and _is_mark_before(phonemes[index - 1].sign):
        index -= 1
    return float(ends[index] - phonemes[index].seconds)


def _end(phonemes: Sequence[Phoneme], ends: NDArray[np.float64], index: int) -> float:
    while index + 1 < len(phonemes) and _is_mark_after(phonemes[index + 1].sign):
        index += 1
    return float(ends[index])


def _is_mark_before(sign: str) -> bool:
    return sign in {"ˈ", "ˌ"}  # noqa: RUF001 (IPA's stress marks)


def _is_mark_after(sign: str) -> bool:
    return not _is_mark_before(sign) and unicodedata.category(sign[0]) in {"Lm", "Mn", "Sk"}


def _rising(marks: Sequence[tuple[int, float]]) -> Marks:
    times = accumulate((at_s for _, at_s in marks), max)
    return tuple((place, at_s) for (place, _), at_s in zip(marks, times, strict=True))
