"""Transcript of the turn: the candidate's words with the times at which they were said, gathered until it is over."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from itertools import pairwise, zip_longest

from livekit import rtc
from livekit.agents import stt

from agent.endpointing.melody import Melody
from agent.endpointing.pauses import SHORTEST_S, Pauses
from domain.events import AnswerTaken, UtteranceHeard, Word, heard_unsurely


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
    """Final transcripts of the turn that is going on, and how this candidate pauses."""

    def __init__(self, timeline: AudioTimeline) -> None:
        self._timeline = timeline
        self._words: list[Word] = []
        self._pauses = Pauses()
        self._melody = Melody()
        self._sounds: dict[int, float | None] = {}
        """What the sound of the turn's pauses said, by the number of words before each."""
        self._at_ends: tuple[float | None, float | None] = (None, None)
        """What it said where the last two turns were taken as over."""
        self.cut_offs = 0
        """How often the candidate went on after a turn of theirs had been taken as over."""

    def restore(self, answers: Sequence[AnswerTaken]) -> None:
        """Know of this candidate what an earlier process had learned: their pauses, and how often they were cut off."""
        self.cut_offs = sum(answer.continues for answer in answers)
        for answer, following in zip_longest(answers, answers[1:]):
            if following is None or not following.continues:  # else its words are the beginning of those that follow
                self._pauses = self._pauses.heard(_gaps_s(answer.words))

    def timed(self, audio: AsyncIterable[rtc.AudioFrame]) -> AsyncIterator[rtc.AudioFrame]:
        """Pass frames on, so that the recogniser's times can be told as the clock's."""
        return self._timeline.watch(audio)

    @property
    def pauses(self) -> Pauses:
        """The pauses of the whole interview after which the candidate went on, those of this turn included."""
        return self._pauses.heard(_gaps_s(self._words))

    @property
    def melody(self) -> Melody:
        """How the candidate sounded in those pauses, as far as it was judged in time."""
        return self._melody.heard(
            by_sound
            for words, by_sound in self._sounds.items()
            if 0 < words < len(self._words)
            and self._words[words].start_at - self._words[words - 1].end_at >= SHORTEST_S
        )

    def sounded(self, by_sound: float | None) -> None:
        """What the sound of the silence after the words so far said of the chance that the turn is over, 0 to 1."""
        self._sounds[len(self._words)] = by_sound

    @property
    def voice_ended_at(self) -> float | None:
        """When the last word of the turn ended, in seconds since the epoch; None before its first."""
        return self._words[-1].end_at if self._words else None

    def heard(self, event: stt.SpeechEvent) -> UtteranceHeard | None:
        """The utterance that a recogniser's event completes, if it does; it is not the turn's before `add`."""
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
        return UtteranceHeard(at=words[-1].end_at, text=heard.text, words=words) if words else None

    def add(self, utterance: UtteranceHeard) -> None:
        """These words belong to the turn."""
        self._words += utterance.words

    @property
    def text(self) -> str:
        """All words of the turn so far."""
        return text_of(self._words)

    @property
    def unsure(self) -> tuple[int, ...]:
        """The places of words of the turn, from 0, that may not be what was said."""
        return heard_unsurely(self._words)

    def words_since(self, at: float) -> int:
        """How many words of the turn were said after a time, in seconds since the epoch."""
        return sum(word.start_at > at for word in self._words)

    @property
    def confidence(self) -> float:
        """The recogniser's, mean over the words of the turn, 0 to 1; 1 before its first."""
        return sum(word.confidence for word in self._words) / len(self._words) if self._words else 1.0

    def take(self) -> list[Word]:
        """All words of the turn, in order; the next turn begins empty."""
        self._pauses, self._melody = self.pauses, self.melody
        self._at_ends = (self._at_ends[1], self._sounds.get(len(self._words)))
        self._sounds = {}
        words, self._words = self._words, []
        return words

    def went_on(self, before: Sequence[Word], after: Sequence[Word]) -> None:
        """Two turns were one: the silence between them was a pause in mid-answer, and the candidate was cut off."""
        self.cut_offs += 1
        self._melody = self._melody.heard(self._at_ends[:1])  # the second of them was the end of what followed
        self._pauses = self._pauses.heard(_gaps_s([*before[-1:], *after[:1]]))


def text_of(words: Iterable[Word]) -> str:
    """The words as one text."""
    return " ".join(word.text for word in words)


def _gaps_s(words: Sequence[Word]) -> list[float]:
    """Seconds from the end of each word to the beginning of the next."""
    return [after.start_at - before.end_at for before, after in pairwise(words)]
