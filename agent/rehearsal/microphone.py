"""Microphone of the candidate: an endless stream of 10 ms frames, silent unless something is being said."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import numpy as np
from livekit import rtc
from numpy.typing import NDArray

from agent.rehearsal.hearing import FRAME_SAMPLES, RATE_HZ

QUEUE_MS = 60
"""Sound that waits to be sent: enough to ride out a busy event loop, short enough for exact times."""


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When words were on the line, seconds since the epoch: the first and the last sample that is not silence."""

    start: float
    end: float


class Microphone:
    """Feeds a LiveKit audio source; `run` has to be running as a task. `clock` gives seconds since the epoch."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=QUEUE_MS)
        self._waiting: asyncio.Queue[NDArray[np.int16] | asyncio.Future[SaidAt]] = asyncio.Queue()
        self._start: float | None = None
        self._end = 0.0

    def track(self) -> rtc.LocalAudioTrack:
        """The track to publish."""
        return rtc.LocalAudioTrack.create_audio_track("microphone", self._source)

    async def say(self, parts: Iterable[Awaitable[NDArray[np.int16]]]) -> SaidAt:
        """Put sound on the line, each part as soon as it is there; returns when its last sample is about to leave.

        One at a time. The last part must end with a sound, so that its end is the end of speech.
        """
        done: asyncio.Future[SaidAt] = asyncio.get_running_loop().create_future()
        for part in parts:
            self._waiting.put_nowait(await part)
        self._waiting.put_nowait(done)
        return await done

    async def run(self) -> None:
        """Send frames until cancelled. The source's queue sets the pace."""
        silence = np.zeros(FRAME_SAMPLES, np.int16)
        while True:
            if self._waiting.empty():
                await self._send(silence)
                continue
            part = self._waiting.get_nowait()
            if isinstance(part, asyncio.Future):
                self._finish(part)
            else:
                await self._play(part)

    async def _play(self, pcm: NDArray[np.int16]) -> None:
        if self._start is None:
            self._start = self._clock() + self._source.queued_duration + _leading_silence_s(pcm)
        for first in range(0, len(pcm), FRAME_SAMPLES):
            await self._send(pcm[first : first + FRAME_SAMPLES])
        self._end = self._clock() + self._source.queued_duration

    def _finish(self, done: asyncio.Future[SaidAt]) -> None:
        start, self._start = self._start, None
        if not done.done():
            done.set_result(SaidAt(self._end if start is None else start, self._end))

    async def _send(self, pcm: NDArray[np.int16]) -> None:
        frame = pcm if len(pcm) == FRAME_SAMPLES else np.pad(pcm, (0, FRAME_SAMPLES - len(pcm)))
        await self._source.capture_frame(rtc.AudioFrame(frame.tobytes(), RATE_HZ, 1, FRAME_SAMPLES))


def _leading_silence_s(pcm: NDArray[np.int16]) -> float:
    loud = np.flatnonzero(pcm)
    return float(loud[0]) / RATE_HZ if len(loud) else 0.0
