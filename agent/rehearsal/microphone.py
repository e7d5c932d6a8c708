"""The candidate's microphone: an endless stream of 10 ms frames, silent unless something is being said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from livekit import rtc
from numpy.typing import NDArray

from agent.rehearsal.sounds import FRAME_SAMPLES, RATE_HZ

QUEUE_MS = 60
"""Sound that waits to be sent: enough to ride out a busy event loop, short enough for exact times."""


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When words were on the line, seconds since the epoch: the first and the last sample that is not silence."""

    start: float
    end: float


class Microphone:
    """Feeds a LiveKit audio source; `run` has to be running as a task."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=QUEUE_MS)
        self._next: tuple[NDArray[np.int16], asyncio.Future[SaidAt]] | None = None

    def track(self) -> rtc.LocalAudioTrack:
        """The track to publish."""
        return rtc.LocalAudioTrack.create_audio_track("microphone", self._source)

    async def say(self, pcm: NDArray[np.int16]) -> SaidAt:
        """Put sound on the line; returns when its last sample is about to leave. One at a time."""
        done: asyncio.Future[SaidAt] = asyncio.get_running_loop().create_future()
        self._next = (pcm, done)
        return await done

    async def run(self) -> None:
        """Send frames until cancelled. The source's queue sets the pace."""
        silence = np.zeros(FRAME_SAMPLES, np.int16)
        while True:
            if self._next is None:
                await self._send(silence)
                continue
            (pcm, done), self._next = self._next, None
            begun = self._clock() + self._source.queued_duration
            for first in range(0, len(pcm), FRAME_SAMPLES):
                await self._send(pcm[first : first + FRAME_SAMPLES])
            end = self._clock() + self._source.queued_duration
            if not done.done():
                done.set_result(SaidAt(begun + _leading_silence_s(pcm), end))

    async def _send(self, pcm: NDArray[np.int16]) -> None:
        frame = pcm if len(pcm) == FRAME_SAMPLES else np.pad(pcm, (0, FRAME_SAMPLES - len(pcm)))
        await self._source.capture_frame(rtc.AudioFrame(frame.tobytes(), RATE_HZ, 1, FRAME_SAMPLES))


def _leading_silence_s(pcm: NDArray[np.int16]) -> float:
    loud = np.flatnonzero(pcm)
    return float(loud[0]) / RATE_HZ if len(loud) else 0.0
