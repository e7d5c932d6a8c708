"""Audio as numbers: levels, quiet places, conversion. Pure functions on arrays.

Everywhere in this room audio for recognition is float32, mono, `SAMPLE_RATE` Hz, full scale ±1.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Hz. What Whisper and Silero's voice activity detection hear."""

FRAME_S = 0.02
"""Length in seconds of the frames whose level is measured."""

Audio = NDArray[np.float32]
"""Samples of one channel, full scale ±1."""

INAUDIBLE = 0.001
"""A frame's level (root mean square, full scale 1; 60 dB under it) under which nobody speaks into the microphone."""

_VOICED_BELOW_PEAK = 0.04
"""A frame 28 dB under the loudest one is a pause …"""

_VOICED_ABOVE_FLOOR = 2.5
"""… and so is one less than 8 dB above the background, for which the quietest tenth of the frames is taken."""


def levels(pcm: Audio) -> Audio:
    """The level (root mean square) of each whole frame of `FRAME_S`; a shorter rest is not measured."""
    size = round(FRAME_S * SAMPLE_RATE)
    frames = pcm[: len(pcm) // size * size].reshape(-1, size)
    return np.sqrt(np.mean(np.square(frames), axis=1, dtype=np.float64)).astype(np.float32)


def is_inaudible(pcm: Audio) -> bool:
    """True if not one frame is loud enough to be speech."""
    return bool(np.all(levels(pcm) < INAUDIBLE))


def voiced_frames(pcm: Audio) -> NDArray[np.bool_]:
    """Which frames of `FRAME_S` hold sound that stands out from pauses and background.

    In loud, steady noise no pause can be told from speech by its level: then every frame counts as voiced.
    """
    level = levels(pcm)
    if not len(level):
        return np.zeros(0, dtype=np.bool_)
    peak, floor = float(level.max()), float(np.quantile(level, 0.1))
    threshold = max(INAUDIBLE, _VOICED_BELOW_PEAK * peak, min(_VOICED_ABOVE_FLOOR * floor, 0.3 * peak))
    return level >= threshold


def quietest_place(pcm: Audio, earliest_s: float, latest_s: float) -> float:
    """The middle, in seconds, of the quietest fifth of a second that lies between the two times."""
    level = levels(pcm)
    width = round(0.2 / FRAME_S)
    smooth = np.convolve(level, np.ones(width, dtype=np.float32) / width, mode="same")
    first = min(round(earliest_s / FRAME_S), len(smooth) - 1)
    last = max(first + 1, min(round(latest_s / FRAME_S), len(smooth)))
    return float(first + int(np.argmin(smooth[first:last])) + 0.5) * FRAME_S


def from_int16(samples: NDArray[np.int16]) -> Audio:
    """Integer samples as float32 of full scale ±1."""
    return samples.astype(np.float32) / np.float32(32768.0)


def resampled(samples: NDArray[np.int16], from_hz: float, to_hz: float) -> NDArray[np.int16]:
    """The same sound at another rate, with a low-pass against mirrored frequencies."""
    from scipy.signal import resample_poly  # noqa: PLC0415 (half a second to import)

    ratio = Fraction(to_hz / from_hz).limit_denominator(500)
    sound = resample_poly(samples.astype(np.float32), ratio.numerator, ratio.denominator)
    limited: NDArray[np.int16] = np.clip(np.rint(sound), -32768, 32767).astype(np.int16)
    return limited
