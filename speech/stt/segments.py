"""Segments of speech: from when the voice activity detector hears a voice until it hears none.

Pure: times in, stretches out. All times are seconds from the start of the stream.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LEAD_S = 0.4
"""How much before the detected speech a stretch begins: the detector hears soft beginnings late."""

TAIL_S = 0.25
"""How much after the last voice it ends."""


@dataclass(frozen=True, slots=True)
class SpeechSegment:
    """A part of the stream in which somebody speaks."""

    start_s: float
    end_s: float


@dataclass(slots=True)
class Segmenter:
    """Follows a voice activity detector through one stream and says from where to where there is speech."""

    voice_s: float = field(default=0.0, init=False)
    """Until when there was a voice last."""
    _start_s: float | None = field(default=None, init=False)
    _cut_s: float = field(default=0.0, init=False)

    @property
    def start_s(self) -> float | None:
        """The beginning of the speech that goes on; None while nobody speaks."""
        return self._start_s

    def started(self, at_s: float, speech_s: float) -> None:
        """The detector fired at `at_s`, after `speech_s` of speech."""
        self._start_s = max(self._cut_s, at_s - speech_s - LEAD_S, 0.0)
        self.voice_s = at_s

    def went_on(self, at_s: float, silence_s: float) -> None:
        """The detector has heard up to `at_s`, the last `silence_s` of it without voice."""
        if self._start_s is not None:
            self.voice_s = max(self.voice_s, at_s - silence_s)

    def ended(self, at_s: float, silence_s: float) -> SpeechSegment | None:
        """The detector says at `at_s` that the speech is over, after `silence_s` of silence."""
        self.went_on(at_s, silence_s)
        stretch = self.flushed(at_s)
        self._start_s = None
        return stretch

    def flushed(self, at_s: float) -> SpeechSegment | None:
        """Someone wants the words up to `at_s` now; the speech may go on. None if there was no voice since the last."""
        if self._start_s is None or self.voice_s <= self._start_s:
            return None
        stretch = SpeechSegment(self._start_s, min(at_s, self.voice_s + TAIL_S))
        self._start_s = self._cut_s = stretch.end_s
        return stretch
