"""Audio buffer: the last part of a stream's audio, addressed by its time in the stream."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from speech.audio import SAMPLE_RATE, Audio, from_int16


class AudioBuffer:
    """Keeps 16 kHz mono audio until it is told to forget it. Times are seconds from the first sample appended."""

    def __init__(self) -> None:
        self._blocks: deque[NDArray[np.int16]] = deque()
        self._first = 0
        self._end = 0

    @property
    def end_s(self) -> float:
        """How much has been appended in all."""
        return self._end / SAMPLE_RATE

    def append(self, samples: NDArray[np.int16]) -> None:
        """Take the next samples of the stream."""
        self._blocks.append(samples)
        self._end += len(samples)

    def cut(self, start_s: float, end_s: float) -> Audio:
        """Return what is kept between two times, as float32 of full scale ±1."""
        start = max(round(start_s * SAMPLE_RATE) - self._first, 0)
        end = max(round(end_s * SAMPLE_RATE) - self._first, start)
        kept = np.concatenate([*self._blocks, np.zeros(0, dtype=np.int16)])
        return from_int16(kept[start:end])

    def forget(self, before_s: float) -> None:
        """Drop the blocks that end before a time."""
        before = round(before_s * SAMPLE_RATE)
        while self._blocks and self._first + len(self._blocks[0]) <= before:
            self._first += len(self._blocks.popleft())
