"""Writes an interview by text into the record, so that report, replay and lists show it as they show a spoken one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from agent.http.text.clock import SessionClock
from agent.interviews.topic_wishes import last_topic_wish
from domain.events import AnswerTaken, Event, SpeechEnded, SpeechStarted
from domain.topic_wish import TopicWish
from domain.vocabulary import SpeechKind
from review import RecordStore, RecordWriter

_log = logging.getLogger(__name__)


class TextRecord:
    """The record of one session while it is live.

    What the graph tells is written behind its back and, when the disk fails, kept and tried again. An answer is written
    at once or not at all, before the graph gets it: whoever sent it knows whether it arrived.

    Args:
        store: the record.
        session_id: the session.
        clock: the session's time.
    """

    def __init__(self, store: RecordStore, session_id: str, clock: SessionClock) -> None:
        self._store = store
        self._session_id = session_id
        self._clock = clock
        self._writer = RecordWriter(store, session_id, on_problem=_log.error)
        self._watch: Callable[[Event], None] = _look_away

    def watched_by(self, watch: Callable[[Event], None]) -> None:
        """Tell somebody every event as well."""
        self._watch = watch

    def put(self, event: Event) -> None:
        """Have an event recorded soon."""
        self._writer.put(event)
        self._watch(event)

    def said(self, kind: SpeechKind, text: str, turn: int, question_id: str) -> None:
        """Record words of the interviewer's. They are read and not heard, so they take no time."""
        at = self._clock()
        self.put(SpeechStarted(at=at, speech=kind, text=text, turn=turn, question_id=question_id))
        self.put(SpeechEnded(at=at, speech=kind, heard=text, interrupted=False, turn=turn, question_id=question_id))

    async def take(self, answer: AnswerTaken) -> None:
        """Record what the candidate sent, now.

        Raises:
            RecordError: it could not be written; nothing was.
        """
        await self.flush()
        await asyncio.to_thread(self._store.append, self._session_id, answer)

    async def topic_wish(self) -> TopicWish | None:
        """The last wish of whoever watches for a topic to ask about."""
        return await last_topic_wish(self._store, self._session_id)

    async def flush(self) -> bool:
        """Wait until everything is written; False when it cannot be at the moment."""
        return await self._writer.flush()

    async def close(self) -> None:
        """Write what is waiting, and end."""
        await asyncio.to_thread(self._writer.close)


def _look_away(_: Event) -> None:
    """Nobody watches yet."""
