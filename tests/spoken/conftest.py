"""A whole Viva that all spoken tests use: starting it takes up to a minute on a busy machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.processes.stack import Stack, free_ports_settings, running_stack
from agent.settings import Settings
from tests.agent.one_pack import backend_alone
from tests.spoken.held import AT_ONCE, PLANS, SAYS_NOTHING, Held, rehearse

LEFT_ALONE_S = 40.0
"""Long enough for a page that is loaded anew on a busy machine."""
CALLERS_WAIT_S = 120.0
"""For an interviewer, whom a busy machine has to make first."""
HURRIED: dict[str, Any] = {
    # Questions are held back, so that what is said meanwhile can be told from what is said afterwards.
    "slow_selector_s": 6.0,
    # Nobody waits a minute and a half for the end of a silence, and most of a minute for somebody who has left.
    "silence_patience": 0.4,
    "away_timeout_s": 8.0,
}
"""Limits of the second Viva: what they decide is shown sooner."""


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


@contextmanager
def _running(settings: Settings) -> Iterator[SharedStack]:
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


def _settings(folder: Path, **limits: Any) -> Settings:
    """Of a Viva with one question pack."""
    return free_ports_settings(
        folder, judge="built-in", packs_dir=backend_alone(folder), interviews_at_once=8, **limits
    )


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedStack]:
    """All parts, ready, on free ports and a data folder of their own; mark such tests slow."""
    limits = {"away_timeout_s": LEFT_ALONE_S, "phone_interviewer_timeout_s": CALLERS_WAIT_S}
    with _running(_settings(tmp_path_factory.mktemp("viva"), phone=True, **limits)) as shared:
        yield shared


@pytest.fixture(scope="session")
def held(stack: SharedStack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Held]:
    """All rehearsals, by name. They take minutes, because people cannot be interviewed faster than they speak."""
    places = asyncio.Semaphore(AT_ONCE)
    settings = {
        "usual": stack.settings,
        "hurried": _settings(tmp_path_factory.mktemp("hurried"), **HURRIED),
        "own": _settings(tmp_path_factory.mktemp("own")),
    }

    async def hold(name: str) -> Held:
        folder, plan = tmp_path_factory.mktemp(name), PLANS[name]
        viva = settings[plan.viva]
        async with nullcontext() if plan.persona == SAYS_NOTHING else places:
            if plan.viva == "own":
                return await rehearse(folder, folder / "record.sqlite", viva, *plan.arguments)
            return await rehearse(folder, viva.record_path, viva, "--url", viva.web_url, *plan.arguments)

    async def hold_all() -> list[Held]:
        return await asyncio.gather(*map(hold, PLANS))

    with _running(settings["hurried"]):
        return dict(zip(PLANS, asyncio.run(hold_all()), strict=True))
