"""The parts of a running Viva, killed one by one.

Needs what `make test` sets up: livekit-server, models, pages.
"""

from __future__ import annotations

import asyncio
import os
import signal

import httpx
import psutil
import pytest

from agent.processes.stack import StackError
from agent.settings import Settings
from tests.spoken.conftest import SharedStack

pytestmark = [pytest.mark.slow, pytest.mark.spoken]


async def health(settings: Settings) -> dict[str, object]:
    """What the web process says of the others."""
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"{settings.web_url}/api/health")
    return dict(answer.raise_for_status().json())


def running(stack: SharedStack, name: str) -> int | None:
    """The process id of a part; None while there is none."""
    try:
        return stack.stack.pid(name)
    except StackError:
        return None


async def test_everything_gets_ready_and_a_killed_part_comes_back(stack: SharedStack) -> None:
    """The web process sees the worker and livekit-server, also after each part was killed once."""
    assert await health(stack.settings) == {"status": "ok", "worker": True, "livekit": True}

    for name in ("web", "worker"):
        pid = stack.stack.pid(name)
        os.kill(pid, signal.SIGKILL)
        while running(stack, name) in (None, pid):  # noqa: ASYNC110 (another thread starts it again)
            await asyncio.sleep(0.05)
        await stack.wait_ready()
        assert not psutil.pid_exists(pid)

    assert await health(stack.settings) == {"status": "ok", "worker": True, "livekit": True}
