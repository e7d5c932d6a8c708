"""Sentences that the line itself says. Their words are in `sentences.md`; Piper says them when the line starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from graph.templates import load_wording
from speech.audio import resampled

Sentence = Literal["busy", "connecting", "no_interviewer", "interviewer_gone", "server_gone", "call_again"]
SENTENCES: tuple[Sentence, ...] = get_args(Sentence)
RATES_HZ = (8000, 16000)

WORDING = load_wording(Path(__file__).with_name("sentences.md"))
_PAUSE_S = 0.3
"""Silence before a sentence: the first words of a call are lost where a telephone is slow to switch on its sound."""


class SpokenSentences:
    """The sentences as samples, at the rates of telephones."""

    def __init__(self, sounds: Mapping[tuple[Sentence, int], bytes]) -> None:
        self._sounds = dict(sounds)

    def of(self, sentence: Sentence, rate_hz: int) -> bytes:
        """16-bit samples of a sentence; none if the voice could not say it."""
        return self._sounds.get((sentence, rate_hz), b"")


def speak_all(say: Callable[[str], NDArray[np.int16]], rate_hz: int) -> SpokenSentences:
    """Let a voice say all sentences.

    Args:
        say: gives the samples of a text.
        rate_hz: of these samples.
    """
    sounds: dict[tuple[Sentence, int], bytes] = {}
    for name in SENTENCES:
        samples = say(WORDING.say(name))
        for rate in RATES_HZ:
            sounds[name, rate] = bytes(round(rate * _PAUSE_S) * 2) + resampled(samples, rate_hz, rate).tobytes()
    return SpokenSentences(sounds)
