"""The candidate's ear: remembers when something was heard, and keeps the sound itself in a file."""

from __future__ import annotations

import wave
from bisect import bisect_left
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.rehearsal.sounds import LOUD_PEAK, RATE_HZ, Heard, peak_of

_MAX_DRIFT_S = 0.3


class HeardFile:
    """WAV file, 48 kHz mono, of what the candidate heard; its time line is the clock's, gaps are silent."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.started_at: float | None = None
        """Time of the first sample, seconds since the epoch; None while nothing was heard."""
        self._samples = 0
        self._wave = wave.open(str(path), "wb")  # noqa: SIM115 (closed by close())
        self._wave.setnchannels(1)
        self._wave.setsampwidth(2)
        self._wave.setframerate(RATE_HZ)

    def write(self, at: float, pcm: NDArray[np.int16]) -> None:
        """Append sound that ended at a time; a hole in the line (an interviewer who died) becomes silence."""
        begins = at - len(pcm) / RATE_HZ
        if self.started_at is None:
            self.started_at = begins
        missing_s = begins - self.started_at - self._samples / RATE_HZ
        if missing_s > _MAX_DRIFT_S:
            self._append(np.zeros(round(missing_s * RATE_HZ), np.int16))
        self._append(pcm)

    def close(self) -> None:
        """Complete the file."""
        self._wave.close()

    def _append(self, pcm: NDArray[np.int16]) -> None:
        self._wave.writeframesraw(pcm.tobytes())
        self._samples += len(pcm)


class Ear:
    """What was heard of the interviewer, frame by frame."""

    def __init__(self, file: HeardFile) -> None:
        self._file = file
        self._times: list[float] = []
        self._peaks: list[int] = []
        self.last_loud_at: float | None = None
        """When the interviewer's voice was last heard, seconds since the epoch."""

    def hear(self, at: float, pcm: NDArray[np.int16]) -> None:
        """Take in a frame that arrived at a time."""
        peak = peak_of(pcm)
        self._times.append(at)
        self._peaks.append(peak)
        if peak > LOUD_PEAK:
            self.last_loud_at = at
        self._file.write(at, pcm)

    def heard(self, since: float = 0.0) -> Heard:
        """All frames from a time on."""
        first = bisect_left(self._times, since)
        return Heard.of(self._times[first:], self._peaks[first:])

    def quiet_s(self, now: float) -> float:
        """How long nothing loud was heard; infinite while nothing ever was."""
        return float("inf") if self.last_loud_at is None else now - self.last_loud_at

    def close(self) -> None:
        """Complete the file of what was heard."""
        self._file.close()
