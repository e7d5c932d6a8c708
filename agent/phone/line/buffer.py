"""Buffer towards the telephone: evens out the moments at which a room's sound arrives, no longer than it must be.

It begins with 60 ms. Each time it runs dry while somebody speaks it becomes longer, up to 200 ms, and with time shorter
again. What is too much is left out where it is quiet, so that nobody hears it; beyond the limit, wherever it is.
"""

from __future__ import annotations

from collections import deque

import numpy as np

SHORTEST_MS, LONGEST_MS = 60, 200
FRAME_MS = 20
_STEP_MS = 40
"""By so much it becomes longer each time."""
_SHORTER_AFTER = 250
"""Frames (5 s) without running dry after which it becomes 20 ms shorter."""
_QUIET = 200
"""Peak of 16-bit samples, 44 dB under full scale, under which a frame can be left out unheard."""


class SoundBuffer:
    """Frames of 20 ms, in as they come and out by a clock."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._limit_ms = SHORTEST_MS
        self._calm = 0
        self._is_filling = True
        self._was_quiet = True
        self.dry = 0
        """How often it ran dry in mid-word."""
        self.left_out = 0
        """Frames that were left out."""

    @property
    def length_ms(self) -> int:
        """How much is in it."""
        return len(self._frames) * FRAME_MS

    @property
    def limit_ms(self) -> int:
        """How much may be in it now."""
        return self._limit_ms

    def put(self, frame: bytes) -> None:
        """Add 20 ms of 16-bit samples."""
        self._frames.append(frame)
        while self.length_ms > self._limit_ms:
            self._frames.popleft()
            self.left_out += 1

    def take(self) -> bytes | None:
        """The next 20 ms; None while there is nothing, or while it fills up again."""
        if self._is_filling:
            # Not up to the limit: room is needed for what comes in a burst.
            if self.length_ms < self._limit_ms - 2 * FRAME_MS or not self._frames:
                return None
            self._is_filling = False
        if not self._frames:
            self._run_dry()
            return None
        self._calm += 1
        if self._calm >= _SHORTER_AFTER and self._limit_ms > SHORTEST_MS:
            self._calm = 0
            self._limit_ms -= FRAME_MS
        frame = self._frames.popleft()
        self._was_quiet = is_quiet(frame)
        if self.length_ms > self._limit_ms - 2 * FRAME_MS and self._was_quiet:
            self.left_out += 1
            frame = self._frames.popleft()
        return frame

    def _run_dry(self) -> None:
        self._is_filling = True
        if self._was_quiet:
            return  # nobody was in mid-word: the sound has ended
        self.dry += 1
        self._calm = 0
        self._limit_ms = min(LONGEST_MS, self._limit_ms + _STEP_MS)


def is_quiet(frame: bytes) -> bool:
    """Whether nobody would miss a frame."""
    samples = np.frombuffer(frame, np.int16)
    return not len(samples) or int(np.abs(samples.astype(np.int32)).max()) < _QUIET


def mixed(frames: list[bytes], size: int) -> bytes:
    """Several frames as one; silence where there is none.

    Args:
        frames: 16-bit samples; one of another length than `size` is left out.
        size: bytes of a frame.
    """
    whole = [frame for frame in frames if len(frame) == size]
    if len(whole) <= 1:
        return whole[0] if whole else bytes(size)
    total = np.sum([np.frombuffer(frame, np.int16) for frame in whole], axis=0, dtype=np.int32)
    return total.clip(-32768, 32767).astype(np.int16).tobytes()
