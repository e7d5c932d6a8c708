"""Shutdown of an interview or a process, step by step: one that fails keeps none of those after it from being taken."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from graph.in_time import OutOfTimeError, in_time

_log = logging.getLogger(__name__)

CLOSES_WITHIN_S = 10.0
"""What LiveKit is given to close a part of itself. Where the connection is lost, that may wait for the server for
ever, the job for that, and the candidate for another interviewer."""


async def take_all(steps: Mapping[str, Callable[[], Awaitable[object]]], *, of: str) -> None:
    """Take every step in order, and log each that failed.

    Args:
        steps: by what each is for, as in "could not …".
        of: what is ended, for the log.
    """
    for what, step in steps.items():
        try:
            await step()
        except Exception:  # noqa: BLE001 - the edge of what is ended: the steps after this one have to be taken all the same
            _log.exception("at the end of %s: could not %s", of, what)


async def close_in_time(close: Callable[[], Coroutine[Any, Any, object]], of: str) -> None:
    """Close something, or leave it when that takes too long.

    Args:
        close: does it.
        of: what is closed, for the log.
    """
    try:
        await in_time(close(), CLOSES_WITHIN_S)
    except OutOfTimeError:
        _log.warning("%s could not be closed within %g s, and is left", of, CLOSES_WITHIN_S)
