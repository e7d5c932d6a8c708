"""How long traces are kept: until their interview is deleted, and 30 days at most."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from agent.observability.trace_store import KEEP_S, TraceError, TraceStore
from review import RecordError

_log = logging.getLogger(__name__)
_EVERY_S = 24 * 3600.0


@asynccontextmanager
async def sweeping_traces(store: TraceStore, clock: Callable[[], float] = time.time) -> AsyncIterator[None]:
    """Remove old traces now and once a day while the body runs."""
    sweeping = asyncio.create_task(_sweep_daily(store, clock))
    try:
        yield
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await asyncio.to_thread(store.close)


def forget_traces(store: TraceStore, clock: Callable[[], float] = time.time) -> Callable[[str], None]:
    """What has to be called with an interview's id when the interview is deleted.

    The function raises RecordError when the traces cannot be deleted: then the interview is not to be deleted either,
    so that somebody sees it and tries again.
    """

    def forget(interview_id: str) -> None:
        try:
            store.delete(interview_id, at=clock())
        except TraceError as error:
            raise RecordError(str(error)) from error

    return forget


async def _sweep_daily(store: TraceStore, clock: Callable[[], float]) -> None:
    while True:
        try:
            removed = await asyncio.to_thread(store.sweep, before=clock() - KEEP_S)
        except TraceError as error:
            _log.warning("%s", error)
        else:
            if removed:
                _log.info("removed %d traces older than 30 days", removed)
        await asyncio.sleep(_EVERY_S)
