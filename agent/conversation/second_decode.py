"""Second decode: an answer is heard again as a whole while the interviewer speaks, and judged by the better words.

While somebody speaks, words are decoded in windows that end wherever the speech is just then, and settle before the
sentence is over. Whole, with all that follows in sight, the same model makes fewer errors (docs/voice.md). Nothing
waits for it and nothing of it is said aloud: it is for the record and the report.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from livekit.agents import APIError

from agent.conversation.answer_audio import AnswerAudio
from domain.events import AnswerJudged, AnswerReheard, AnswerTaken, Event, Word
from domain.verdict import AnswerSpan, Evaluation
from speech import HeardWord, WhisperSTT

_log = logging.getLogger(__name__)

_AROUND_S = 0.4
"""Sound before the first word and after the last that is heard with them."""
_LOOK_EVERY_S = 0.1
_FEWEST_WORDS = 4
"""Shorter answers are decoded whole the first time."""
_LESS_SURE = 0.03
"""A second hearing that is less confident than the first by more than this has lost its way."""
_SHORTER = 0.8
"""… and so has one that has a smaller share of the words."""
_NOT_A_WORD = re.compile(r"[^\w']+")


@dataclass(frozen=True, slots=True)
class _Heard:
    """An answer that waits to be heard again."""

    taken: AnswerTaken
    hot_words: str


class SecondDecode:
    """The answers of one interview that are still to be heard again.

    Args:
        whisper: the recognizer.
        audio: the candidate's sound.
        may_decode: whether nobody needs the recognizer now: the interviewer speaks.
        judge: judges words as the answer of a turn; None when the interview knows no such turn any more.
        record: takes events.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        whisper: WhisperSTT,
        audio: AnswerAudio,
        may_decode: Callable[[], bool],
        judge: Callable[[int, str], Awaitable[Evaluation | None]],
        *,
        record: Callable[[Event], None],
        clock: Callable[[], float],
    ) -> None:
        self._whisper = whisper
        self._audio = audio
        self._may_decode = may_decode
        self._judge = judge
        self._record = record
        self._clock = clock
        self._taken: _Heard | None = None
        self._waiting: deque[_Heard] = deque(maxlen=1)
        """The last one only: an answer that was not heard again before the next one is left as it is."""
        self._news = asyncio.Event()

    def event(self, event: Event) -> None:
        """Follow the interview: an answer that was judged, and is nothing but an answer, is heard again."""
        match event:
            case AnswerTaken():
                self._taken = _Heard(event, self._whisper.context.hot_words)
                self._waiting.clear()
            case AnswerJudged(spans=spans) if self._taken and _is_whole(self._taken.taken, event.turn, spans):
                self._waiting.append(self._taken)
                self._news.set()
            case _:
                pass

    async def run(self) -> None:
        """Hear again until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                try:
                    await self._hear_again(self._waiting[0])
                except APIError as error:
                    _log.warning("an answer stays as it was heard first: %s", error)
                if self._waiting:
                    self._waiting.popleft()

    async def _hear_again(self, heard: _Heard) -> None:
        first = heard.taken
        begins_at = first.words[0].start_at - _AROUND_S
        frames = self._audio.between(begins_at, first.words[-1].end_at + _AROUND_S)
        if not frames:
            return
        found = await self._whisper.decode_again(frames, heard.hot_words, lambda: self._free(heard))
        if found is None or not is_better(first.words, found):
            return
        words = [_at(word, begins_at) for word in found]
        text = " ".join(word.text for word in words)
        judged = await self._judge(first.turn, text)
        if judged is not None and self._waiting and self._waiting[0] is heard:
            self._record(AnswerReheard(at=self._clock(), turn=first.turn, text=text, words=words, judged=judged))

    async def _free(self, heard: _Heard) -> bool:
        """Wait until nobody needs the recognizer; False when the answer was taken back, or another one came."""
        while self._waiting and self._waiting[0] is heard:
            if self._may_decode():
                return True
            await asyncio.sleep(_LOOK_EVERY_S)
        return False


def is_better(first: Sequence[Word], again: Sequence[HeardWord]) -> bool:
    """Whether a second hearing says something else, and may be believed."""
    if not again or _spoken(word.text for word in first) == _spoken(word.text for word in again):
        return False
    sure = sum(word.confidence for word in again) / len(again)
    was_sure = sum(word.confidence for word in first) / len(first)
    return sure >= was_sure - _LESS_SURE and len(again) >= _SHORTER * len(first)


def _spoken(words: Iterable[str]) -> list[str]:
    return [word for text in words for word in _NOT_A_WORD.split(text.lower()) if word]


def _is_whole(taken: AnswerTaken, turn: int, spans: Sequence[AnswerSpan]) -> bool:
    """Whether all words of the turn, and no others, were judged as the answer."""
    count = len(taken.words)
    return (
        taken.turn == turn
        and count >= _FEWEST_WORDS
        and tuple(spans) in ((), (AnswerSpan(turn=turn, first_word=0, last_word=count - 1),))
    )


def _at(word: HeardWord, begins_at: float) -> Word:
    return Word(
        text=word.text,
        start_at=round(begins_at + word.start_s, 3),
        end_at=round(begins_at + word.end_s, 3),
        confidence=word.confidence,
    )
