"""Time limit that is kept whatever the work does: who does not let go when cancelled is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class OutOfTimeError(TimeoutError):
    """The work took too long; it was cancelled, and may not have ended yet."""


async def in_time(work: Coroutine[Any, Any, Result], seconds: float | None) -> Result:
    """What the work returns, or raises, when it is over in time.

    `asyncio.timeout` waits until what it cancelled has ended, and a candidate would wait with it.

    Args:
        work: what is waited for.
        seconds: how long; None for no limit.

    Raises:
        OutOfTimeError: it took longer.
    """
    run = asyncio.ensure_future(work)
    try:
        await asyncio.wait({run}, timeout=seconds)
        if run.done():
            return run.result()
        raise OutOfTimeError(f"not done in {seconds:g} s")
    finally:
        if not run.done():
            run.cancel()
            run.add_done_callback(_forget)


def _forget(run: asyncio.Future[Any]) -> None:
    """What is raised where nobody waits any more concerns nobody."""
    if not run.cancelled():
        run.exception()
