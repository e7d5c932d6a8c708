"""Writer of the record, in a thread of its own: the conversation never waits for the disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from domain.events import Event
from review.record.store import InterviewDeletedError, RecordError, RecordStore

FIRST_RETRY_S = 0.1
LAST_RETRY_S = 2.0

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Flush:
    """Someone waits until everything before this is written."""

    loop: asyncio.AbstractEventLoop
    written: asyncio.Future[bool]

    def resolve(self, *, written: bool) -> None:
        """Tell the one who waits, from the writer's thread."""
        # A closed loop waits for nothing.
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._set, written)

    def _set(self, written: bool) -> None:  # noqa: FBT001 - call_soon_threadsafe passes no keywords
        if not self.written.done():
            self.written.set_result(written)


class RecordWriter:
    """Appends events to the record in a thread of its own, in the order in which they were put.

    When the record cannot be written (a full disk, a locked file), `on_problem` is called once with a sentence, the
    events stay in memory, and writing is tried again until it succeeds or the writer is closed. When the interview is
    deleted meanwhile, its further events are dropped.

    Args:
        store: The record.
        interview_id: The interview.
        on_problem: Called from the writer's thread. Without it the sentence is logged as a warning.
    """

    def __init__(
        self, store: RecordStore, interview_id: str, *, on_problem: Callable[[str], None] | None = None
    ) -> None:
        self._store = store
        self._interview_id = interview_id
        self._on_problem = on_problem or _logger.warning
        self._waiting: deque[Event | _Flush] = deque()
        self._changed = threading.Condition()
        self._closes_at: float | None = None
        self._reported = False
        self._deleted = False
        self._thread = threading.Thread(target=self._run, name=f"record {interview_id}", daemon=True)
        self._thread.start()

    def put(self, event: Event) -> None:
        """Have an event recorded. Never blocks and never fails; usable from any thread.

        Raises:
            RuntimeError: the writer is closed.
        """
        self._add(event)

    async def flush(self) -> bool:
        """Wait until all events put so far are in the record.

        Returns:
            False when they could not be written at the moment; they are kept and tried again.
        """
        loop = asyncio.get_running_loop()
        flush = _Flush(loop, loop.create_future())
        self._add(flush)
        return await flush.written

    def close(self, timeout_s: float = 5.0) -> int:
        """Write what is waiting and end the thread. May be called more than once.

        Args:
            timeout_s: How long to go on trying if the record cannot be written.

        Returns:
            How many events could not be written and are lost.
        """
        with self._changed:
            if self._closes_at is None:
                self._closes_at = time.monotonic() + timeout_s
            self._changed.notify()
        self._thread.join()
        return len(self._waiting)

    def _add(self, item: Event | _Flush) -> None:
        with self._changed:
            if self._closes_at is not None:
                raise RuntimeError(f"The writer of interview {self._interview_id} is closed and takes no more events.")
            self._waiting.append(item)
            self._changed.notify()

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while self._await_work():
            if self._write_first():
                retry_s = FIRST_RETRY_S
            elif not self._pause(retry_s):
                break
            else:
                retry_s = min(2 * retry_s, LAST_RETRY_S)
        self._report_lost()

    def _await_work(self) -> bool:
        """Wait for something to write; False when there will be nothing more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closes_at is not None)
            return bool(self._waiting)

    def _write_first(self) -> bool:
        """Write what has waited longest; False when that failed and it has to wait on."""
        first = self._waiting[0]
        if isinstance(first, _Flush):
            first.resolve(written=True)
        elif not self._deleted:
            try:
                self._store.append(self._interview_id, first)
            except InterviewDeletedError as error:
                self._deleted = True
                self._on_problem(str(error))
            except RecordError as error:
                self._report(error)
                return False
        self._waiting.popleft()
        return True

    def _report(self, error: RecordError) -> None:
        """Tell of the problem once, and everyone who waits for a flush that it did not work now."""
        with self._changed:
            flushes = [item for item in self._waiting if isinstance(item, _Flush)]
            for flush in flushes:
                self._waiting.remove(flush)
        for flush in flushes:
            flush.resolve(written=False)
        if not self._reported:
            self._reported = True
            self._on_problem(str(error))

    def _pause(self, retry_s: float) -> bool:
        """Wait before the next attempt; False when the writer is closed and there is no time for another."""
        with self._changed:
            self._changed.wait_for(lambda: self._closes_at is not None, timeout=retry_s)
            closes_at = self._closes_at
        if closes_at is None:
            return True
        time.sleep(FIRST_RETRY_S)
        return time.monotonic() < closes_at

    def _report_lost(self) -> None:
        if self._waiting:
            self._on_problem(
                f"{len(self._waiting)} events of interview {self._interview_id} could not be written and are lost. "
                f"See to {self._store.path} before the next interview."
            )
