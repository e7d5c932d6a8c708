"""Has decoded what an ear says is due, and sends on what comes of it: interim, settled and final words."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from livekit.agents import APIConnectionError, stt

from speech.stt.events import text_of
from speech.stt.fillers import filler_prompt, fillers_in, without_fillers
from speech.stt.language_watch import LONG_ENOUGH_S, LanguageWatch, OtherLanguage
from speech.stt.recognizer import Hearing, Transcript
from speech.stt.scheduler import Urgency
from speech.stt.stream_state import ROUNDS, SILENCE_S, Due, Ear, Passage, next_interim_s
from speech.stt.whisper import Cue, SpokenLanguage
from speech.stt.word_times import HeardWord

TRIES = 2
"""How often a decode is tried in a row."""

BEFORE_WORDS = 20
"""So many words before the window are told to Whisper as text."""

_KINDS = stt.SpeechEventType


class Listener(ABC):
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
class Context:
    """What is known of a candidate before they speak."""

    languages: LanguageWatch
    hot_words: str = ""
    """Terms that are likely now, with commas between them."""


class _OvertakenError(Exception):
    """Something is due that is more urgent than what waits for the model."""


class Transcriber:
    """One stream's way to the model.

    Args:
        ear: what is due.
        hearing: the model, shared with other streams.
        listener: who is told.
        context: what each decode is told.
    """

    def __init__(self, ear: Ear, hearing: Hearing, listener: Listener, context: Context) -> None:
        self._ear = ear
        self._hearing = hearing
        self._listener = listener
        self._context = context
        self._changed = asyncio.Event()
        self._fillers: list[HeardWord] = []
        """What was heard since the last final transcript."""

    def wake(self) -> None:
        """The ear has heard something."""
        self._changed.set()

    async def run(self, on_rest: Callable[[], None]) -> None:
        """Decode until the ear has heard the end; `on_rest` is called whenever nothing is due."""
        try:
            while True:
                self._changed.clear()
                if (due := self._ear.due()) is not None:
                    await self._attend(due)
                    continue
                on_rest()
                if self._ear.is_finished:
                    return
                await self._changed.wait()
        finally:
            self._hearing.turns.leave(self)

    async def _attend(self, due: Due) -> None:
        passage, window = due.passage, due.passage.window
        if not passage.is_heard or due.cut:
            words = await self._decode(due)
            if words is None:
                return
            window.take(words, due.end_s)
        if due.cut:
            self._send_final(passage, window.given_up_to(due.end_s))
        elif passage.is_heard:
            self._finish(passage)
        else:
            self._send_final(passage, window.trimmed())
            self._show(passage)

    async def _decode(self, due: Due) -> list[HeardWord] | None:
        """The window's words; None if it has to be decoded again, with what follows or after something else."""
        passage = due.passage
        pcm = self._ear.audio(due)
        start_s = passage.window.start_s
        cue = Cue(
            hot_words=self._context.hot_words,
            manner=filler_prompt(self._context.languages.language),
            before=self._before(start_s),
            language=self._context.languages.language,
            detect=due.end_s - start_s >= LONG_ENOUGH_S,
        )
        patient = due.urgency is not Urgency.INTERIM

        def job() -> Transcript | None:
            return self._hearing.hear(pcm, cue, patient=patient)

        began = time.monotonic()
        heard = None
        for tries in range(1, TRIES + 1):
            try:
                heard = await self._turn(due, job)
                break
            except _OvertakenError:
                return None
            except Exception as error:  # noqa: BLE001 (whatever the model raises: later speech must still be heard)
                self._failed(due, tries, error)
        if heard is not None and heard.spoken:
            self._note_language(heard.spoken, due.end_s - max(start_s, passage.tried_to_s))
        passage.tried_to_s = due.end_s
        passage.next_interim_s = next_interim_s(due.end_s, time.monotonic() - began)
        return None if heard is None else [word.shifted(start_s) for word in heard.words]

    def _before(self, start_s: float) -> str:
        """What was said just before the window, as text."""
        before = [word for word in self._ear.past if word.end_s <= start_s]
        return text_of(before[-BEFORE_WORDS:], self._context.languages.language)

    def _note_language(self, spoken: SpokenLanguage, new_s: float) -> None:
        if (other := self._context.languages.heard(spoken, new_s)) is not None:
            self._listener.other_language(other)

    async def _turn(self, due: Due, job: Callable[[], Transcript | None]) -> Transcript | None:
        """Wait for the model and its answer, unless something more urgent is due before it is this one's turn."""
        future = self._hearing.turns.submit(self, due.urgency, job)
        answer = asyncio.wrap_future(future)
        answer.add_done_callback(lambda _: self._changed.set())
        try:
            while due.urgency is not Urgency.FINAL and not answer.done():
                self._changed.clear()
                await self._changed.wait()
                now = self._ear.due()
                if now is not None and now.urgency < due.urgency and future.cancel():
                    raise _OvertakenError
            return await answer
        finally:
            future.cancel()

    def _failed(self, due: Due, tries: int, error: Exception) -> None:
        """Say what becomes of words that could not be decoded; they are kept as long as there is hope."""
        passage = due.passage
        if tries < TRIES:
            outcome = "it is tried once more"
        elif due.urgency is not Urgency.FINAL:
            outcome = "it is tried again with what follows"
        elif passage.rounds + 1 < ROUNDS:
            outcome = "it is kept, and tried again after the next words"
        else:
            outcome = "these words are missing in the transcript"
        seconds = due.end_s - passage.window.start_s
        failure = APIConnectionError(f"{seconds:.1f} s of speech could not be decoded: {outcome}")
        failure.__cause__ = error
        if tries == TRIES and due.urgency is Urgency.FINAL:
            self._put_off(due)
        self._listener.failed(failure, recoverable=not outcome.endswith("transcript"))

    def _put_off(self, due: Due) -> None:
        """What is known becomes final; the rest waits for its next round, or is given up after the last one."""
        passage, window = due.passage, due.passage.window
        passage.rounds += 1
        known_to_s = window.words[-1].end_s if window.words else window.final_to_s
        self._send_final(passage, window.given_up_to(known_to_s))
        if passage.rounds < ROUNDS:
            return
        if due.cut:
            window.given_up_to(due.end_s)
            passage.rounds = 0
        else:
            self._ear.passages.remove(passage)

    def _finish(self, passage: Passage) -> None:
        self._ear.passages.remove(passage)
        assert passage.end_s is not None
        self._send_final(passage, passage.window.given_up_to(passage.end_s))
        if passage.shown:
            self._listener.heard(_KINDS.INTERIM_TRANSCRIPT, ())

    def _send_final(self, passage: Passage, words: Sequence[HeardWord]) -> None:
        self._ear.past.extend(words)
        self._fillers += fillers_in(words)
        if said := without_fillers(words):
            self._listener.heard(_KINDS.FINAL_TRANSCRIPT, said, self._fillers)
            self._fillers = []
            passage.shown = ""
        if passage.window.final_to_s > passage.used_to_s:
            self._listener.used(passage.window.final_to_s - passage.used_to_s)
            passage.used_to_s = passage.window.final_to_s

    def _show(self, passage: Passage) -> None:
        """Send what may still change, if it is news."""
        words = without_fillers(passage.window.words)
        text = text_of(words, self._context.languages.language)
        pauses = self._ear.silence_s(passage) >= SILENCE_S
        if words and pauses:
            self._listener.heard(_KINDS.PREFLIGHT_TRANSCRIPT, words)
        elif text != passage.shown:
            self._listener.heard(_KINDS.INTERIM_TRANSCRIPT, words)
        passage.shown = text
