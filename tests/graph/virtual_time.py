"""An event loop whose clock jumps to the next timer when nothing else is left to do: hours pass in a moment."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any


class _Selector(selectors.DefaultSelector):
    """Waits for threads as long as they take, and for timers not at all."""

    loop: VirtualTime

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if not timeout or self.loop.in_threads:
            # A thread that is done wakes the loop; until then time stands still.
            return super().select(None if timeout else timeout)
        self.loop.now_s += timeout
        return super().select(0)


class VirtualTime(asyncio.SelectorEventLoop):
    """Everything that asks this loop for the time, or sleeps on it, is in virtual time."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.in_threads = 0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now_s

    def run_in_executor(self, *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        self.in_threads += 1
        future = super().run_in_executor(*args)
        future.add_done_callback(self._out_of_thread)
        return future

    def _out_of_thread(self, _: object) -> None:
        self.in_threads -= 1


def in_virtual_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in such a loop."""

    @wraps(test)
    def run(*args: Any, **fixtures: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualTime) as runner:
            runner.run(test(*args, **fixtures))

    return run
