"""Following of interviews: the record is polled once for each interview that is watched, however many watch it.

What was read is kept once, and each reader goes through it at its own pace: a reader that never reads holds a place in
it, and nothing is put aside for it. The interview itself knows nothing of all this.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from domain.events import InterviewEnded
from review import RecordError, RecordStore, Stored
from review.monitor.activity import activity_line
from review.monitor.runtime import monitored

POLL_S = 0.25
"""How soon what is recorded is told. A poll that finds nothing new is one look into SQLite's index."""

KEEP_OPEN_S = 15.0
"""After so long without anything new a reader's line is shown to be open."""
MOST_AT_ONCE = 200
"""Messages that a reader is handed together."""

_DELETED = "This interview was deleted."


@dataclass(frozen=True, slots=True)
class Told:
    """One message to a reader."""

    name: Literal["activity", "state", "ended", "problem"]
    data: str
    """JSON."""
    seq: int | None = None
    """Number of the event that an activity is about."""
    sent: bytes = field(init=False, repr=False, compare=False)
    """As it goes over the line, made once for all readers (https://html.spec.whatwg.org/#server-sent-events)."""

    def __post_init__(self) -> None:
        number = "" if self.seq is None else f"id: {self.seq}\n"
        object.__setattr__(self, "sent", f"event: {self.name}\ndata: {self.data}\n{number}\n".encode())


@dataclass(slots=True)
class _Watched:
    """An interview that somebody watches."""

    interview_id: str
    readers: int = 0
    stored: list[Stored] = field(default_factory=list)
    """Its record so far."""
    lines: list[Told] = field(default_factory=list)
    """A line for each event; the first has number 1."""
    state: Told | None = None
    last: Told | None = None
    """What is told last: that it has ended, or what failed."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    poller: asyncio.Task[None] | None = None


class Following:
    """The interviews that are watched in this process.

    Args:
        store: the record.
        nodes: gives the names of the graph's nodes; called in a thread.
        poll_s: how often the record is looked at.
        keep_open_s: how long nothing may be told.
    """

    def __init__(
        self,
        store: RecordStore,
        nodes: Callable[[], frozenset[str]],
        *,
        poll_s: float = POLL_S,
        keep_open_s: float = KEEP_OPEN_S,
    ) -> None:
        self._store = store
        self._nodes = nodes
        self._poll_s = poll_s
        self._keep_open_s = keep_open_s
        self._watched: dict[str, _Watched] = {}

    @property
    def watched(self) -> dict[str, int]:
        """How many read of each interview that is watched."""
        return {each.interview_id: each.readers for each in self._watched.values()}

    async def batches(self, interview_id: str, after: int = 0) -> AsyncGenerator[Sequence[Told], None]:
        """Every event whose number is above `after`, in order, once, and the state that they led to.

        Together comes what there is at a time, and an empty batch when there was nothing for long. It ends when the
        interview has ended, was deleted, or cannot be read.
        """
        watched = self._join(interview_id)
        place = after
        state: Told | None = None
        try:
            while True:
                # In this order: whatever comes after it was looked at wakes the reader again.
                changed = watched.changed
                batch = watched.lines[place : place + MOST_AT_ONCE]
                place += len(batch)
                if place >= len(watched.lines) and watched.state is not None and watched.state is not state:
                    state = watched.state
                    batch.append(state)
                if batch:
                    yield batch
                elif watched.last is not None:
                    yield [watched.last]
                    return
                elif not await _within(changed, self._keep_open_s):
                    yield []
        finally:
            self._leave(watched)

    def _join(self, interview_id: str) -> _Watched:
        watched = self._watched.setdefault(interview_id, _Watched(interview_id))
        watched.readers += 1
        if watched.poller is None:
            watched.poller = asyncio.create_task(self._poll(watched))
        return watched

    def _leave(self, watched: _Watched) -> None:
        watched.readers -= 1
        if not watched.readers:
            self._forget(watched)
            if watched.poller is not None:
                watched.poller.cancel()

    def _forget(self, watched: _Watched) -> None:
        if self._watched.get(watched.interview_id) is watched:
            del self._watched[watched.interview_id]

    async def _poll(self, watched: _Watched) -> None:
        try:
            while watched.last is None:
                found = await asyncio.to_thread(self._read, watched.interview_id, tuple(watched.stored))
                if self._add(watched, *found):
                    _wake(watched)
                await asyncio.sleep(self._poll_s)
        except RecordError as error:
            watched.last = _problem(str(error))
        finally:
            # Whoever comes now begins anew: one that has ended may be read again, and one that failed may be well.
            self._forget(watched)
            watched.last = watched.last or _problem("The interview cannot be followed any more. The log says why.")
            _wake(watched)

    def _read(self, interview_id: str, before: tuple[Stored, ...]) -> tuple[list[Stored], Told | None]:
        """Events that are new, and the state that they lead to. Runs in a thread.

        Raises:
            RecordError: the record cannot be read, or has no such interview.
        """
        found = self._store.events(interview_id, len(before))
        if not found:
            if not self._store.length(interview_id):
                raise RecordError(_DELETED)
            return [], None
        now = monitored(interview_id, [*before, *found], nodes=self._nodes())
        return found, Told("state", now.model_dump_json()) if now else None

    def _add(self, watched: _Watched, found: list[Stored], state: Told | None) -> bool:
        watched.stored += found
        watched.lines += [Told("activity", activity_line(one).model_dump_json(), one.seq) for one in found]
        watched.state = state or watched.state
        if any(isinstance(one.event, InterviewEnded) for one in found):
            watched.last = Told("ended", "{}")
        return bool(found)


async def _within(changed: asyncio.Event, most_s: float) -> bool:
    try:
        await asyncio.wait_for(changed.wait(), most_s)
    except TimeoutError:
        return False
    return True


def _wake(watched: _Watched) -> None:
    changed, watched.changed = watched.changed, asyncio.Event()
    changed.set()


def _problem(sentence: str) -> Told:
    return Told("problem", json.dumps({"detail": sentence}))
