"""Comfort noise: a very low noise under everything that a telephone gets to hear.

What comes from a room is silent to the last bit while nobody speaks, and on a telephone that sounds like a line that is
dead. Nothing of it goes into the room, so that neither recognition nor recording has it.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from agent.phone.line.sentences import RATES_HZ

LEVEL_DBOV = -64.0
"""Of the noise, against full scale, as RFC 3389 counts it in section 3."""
_LOOP_S = 4
"""After so long it begins again, which at this level nobody hears."""
_FULL_SCALE = 32768.0
_DULLNESS = 0.6
"""Of the low-pass, 0 to 1: white noise hisses."""


class ComfortNoise:
    """The noise at the rates of telephones; any number of calls share it.

    Args:
        rng: for its samples.
        level_dbov: its level.
    """

    def __init__(self, rng: random.Random, *, level_dbov: float = LEVEL_DBOV) -> None:
        self._loops = {rate: _loop(rate, rng.getrandbits(32), level_dbov) for rate in RATES_HZ}

    def under(self, pcm: bytes, rate_hz: int, frame: int) -> bytes:
        """Put the noise under 20 ms of 16-bit samples.

        Args:
            pcm: the samples.
            rate_hz: of its samples.
            frame: its number in the call, for the noise to go on where it was.
        """
        sound = np.frombuffer(pcm, np.int16).astype(np.int32)
        loop = self._loops[rate_hz]
        begin = frame * len(sound) % len(loop)
        heard: bytes = np.clip(sound + loop[begin : begin + len(sound)], -32768, 32767).astype(np.int16).tobytes()
        return heard


def _loop(rate_hz: int, seed: int, level_dbov: float) -> NDArray[np.int32]:
    white = np.random.default_rng(seed).standard_normal(rate_hz * _LOOP_S)
    # A low-pass whose end meets its beginning: filtered as a circle, there is no click where it begins again.
    spectrum = np.fft.rfft(white)
    turns = np.exp(-2j * np.pi * np.arange(len(spectrum)) / len(white))
    dull = np.fft.irfft(spectrum / (1 - _DULLNESS * turns), len(white))
    wanted = _FULL_SCALE * 10 ** (level_dbov / 20)
    loop: NDArray[np.int32] = np.round(dull / np.sqrt(np.mean(dull**2)) * wanted).astype(np.int32)
    return loop
