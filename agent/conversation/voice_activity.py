"""Voice activity for barge-in: how long somebody has surely spoken.

LiveKit stops the interviewer once a detector's `speech_duration` reaches the session's `min_duration`. Silero's counts
from the first window that may be voice until it is sure of silence, so that a click, a bell or a saw of 0.05 s lasts
0.4 s and more: of 519 noises 9% would stop an interviewer that waits for 0.15 s. Counted here are only windows that
are surely voice: 2% of the noises have two of them, and a person's first word has them after 0.08 s (docs/voice.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from livekit import rtc
from livekit.agents import vad

SURE = 0.9
"""Probability of voice from which a window counts."""


class SureVoiceDetector(vad.VAD):
    """A detector whose `speech_duration`, while somebody speaks, is the time that surely was voice.

    Args:
        detector: finds where speech begins and ends; its events are passed on, and all else that they say.
    """

    def __init__(self, detector: vad.VAD) -> None:
        super().__init__(capabilities=detector.capabilities)
        self._detector = detector

    @property
    def model(self) -> str:
        """The detector's."""
        return self._detector.model

    @property
    def provider(self) -> str:
        """The detector's."""
        return self._detector.provider

    def stream(self) -> vad.VADStream:
        """One for each line of sound."""
        return _SureVoiceStream(self, self._detector.stream())


class _SureVoiceStream(vad.VADStream):
    def __init__(self, detector: SureVoiceDetector, detecting: vad.VADStream) -> None:
        self._detecting = detecting
        self._window_s = detector.capabilities.update_interval
        super().__init__(detector)

    async def _main_task(self) -> None:
        surely_s = 0.0
        async with self._fed():
            async for event in self._detecting:
                if event.type is vad.VADEventType.INFERENCE_DONE:
                    surely_s += self._window_s if event.probability >= SURE else 0.0
                    event = replace(event, speech_duration=surely_s)  # noqa: PLW2901 - LiveKit's are not frozen
                elif event.type is vad.VADEventType.END_OF_SPEECH:
                    surely_s = 0.0
                self._event_ch.send_nowait(event)

    @asynccontextmanager
    async def _fed(self) -> AsyncIterator[None]:
        feeding = asyncio.create_task(self._feed(), name="sure voice")
        try:
            yield
        finally:
            feeding.cancel()
            await self._detecting.aclose()

    async def _feed(self) -> None:
        async for item in self._input_ch:
            if isinstance(item, rtc.AudioFrame):
                self._detecting.push_frame(item)
            else:
                self._detecting.flush()
        self._detecting.end_input()
