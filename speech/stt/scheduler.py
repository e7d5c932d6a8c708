"""Scheduler of one model for all interviews of a process: who is next, and a thread that does one thing at a time.

A final transcript goes before what is decoded in mid-speech, and among equals whoever was served longest ago goes
first, so that an interview with much to decode does not hold up the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

T = TypeVar("T")


class Urgency(IntEnum):
    """Who waits for the result; a lower number goes first."""

    FINAL = 0
    """The speech is over, and the candidate waits for an answer."""
    PAUSE = 1
    """The candidate pauses; perhaps the speech is over."""
    INTERIM = 2
    """The candidate speaks, and will go on."""
    SPARE = 3
    """Nobody waits."""


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """Something that waits for the model."""

    owner: Hashable
    urgency: Urgency
    job: Callable[[], Any] = field(compare=False)
    result: Future[Any] = field(compare=False)


def next_up(waiting: Sequence[QueuedJob], served: Mapping[Hashable, int]) -> int:
    """The index of the job that is next; `served` numbers the owners in the order of their last turn."""
    return min(range(len(waiting)), key=lambda at: (waiting[at].urgency, served.get(waiting[at].owner, -1), at))


class FairScheduler:
    """Lets owners take turns at a model. Thread-safe, and independent of event loops.

    The thread lives as long as there is something to do, so that nothing has to be closed, and a process that ends
    waits for no more than what is being computed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[QueuedJob] = []
        self._served: dict[Hashable, int] = {}
        self._count = 0
        self._working = False

    def submit(self, owner: Hashable, urgency: Urgency, job: Callable[[], T]) -> Future[T]:
        """Have `job` done when it is the owner's turn. A result that is cancelled while it waits is never computed."""
        result: Future[T] = Future()
        with self._lock:
            self._waiting = [each for each in self._waiting if not each.result.cancelled()]
            self._waiting.append(QueuedJob(owner, urgency, job, result))
            start, self._working = not self._working, True
        if start:
            threading.Thread(target=self._work, name="recognizer").start()
        return result

    def leave(self, owner: Hashable) -> None:
        """Forget an owner that will not come again."""
        with self._lock:
            self._served.pop(owner, None)

    def _work(self) -> None:
        while (queued := self._take()) is not None:
            try:
                value = queued.job()
            except BaseException as error:  # noqa: BLE001 (whoever waits for the result is told)
                queued.result.set_exception(error)
            else:
                queued.result.set_result(value)

    def _take(self) -> QueuedJob | None:
        with self._lock:
            while self._waiting:
                queued = self._waiting.pop(next_up(self._waiting, self._served))
                if queued.result.set_running_or_notify_cancel():
                    self._count += 1
                    self._served[queued.owner] = self._count
                    return queued
            self._working = False
            return None
