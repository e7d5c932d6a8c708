"""A whole Viva that all spoken tests use: starting it takes up to a minute on a busy machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import pytest

from agent.processes.stack import Stack, free_ports_settings, running_stack
from agent.settings import Settings
from tests.spoken.held import AT_ONCE, PLANS, Held, rehearse

SLOW_SELECTOR_S = 6.0
"""Questions are held back by this, so that what is said meanwhile can be told from what is said afterwards."""
AWAY_TIMEOUT_S = 40.0
"""Long enough for a page that is loaded anew on a busy machine."""


@dataclass(frozen=True, slots=True)
class SharedStack:
    """livekit-server, worker and web, followed by an event loop in a thread of its own: tests have one each."""

    stack: Stack
    over: asyncio.Event
    loop: asyncio.AbstractEventLoop

    @property
    def settings(self) -> Settings:
        """What it runs with."""
        return self.stack.settings

    async def wait_ready(self) -> None:
        """Wait until all parts are ready, for instance after one was killed; from any event loop."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self.stack.wait_ready(), self.loop))


async def _hold(settings: Settings, started: Future[SharedStack]) -> None:
    over = asyncio.Event()
    async with running_stack(settings) as stack:
        started.set_result(SharedStack(stack, over, asyncio.get_running_loop()))
        await over.wait()


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedStack]:
    """All parts, ready, on free ports and a data folder of their own; mark such tests slow."""
    settings = free_ports_settings(
        tmp_path_factory.mktemp("viva"),
        judge="built-in",
        slow_selector_s=SLOW_SELECTOR_S,
        away_timeout_s=AWAY_TIMEOUT_S,
    )
    started: Future[SharedStack] = Future()
    with ThreadPoolExecutor(1, thread_name_prefix="viva") as pool:
        holding = pool.submit(asyncio.run, _hold(settings, started))
        wait([started, holding], return_when=FIRST_COMPLETED)
        if holding.done():
            holding.result()
        shared = started.result()
        try:
            yield shared
        finally:
            shared.loop.call_soon_threadsafe(shared.over.set)
            holding.result()


@pytest.fixture(scope="session")
def held(stack: SharedStack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Held]:
    """All rehearsals, by name. They take minutes, because people cannot be interviewed faster than they speak."""
    places = asyncio.Semaphore(AT_ONCE)

    async def hold(name: str) -> Held:
        folder = tmp_path_factory.mktemp(name)
        async with places:
            if name == "killed":
                return await rehearse(folder, folder / "record.sqlite", *PLANS[name])
            return await rehearse(folder, stack.settings.record_path, "--url", stack.settings.web_url, *PLANS[name])

    async def hold_all() -> list[Held]:
        return await asyncio.gather(*map(hold, PLANS))

    return dict(zip(PLANS, asyncio.run(hold_all()), strict=True))
