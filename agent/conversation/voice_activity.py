"""Voice activity for barge-in: how long somebody has spoken, once it is certain enough that it is a voice.

LiveKit stops the interviewer once a detector's `speech_duration` reaches the session's `min_duration`. Silero's counts
from the first window that may be voice until it is sure of silence, so that a click, a bell or a saw of 0.05 s lasts
0.4 s and more. Here it is the sum of the windows that are likely voice, less half of the silence between them, and it
is withheld until one of three things is known: two windows surely were voice, which a person's first vowel has after
0.1 s and hardly a noise ever; or there was so much that is only likely; or words were recognised. So certain voice
stops the interviewer at once, doubtful voice somewhat later, and noises far apart never add up (docs/voice.md).

Windows are counted by their sound and not by the clock: when the processor stalls and they come late and in a burst,
their sum is the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from livekit import rtc
from livekit.agents import vad

SURE = 0.95
"""Probability of voice, of a window by itself, from which it surely is one."""
LIKELY = 0.5
"""Probability, smoothed over windows, from which it likely is voice: so does the detector itself take it."""
_UNVOICED = 0.35
"""Below this the detector takes a window for silence; between the two a window says nothing."""
_SILENCE_TAKES = 0.5
_SMOOTHING = 0.35
"""Share of the probability before that Silero's plugin mixes into that of a window. Taken out again, a vowel is surely
voice one window sooner: smoothed, its first one has only two thirds of its probability."""
CERTAIN_S = 0.06
"""So much that surely is voice makes it certain, …"""
LONG_S = 0.4
"""… and so much that is only likely. A creak or a horn is likely voice for half as long."""
WORDS_S = 60.0
"""What recognised words count: more than anything waits for."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the windows of sound so far say."""

    voice_s: float = 0.0
    """Seconds that likely were voice, less half of the silence between them."""
    sure_s: float = 0.0
    """The same of seconds that surely were."""
    smoothed: float | None = None
    """The last window's smoothed probability; None before the first."""

    def after(self, probability: float, window_s: float) -> Evidence:
        """With one more window.

        Args:
            probability: that it is voice, 0 to 1, as Silero's plugin smooths it.
            window_s: its length, in seconds.
        """
        lost_s = window_s * _SILENCE_TAKES if probability < _UNVOICED else 0.0
        before = probability if self.smoothed is None else self.smoothed
        return Evidence(
            max(0.0, self.voice_s + (window_s if probability >= LIKELY else -lost_s)),
            max(0.0, self.sure_s + (window_s if without_smoothing(probability, before) >= SURE else -lost_s)),
            probability,
        )

    @property
    def speech_s(self) -> float:
        """How long somebody has spoken, in seconds; 0 until it is certain enough that somebody does."""
        return self.voice_s if self.sure_s >= CERTAIN_S or self.voice_s >= LONG_S else 0.0


def without_smoothing(probability: float, before: float) -> float:
    """A window's probability by itself, of its smoothed one and that of the window before."""
    return (probability - _SMOOTHING * before) / (1 - _SMOOTHING)


class SureVoiceDetector(vad.VAD):
    """A detector whose `speech_duration`, while somebody speaks, is how long it has certainly been a voice.

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
        evidence, heard = Evidence(), 0
        async with self._fed():
            async for event in self._detecting:
                if event.type is vad.VADEventType.INFERENCE_DONE:
                    # After a flush the detector begins anew.
                    evidence = Evidence() if event.samples_index < heard else evidence
                    evidence, heard = evidence.after(event.probability, self._window_s), event.samples_index
                    by_words_s = WORDS_S if self._whole.words_heard and event.speaking else 0.0
                    self._event_ch.send_nowait(replace(event, speech_duration=max(evidence.speech_s, by_words_s)))
                    continue
                self._whole.words_heard = False
                if event.type is vad.VADEventType.END_OF_SPEECH:
                    evidence = Evidence(smoothed=evidence.smoothed)
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
