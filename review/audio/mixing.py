"""Mixing on the wall clock: where the samples of a live track belong in one side of a recording.

Audio arrives in small frames, each with the time of its first sample as its receiver saw it. That time jitters by some
tens of milliseconds, and now and then a stall holds frames back that then arrive at once; the sender's sample clock
drifts against ours. Placing each frame at its time would tear the sound; joining frames blindly would run away from the
clock. So frames of one stretch are joined, and compared with the clock by the *least* delay in the next moments, since
a frame can be late but never early:

- a gap that even the least delayed frame confirms is real: it becomes silence;
- a small lag is drift: two milliseconds at a time are repeated or left out, under a cross-fade;
- sound that comes faster than it can be played is played out at its own pace, and gives the time back in pauses.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]

RATE = 48_000
"""Hertz."""


_GAP = RATE * 60 // 1000
"""A lag below this is jitter (samples)."""
_DRIFT = RATE * 20 // 1000
"""A lag or lead above this is corrected little by little (samples)."""
_LEAD = RATE * 250 // 1000
"""A lead above this is more than a playout queue explains: it is given back in pauses (samples)."""
_LONGEST_DELAY = RATE * 800 // 1000
"""A beginning that is later than this, by the frames behind it, is no delay (samples)."""
_STEP = RATE * 2 // 1000
"""Length of one correction (samples)."""
_FADE = RATE * 3 // 1000
"""Length of the cross-fade that hides a correction (samples)."""
_CORRECTION_EVERY = RATE * 200 // 1000
"""Samples between two corrections: 1% at most, which nobody hears."""
_ENOUGH = RATE * 300 // 1000
"""Samples ahead that make the least delay a sure one."""
_QUIET = 100
"""Peak below which a frame is a pause (of 32,767)."""


class _Frame(NamedTuple):
    at: int
    """Where its receiver saw it, in samples from the start of the recording."""
    received: int
    """How many samples were received before it."""
    pcm: Samples


class SideTrack:
    """Frames in, an unbroken track out. All positions are in samples from the start of the recording."""

    def __init__(self, position: int = 0) -> None:
        self.position = position
        """Where the next sample that is taken belongs."""
        self._frames: deque[_Frame] = deque()
        self._least: deque[_Frame] = deque()
        """Candidates for the least delayed of the frames ahead, from the least to the latest."""
        self._received = 0
        self._ready: deque[Samples] = deque()
        self._ready_until = position
        self._corrected_at = 0
        self._in_silence = True

    def add(self, pcm: Samples, at: int) -> None:
        """Receive a frame whose first sample was seen at `at`."""
        frame = _Frame(at, self._received, pcm)
        self._received += len(pcm)
        self._frames.append(frame)
        while self._least and _delay(self._least[-1]) >= _delay(frame):
            self._least.pop()
        self._least.append(frame)

    @property
    def received_until(self) -> int:
        """Where the track ends if all that is waiting is joined to it."""
        return self._ready_until + sum(len(frame.pcm) for frame in self._frames)

    def take(self, until: int) -> Samples:
        """The track from `position` to `until`, silence where nothing was received. Frames of before come too late."""
        while self._ready_until < until:
            self._place_next(until)
        parts = []
        while self.position < until:
            part = self._ready.popleft()
            wanted = until - self.position
            if len(part) > wanted:
                self._ready.appendleft(part[wanted:])
                part = part[:wanted]
            parts.append(part)
            self.position += len(part)
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)

    def _place_next(self, until: int) -> None:
        if not self._frames:
            self._silence(until - self._ready_until)
            return
        frame = self._frames[0]
        lag = self._lag(frame)
        if lag > (0 if self._in_silence else _GAP):
            self._silence(min(lag, until - self._ready_until))
            return
        self._frames.popleft()
        if self._least[0] is frame:
            self._least.popleft()
        pcm = frame.pcm
        if lag < -_LEAD and not self._in_silence and _is_quiet(pcm):
            return
        if abs(lag) > _DRIFT and self._may_correct(frame):
            pcm = _shifted(pcm, -_STEP if lag > 0 else _STEP)
            self._corrected_at = self._ready_until
        self._in_silence = False
        self._append(pcm)

    def _lag(self, frame: _Frame) -> int:
        """How far the track's end is behind the clock by the least delayed frame ahead; negative: before it."""
        lag = _delay(self._least[0]) - (self._ready_until - frame.received)
        late = _delay(frame) - _delay(self._least[0])
        if self._in_silence and late > _LONGEST_DELAY:
            # No stall brings that much: the sound is synthesised faster than it is spoken, and begins when it came.
            return frame.at - self._ready_until
        return lag

    def _may_correct(self, frame: _Frame) -> bool:
        """Not too often, and only while enough is ahead to tell drift from jitter."""
        ahead = self._received - frame.received
        return ahead >= _ENOUGH and self._ready_until - self._corrected_at >= _CORRECTION_EVERY

    def _silence(self, length: int) -> None:
        self._in_silence = True
        self._append(np.zeros(length, np.int16))

    def _append(self, pcm: Samples) -> None:
        self._ready.append(pcm)
        self._ready_until += len(pcm)


def _delay(frame: _Frame) -> int:
    """A frame's time minus the sound received before it: constant on a perfect line, larger when it is late."""
    return frame.at - frame.received


def _is_quiet(pcm: Samples) -> bool:
    return not len(pcm) or int(np.abs(pcm.astype(np.int32)).max()) < _QUIET


def _shifted(pcm: Samples, step: int) -> Samples:
    """Leave out `step` samples in the middle, or repeat `-step` of them, under a cross-fade.

    A frame too short for that comes back as it is.
    """
    length = abs(step) + _FADE
    if len(pcm) < 2 * length:
        return pcm
    cut = (len(pcm) - length) // 2 if step > 0 else len(pcm) // 2
    fade = np.linspace(0.0, 1.0, _FADE)
    before = pcm[cut : cut + _FADE].astype(np.float64)
    after = pcm[cut + step : cut + step + _FADE].astype(np.float64)
    crossed = np.rint(before * (1 - fade) + after * fade).astype(np.int16)
    return np.concatenate([pcm[:cut], crossed, pcm[cut + step + _FADE :]])
