"""Word times: what Whisper's attention says, held against the sound. Pure functions.

The alignment from Whisper's cross-attention has no notion of silence: the first word begins where the audio begins,
and a word after a pause swallows the pause (in a speech of 11 s with pauses of a second, "ask" lasted 1.6 s of
which 0.5 s were spoken). So each word keeps only the sound inside its span.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from speech.audio import FRAME_S

PAUSE_S = 0.16
"""A silence inside a word's span that is longer than this is a pause; a shorter one belongs to a stop (p, t, k)."""

MIN_WORD_S = 0.02
"""No word is shorter than this: the resolution of Whisper's alignment."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    """One word as it was heard."""

    text: str
    """With the punctuation that follows it, without blanks around it."""
    start_s: float
    """Seconds from the beginning of the audio that was transcribed."""
    end_s: float
    confidence: float
    """Whisper's probability for the word's tokens, their mean, 0 to 1."""

    def shifted(self, seconds: float) -> HeardWord:
        """The same word in audio that begins `seconds` earlier."""
        return replace(self, start_s=self.start_s + seconds, end_s=self.end_s + seconds)


def settle(words: Sequence[HeardWord], voiced: NDArray[np.bool_], duration_s: float) -> tuple[HeardWord, ...]:
    """Take silence out of the words' spans and keep all of them in order and inside the audio.

    `voiced` has one entry per `FRAME_S` of the audio, which lasts `duration_s`.
    """
    settled: list[HeardWord] = []
    earliest = 0.0
    for word in words:
        start, end = _sounding_part(word.start_s, word.end_s, voiced)
        start = min(max(start, earliest), max(duration_s - MIN_WORD_S, 0.0))
        end = min(max(end, start + MIN_WORD_S), max(duration_s, start))
        settled.append(replace(word, start_s=start, end_s=end))
        earliest = end
    return tuple(settled)


def _sounding_part(start_s: float, end_s: float, voiced: NDArray[np.bool_]) -> tuple[float, float]:
    """The longest stretch of sound between two times; the span itself if there is none."""
    first, last = round(start_s / FRAME_S), min(round(end_s / FRAME_S), len(voiced))
    sounding = np.flatnonzero(voiced[first:last]) + first
    if not len(sounding):
        return start_s, end_s
    breaks = np.flatnonzero(np.diff(sounding) > round(PAUSE_S / FRAME_S)) + 1
    stretch = max(np.split(sounding, breaks), key=len)
    return max(start_s, float(stretch[0]) * FRAME_S), min(end_s, float(stretch[-1] + 1) * FRAME_S)
