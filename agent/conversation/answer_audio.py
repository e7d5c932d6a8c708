"""Audio buffer of an answer: the candidate's sound of the last minutes, to be heard again."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable

from livekit import rtc


class AnswerAudio:
    """Keeps the frames that pass, with the clock's time at which each was over.

    Args:
        clock: seconds since the epoch.
        longest_s: so much is kept; 48 kB for each second, in the format of LiveKit's input.
    """

    def __init__(self, clock: Callable[[], float], longest_s: float) -> None:
        self._clock = clock
        self._longest_s = longest_s
        self._frames: deque[tuple[float, rtc.AudioFrame]] = deque()

    async def kept(self, audio: AsyncIterable[rtc.AudioFrame]) -> AsyncIterator[rtc.AudioFrame]:
        """Pass frames on, and keep them."""
        async for frame in audio:
            now = self._clock()
            self._frames.append((now, frame))
            while self._frames[0][0] < now - self._longest_s:
                self._frames.popleft()
            yield frame

    def between(self, start_at: float, end_at: float) -> list[rtc.AudioFrame] | None:
        """The frames from one time to another, in seconds since the epoch; None when the beginning is not kept."""
        if not self._frames or self._frames[0][0] - self._frames[0][1].duration > start_at:
            return None
        return [frame for at, frame in self._frames if start_at < at and at - frame.duration < end_at]
