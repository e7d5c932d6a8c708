"""Decode loop: has decoded what is due in a stream, and sends on what comes of it: interim, settled and final words."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from livekit.agents import APIConnectionError, stt

from speech.stt.events import text_of
from speech.stt.fillers import filler_prompt, fillers_in, without_fillers
from speech.stt.language_watch import LONG_ENOUGH_S, LanguageWatch, OtherLanguage
from speech.stt.recognizer import Recognition, Recognizer
from speech.stt.scheduler import Urgency
from speech.stt.stream_state import ROUNDS, SILENCE_S, DecodeJob, PendingSegment, StreamState, next_interim_s
from speech.stt.whisper import DecodeAbandonedError, DecodePrompt, SpokenLanguage
from speech.stt.word_times import HeardWord

TRIES = 2
"""How often a decode is tried in a row."""

BEFORE_WORDS = 20
"""So many words before the window are told to Whisper as text."""

_KINDS = stt.SpeechEventType


class TranscriptListener(ABC):
    """Who is told what was heard."""

    @abstractmethod
    def heard(self, kind: stt.SpeechEventType, words: Sequence[HeardWord], fillers: Sequence[HeardWord] = ()) -> None:
        """There is a transcript: words that are final now, each once, or else all words that are not final.

        `fillers` were heard before or between the words of a final one; none of them is among the words.
        """

    @abstractmethod
    def used(self, seconds: float) -> None:
        """So much audio has been transcribed for good."""

    @abstractmethod
    def other_language(self, other: OtherLanguage) -> None:
        """The candidate has spoken another language than the interview's for a while."""

    @abstractmethod
    def failed(self, failure: APIConnectionError, *, recoverable: bool) -> None:
        """A decode failed; words are missing if it is not recoverable."""


@dataclass(slots=True)
class SpeechContext:
    """What is known of a candidate before they speak."""

    languages: LanguageWatch
    hot_words: str = ""
    """Terms that are likely now, with commas between them."""


class _OvertakenError(Exception):
    """Something is due that is more urgent than what waits for the model."""


