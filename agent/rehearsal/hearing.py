"""Heard audio on the clock: when the interviewer's voice was heard to begin and to end.

A frame is 10 ms. It is loud when its peak exceeds 500 of 32,767, about -36 dB of full scale: above the comfort noise
of the codec, below any voice. Times are those of a frame's arrival, so they include what the candidate really waits
for: the network, the jitter buffer, and the machine's load.
"""

from __future__ import annotations

import wave
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 48_000
FRAME_S = 0.01
FRAME_SAMPLES = int(RATE_HZ * FRAME_S)
LOUD_PEAK = 500

UTTERANCE_GAP_S = 0.25
"""A silence this long separates utterances; shorter ones are between words."""
SENTENCE_GAP_S = 0.06
"""Between two sentences of a synthetic voice there is at least this much silence."""
EARLY_S = 0.1
"""A caption may come this much after the sound that it belongs to."""
LATE_S = 1.2
"""A sound comes at most this much after its caption, which does not pass through a jitter buffer."""


@dataclass(frozen=True, slots=True)
class HeardFrames:
    """The frames that arrived: equally long arrays, in the order of time."""

    times: NDArray[np.float64]
    """Seconds since the epoch."""
    peaks: NDArray[np.int32]
    """Largest absolute sample of each frame, of int16."""

    @classmethod
    def of(cls, times: Sequence[float], peaks: Sequence[int]) -> HeardFrames:
        """From plain lists."""
        return cls(np.asarray(times, dtype=np.float64), np.asarray(peaks, dtype=np.int32))


def peak_of(pcm: NDArray[np.int16]) -> int:
    """Largest absolute sample; 0 of nothing."""
    return int(np.abs(pcm.astype(np.int32)).max(initial=0))


def onsets(heard: HeardFrames, quiet_s: float = UTTERANCE_GAP_S) -> list[float]:
    """Times of loud frames that come after at least `quiet_s` without one."""
    loud = heard.times[heard.peaks > LOUD_PEAK]
    if not len(loud):
        return []
    # Frames arrive now and then in bursts; half a frame of slack keeps a gap of exactly quiet_s a gap.
    starts = np.concatenate([[True], np.diff(loud) >= quiet_s + FRAME_S / 2])
    return [float(at) for at in loud[starts]]


def first_onset_after(heard: HeardFrames, at: float) -> float | None:
    """When an utterance began after a time, as the candidate heard it: the end of an older one does not count."""
    return next((onset for onset in onsets(heard) if onset >= at), None)


def stopped_after_s(heard: HeardFrames, at: float) -> float | None:
    """How long the voice was still heard when the candidate began to speak into it; None when it was not speaking."""
    loud = heard.times[heard.peaks > LOUD_PEAK]
    around = loud[loud >= at - UTTERANCE_GAP_S]
    if not len(around) or around[0] > at:
        return None
    gaps = np.flatnonzero(np.diff(around) >= UTTERANCE_GAP_S)
    last = around[gaps[0]] if len(gaps) else around[-1]
    return max(0.0, float(last) - at)


def caption_onset(heard: HeardFrames, opened_at: float) -> float | None:
    """When the words of a caption began to be heard.

    Captions travel as data and were 0.1 to 0.4 s ahead of their sound on one machine. So the onset is the first loud
    frame after a sentence's gap near the caption's opening; where one utterance runs into the next without a gap, it
    is the first loud frame after the opening. None: nothing was heard of it.
    """
    near = [at for at in onsets(heard, SENTENCE_GAP_S) if opened_at - EARLY_S <= at <= opened_at + LATE_S]
    if near:
        return near[0]
    loud = heard.times[(heard.peaks > LOUD_PEAK) & (heard.times >= opened_at) & (heard.times <= opened_at + LATE_S)]
    return float(loud[0]) if len(loud) else None


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


class HeardAudio:
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

    def heard(self, since: float = 0.0) -> HeardFrames:
        """All frames from a time on."""
        first = bisect_left(self._times, since)
        return HeardFrames.of(self._times[first:], self._peaks[first:])

    def quiet_s(self, now: float) -> float:
        """How long nothing loud was heard; infinite while nothing ever was."""
        return float("inf") if self.last_loud_at is None else now - self.last_loud_at

    def close(self) -> None:
        """Complete the file of what was heard."""
        self._file.close()
