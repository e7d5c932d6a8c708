"""Voice activity for barge-in: how much evidence there is that somebody speaks.

LiveKit stops the interviewer once a detector's `speech_duration` reaches the session's `min_duration`. Silero's counts
from the first window that may be voice until it is sure of silence, so that a click, a bell or a saw of 0.05 s lasts
0.4 s and more. Here `speech_duration` is a sum of evidence, in seconds of certain voice, over windows of sound: what
surely is voice counts in full, what may be voice in part, and what is none takes away. So certain voice stops the
interviewer at once and doubtful voice somewhat later, and noises far apart never add up. Words that were recognised are
evidence enough, whatever the windows say (docs/voice.md).

Windows are counted by their sound and not by the clock: when the processor stalls and they come late and in a burst,
their sum is the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from livekit import rtc
from livekit.agents import vad

SURE = 0.8
"""Probability of voice, as Silero smooths it over windows, from which a window counts in full."""
_LIKELY = 0.5
"""… and from which in part: the detector itself takes this for voice."""
_LIKELY_COUNTS = 0.5
_UNVOICED = 0.35
"""Below this the detector takes a window for silence; between the two a window says nothing."""
_UNVOICED_COUNTS = -0.5
WORDS_S = 60.0
"""What recognised words count: more than anything waits for."""


def evidence_s(before_s: float, probability: float, window_s: float) -> float:
    """The evidence of voice after one more window, in seconds of certain voice; never below 0.

    Args:
        before_s: the evidence until then.
        probability: that the window is voice, 0 to 1.
        window_s: length of the window, in seconds.
    """
    return max(0.0, before_s + window_s * _counts(probability))


def _counts(probability: float) -> float:
    if probability >= SURE:
        return 1.0
    if probability >= _LIKELY:
        return _LIKELY_COUNTS
    return 0.0 if probability >= _UNVOICED else _UNVOICED_COUNTS


class SureVoiceDetector(vad.VAD):
    """A detector whose `speech_duration`, while somebody speaks, is the evidence that it is a voice.

    Args:
        detector: finds where speech begins and ends; its events are passed on, and all else that they say.
    """

    def __init__(self, detector: vad.VAD) -> None:
        super().__init__(capabilities=detector.capabilities)
        self._detector = detector
        self.words_heard = False
        """Whether words were recognised in what is being said: then it is speech until its end."""

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
        self._whole = detector
        self._detecting = detecting
        self._window_s = detector.capabilities.update_interval
        super().__init__(detector)

    async def _main_task(self) -> None:
        evidence = 0.0
        async with self._fed():
            async for event in self._detecting:
                if event.type is vad.VADEventType.INFERENCE_DONE:
                    evidence = evidence_s(evidence, event.probability, self._window_s)
                    by_words_s = WORDS_S if self._whole.words_heard and event.speaking else 0.0
                    event = replace(event, speech_duration=max(evidence, by_words_s))  # noqa: PLW2901 - LiveKit's are not frozen
                else:
                    self._whole.words_heard = False
                    evidence = evidence if event.type is vad.VADEventType.START_OF_SPEECH else 0.0
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