class DecodeLoop:
    """One stream's way to the model.

    Args:
        state: the stream, which says what to decode next.
        recognizer: the model, shared with other streams.
        listener: who is told.
        context: what each decode is told.
    """

    def __init__(
        self, state: StreamState, recognizer: Recognizer, listener: TranscriptListener, context: SpeechContext
    ) -> None:
        self._state = state
        self._recognizer = recognizer
        self._listener = listener
        self._context = context
        self._changed = asyncio.Event()
        self._fillers: list[HeardWord] = []
        """What was heard since the last final transcript."""

    def wake(self) -> None:
        """The stream has something new to decode."""
        self._changed.set()

    async def run(self, on_rest: Callable[[], None]) -> None:
        """Decode until the state has heard the end; `on_rest` is called whenever nothing is due."""
        try:
            while True:
                self._changed.clear()
                if (job := self._state.next_decode()) is not None:
                    await self._attend(job)
                    continue
                on_rest()
                if self._state.is_finished:
                    return
                await self._changed.wait()
        finally:
            self._recognizer.scheduler.leave(self)

    async def _attend(self, job: DecodeJob) -> None:
        segment, window = job.segment, job.segment.window
        if not segment.is_heard or job.cut:
            words = await self._decode(job)
            if words is None:
                return
            window.take(words, job.end_s, self._state.past)
        if job.cut:
            self._send_final(segment, window.given_up_to(job.end_s))
        elif segment.is_heard:
            self._finish(segment)
        else:
            self._send_final(segment, window.trimmed())
            self._show(segment)

    async def _decode(self, job: DecodeJob) -> list[HeardWord] | None:
        """The window's words; None if it has to be decoded again, with what follows or after something else."""
        segment = job.segment
        pcm = self._state.audio(job)
        start_s = segment.window.start_s
        prompt = DecodePrompt(
            hot_words=self._context.hot_words,
            manner=filler_prompt(self._context.languages.language),
            before=self._before(start_s),
            language=self._context.languages.language,
            detect=job.end_s - start_s >= LONG_ENOUGH_S,
        )
        patient = job.urgency is not Urgency.INTERIM

        overtaken = threading.Event()

        def decode() -> Recognition | None:
            return self._recognizer.hear(pcm, prompt, patient=patient, wanted=lambda: not overtaken.is_set())

        began = time.monotonic()
        heard = None
        for tries in range(1, TRIES + 1):
            try:
                heard = await self._turn(job, decode, overtaken)
                break
            except (_OvertakenError, DecodeAbandonedError):
                return None
            except Exception as error:  # noqa: BLE001 (whatever the model raises: later speech must still be heard)
                self._failed(job, tries, error)
        if heard is not None and heard.spoken:
            self._note_language(heard.spoken, job.end_s - max(start_s, segment.tried_to_s))
        segment.tried_to_s = job.end_s
        segment.next_interim_s = next_interim_s(job.end_s, time.monotonic() - began)
        return None if heard is None else [word.shifted(start_s) for word in heard.words]

    def _before(self, start_s: float) -> str:
        """What was said just before the window, as text."""
        before = [word for word in self._state.past if word.end_s <= start_s]
        return text_of(before[-BEFORE_WORDS:], self._context.languages.language)

    def _note_language(self, spoken: SpokenLanguage, new_s: float) -> None:
        if (other := self._context.languages.heard(spoken, new_s)) is not None:
            self._listener.other_language(other)

    async def _turn(
        self, job: DecodeJob, decode: Callable[[], Recognition | None], overtaken: threading.Event
    ) -> Recognition | None:
        """Wait for the model and its answer, unless something more urgent is due, or the pause it was for is no more.

        What waits for its turn is taken back; what is being decoded is told by `overtaken`, and may stop half-way.
        """
        future = self._recognizer.scheduler.submit(self, job.urgency, decode)
        answer = asyncio.wrap_future(future)
        answer.add_done_callback(lambda _: self._changed.set())
        try:
            while job.urgency is not Urgency.FINAL and not answer.done():
                self._changed.clear()
                await self._changed.wait()
                if self._state.has_overtaken(job):
                    if future.cancel():
                        raise _OvertakenError
                    overtaken.set()
            return await answer
        finally:
            future.cancel()

    def _failed(self, job: DecodeJob, tries: int, error: Exception) -> None:
        """Say what becomes of words that could not be decoded; they are kept as long as there is hope."""
        segment = job.segment
        if tries < TRIES:
            outcome = "it is tried once more"
        elif job.urgency is not Urgency.FINAL:
            outcome = "it is tried again with what follows"
        elif segment.rounds + 1 < ROUNDS:
            outcome = "it is kept, and tried again after the next words"
        else:
            outcome = "these words are missing in the transcript"
        seconds = job.end_s - segment.window.start_s
        failure = APIConnectionError(f"{seconds:.1f} s of speech could not be decoded: {outcome}")
        failure.__cause__ = error
        if tries == TRIES and job.urgency is Urgency.FINAL:
            self._put_off(job)
        self._listener.failed(failure, recoverable=not outcome.endswith("transcript"))

    def _put_off(self, job: DecodeJob) -> None:
        """What is known becomes final; the rest waits for its next round, or is given up after the last one."""
        segment, window = job.segment, job.segment.window
        segment.rounds += 1
        known_to_s = window.words[-1].end_s if window.words else window.final_to_s
        self._send_final(segment, window.given_up_to(known_to_s))
        if segment.rounds < ROUNDS:
            return
        if job.cut:
            window.given_up_to(job.end_s)
            segment.rounds = 0
        else:
            self._state.segments.remove(segment)

    def _finish(self, segment: PendingSegment) -> None:
        self._state.segments.remove(segment)
        assert segment.end_s is not None
        self._send_final(segment, segment.window.given_up_to(segment.end_s))
        if segment.shown:
            self._listener.heard(_KINDS.INTERIM_TRANSCRIPT, ())

    def _send_final(self, segment: PendingSegment, words: Sequence[HeardWord]) -> None:
        self._state.past.extend(words)
        self._fillers += fillers_in(words)
        if said := without_fillers(words):
            self._listener.heard(_KINDS.FINAL_TRANSCRIPT, said, self._fillers)
            self._fillers = []
            segment.shown = ""
        if segment.window.final_to_s > segment.used_to_s:
            self._listener.used(segment.window.final_to_s - segment.used_to_s)
            segment.used_to_s = segment.window.final_to_s

    def _show(self, segment: PendingSegment) -> None:
        """Send what may still change, if it is news."""
        words = without_fillers(segment.window.words)
        text = text_of(words, self._context.languages.language)
        pauses = self._state.silence_s(segment) >= SILENCE_S
        if words and pauses:
            self._listener.heard(_KINDS.PREFLIGHT_TRANSCRIPT, words)
        elif text != segment.shown:
            self._listener.heard(_KINDS.INTERIM_TRANSCRIPT, words)
        segment.shown = text
