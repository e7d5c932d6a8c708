"""The candidate's words with the times at which they were said, gathered until a turn is over."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable

from livekit import rtc
from livekit.agents import stt

from review import UtteranceHeard, Word


class AudioTimeline:
    """Maps the recogniser's time (seconds of audio it was given) to the clock.

    The latest frame is the anchor: when a line drops and comes back, the audio's own time stands still and the clock
    does not, so an anchor at the beginning would drift.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard_s = 0.0
        self._anchor_at = clock()

    async def watch(self, audio: AsyncIterable[rtc.AudioFrame]) -> AsyncIterator[rtc.AudioFrame]:
        """Pass frames on and keep the anchor."""
        async for frame in audio:
            self._heard_s += frame.duration
            self._anchor_at = self._clock()
            yield frame

    def at(self, stream_s: float) -> float:
        """The clock's time of a moment of the stream, in seconds since the epoch."""
        return self._anchor_at - (self._heard_s - stream_s)


class Utterances:
    """Final transcripts of the turn that is going on."""

    def __init__(self, timeline: AudioTimeline) -> None:
        self._timeline = timeline
        self._words: list[Word] = []

    def add(self, event: stt.SpeechEvent) -> UtteranceHeard | None:
        """Take in a recogniser's event; the utterance it completes, if it does."""
        if event.type is not stt.SpeechEventType.FINAL_TRANSCRIPT or not event.alternatives:
            return None
        heard = event.alternatives[0]
        words = [
            Word(
                text=str(word).strip(),
                start_at=round(self._timeline.at(float(word.start_time)), 3),
                end_at=round(self._timeline.at(float(word.end_time)), 3),
                confidence=float(word.confidence) if isinstance(word.confidence, float) else heard.confidence,
            )
            for word in heard.words or []
            if str(word).strip() and isinstance(word.start_time, float) and isinstance(word.end_time, float)
        ]
        if not words:
            return None
        self._words += words
        return UtteranceHeard(at=words[-1].end_at, text=heard.text, words=words)

    def take(self) -> list[Word]:
        """All words of the turn, in order; the next turn begins empty."""
        words, self._words = self._words, []
        return words
