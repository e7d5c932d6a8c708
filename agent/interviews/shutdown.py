"""Shutdown of an interview or a process, step by step: one that fails keeps none of those after it from being taken."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

_log = logging.getLogger(__name__)


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
