"""WAV files: what a telephone says, and what it has heard."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.int16]
"""Mono samples."""


def read_wav(path: Path) -> tuple[Sound, int]:
    """Samples of a WAV file, and their rate. One that nobody closed says nothing of its length."""
    with wave.open(str(path)) as file:
        rate = file.getframerate()
    data = path.read_bytes()[44:]
    return np.frombuffer(data[: len(data) // 2 * 2], np.int16), rate


def write_wav(path: Path, sound: Sound, rate_hz: int) -> Path:
    """Write a WAV file and return its path."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(sound.tobytes())
    return path
