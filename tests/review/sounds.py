"""Sounds to record, and ways to look at what was recorded."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

RATE = 48_000
FRAME = RATE // 100


def tone(seconds: float, pitch_hz: float = 300.0) -> NDArray[np.int16]:
    """A loud tone."""
    return (9000 * np.sin(2 * np.pi * pitch_hz * np.arange(round(seconds * RATE)) / RATE)).astype(np.int16)


def decoded(path: Path) -> NDArray[np.float32]:
    """The samples of a recording, 2 by n."""
    with av.open(str(path)) as container:
        return np.concatenate([frame.to_ndarray() for frame in container.decode(audio=0)], axis=1)


def loud_parts(channel: NDArray[np.float32], *, pause_s: float = 0.05) -> list[tuple[float, float]]:
    """Beginning and end in seconds of each stretch of sound."""
    window = RATE // 200
    loud = np.abs(channel[: len(channel) // window * window]).reshape(-1, window).max(axis=1) > 0.03
    parts: list[tuple[float, float]] = []
    for index in np.flatnonzero(loud):
        begin, end = index * window / RATE, (index + 1) * window / RATE
        if parts and begin - parts[-1][1] <= pause_s:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))
    return parts
