"""Sounds for tests of calls: one that can be recognised wherever it comes out, and how much of it did."""

from __future__ import annotations

import numpy as np
from scipy.signal import correlate, resample_poly

from bench.phone.wav import Sound

_SEGMENT_S = 0.25


def murmur(seconds: float, rate_hz: int, seed: int) -> Sound:
    """A hum whose pitch wanders, in syllables: codecs keep it as they keep a voice, and no two seeds are alike."""
    rng = np.random.default_rng(seed)
    count = round(seconds * 8000)
    turns = np.arange(0, count + 1600, 1600)
    steps = np.interp(np.arange(count), turns, rng.uniform(110, 220, len(turns)))
    phase = 2 * np.pi * np.cumsum(steps) / 8000
    hum = np.sum([np.sin(n * phase) / n for n in range(2, 14)], axis=0)
    syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 3.3 * np.arange(count) / 8000 + seed)
    return (resample_poly(0.15 * hum * syllables, rate_hz, 8000) * 32767).clip(-32768, 32767).astype(np.int16)


def alikeness(heard: Sound, said: Sound, heard_hz: int, said_hz: int) -> float:
    """How much of what was heard is what was said: the median over quarter seconds of the best correlation, 0 to 1.

    Segments without sound count for nothing. They are short, because a buffer may leave out 20 ms in between.
    """
    one = resample_poly(heard.astype(np.float64), 8000, heard_hz)
    other = resample_poly(said.astype(np.float64), 8000, said_hz)
    size = round(_SEGMENT_S * 8000)
    sums = np.cumsum(np.concatenate(([0.0], other**2)))
    energies = np.maximum(sums[size:] - sums[:-size], 1)
    found = []
    for start in range(0, len(one) - size, size):
        part = one[start : start + size]
        if np.sqrt(np.mean(part**2)) < 200:
            continue
        products = correlate(other, part, "valid", "fft")
        found.append(float(np.max(products / np.sqrt(energies * np.sum(part**2)))))
    return float(np.median(found)) if found else 0.0


def seconds_of_sound(heard: Sound, rate_hz: int) -> float:
    """How much of it is no silence."""
    size = rate_hz // 50
    frames = heard[: len(heard) // size * size].reshape(-1, size).astype(np.float64)
    return float(np.sum(np.sqrt(np.mean(frames**2, axis=1)) > 200)) / 50
