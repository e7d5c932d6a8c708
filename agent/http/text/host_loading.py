"""Lazy loading: makes interviews possible when the first is asked for, once for all, while everything else goes on."""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from agent.http.problems import RETRY_AFTER_S, ProblemError
from agent.settings import Settings

if TYPE_CHECKING:
    from agent.interviews.host import InterviewHost

_log = logging.getLogger(__name__)

LOADING_PATIENCE_S = 60.0
"""How long a request waits for the models before it is told to come again."""

Load = Callable[[Settings, AsyncExitStack], "Awaitable[InterviewHost]"]


async def load_host(settings: Settings, opened: AsyncExitStack) -> InterviewHost:
    """Load the real thing. The import alone takes seconds, so it is done in a thread as well."""
    await asyncio.to_thread(importlib.import_module, "agent.http.text.opening")
    from agent.http.text.opening import EXPECTED, open_host  # noqa: PLC0415 - loaded by the line before

    try:
        return await open_host(settings, opened)
    except EXPECTED as error:
        raise ProblemError("still-loading", f"Interviews cannot be held at the moment: {error}") from error


class HostLoader:
    """Loads when it is first asked, and again after a failure.

    Args:
        settings: the settings in force.
        load: loads; what it opens, it has closed with the stack.
        patience_s: how long a request waits.
    """

    def __init__(self, settings: Settings, load: Load = load_host, *, patience_s: float = LOADING_PATIENCE_S) -> None:
        self._settings = settings
        self._load = load
        self._patience_s = patience_s
        self._opened = AsyncExitStack()
        self._task: asyncio.Task[InterviewHost] | None = None

    @property
    def loaded(self) -> InterviewHost | None:
        """What is loaded; None as long as nobody needed it."""
        done = self._task is not None and self._task.done() and not self._task.cancelled()
        return self._task.result() if done and self._task and not self._task.exception() else None

    def begin(self) -> None:
        """Start loading, if nobody has."""
        if self._task is None or (self._task.done() and (self._task.cancelled() or self._task.exception())):
            self._task = asyncio.create_task(self._timed())

    async def host(self) -> InterviewHost:
        """What interviews are held with; waits while it is loaded.

        Raises:
            ProblemError: it cannot be loaded, or not yet.
        """
        self.begin()
        assert self._task is not None
        done, _ = await asyncio.wait({self._task}, timeout=self._patience_s)
        if not done:
            raise ProblemError(
                "still-loading",
                "The models are still being loaded. Try again in a few seconds.",
                headers={"Retry-After": str(RETRY_AFTER_S)},
            )
        return self._task.result()

    async def close(self) -> None:
        """Close what was opened."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._opened.aclose()

    async def _timed(self) -> InterviewHost:
        started = time.monotonic()
        try:
            host = await self._load(self._settings, self._opened)
        except ProblemError as problem:
            _log.error("%s", problem)
            raise
        _log.info("interviews by text are ready after %.1f s", time.monotonic() - started)
        return host
