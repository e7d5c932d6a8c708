"""All of Viva's processes at once, real ones: they need what `make test` sets up (livekit-server, models, pages)."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from agent.processes.ports import used_ports
from agent.processes.stack import free_ports_settings
from agent.settings import PROJECT_DIR, Settings
from tests.agent.one_pack import backend_alone

pytestmark = [pytest.mark.slow, pytest.mark.spoken]


@asynccontextmanager
async def viva_up(settings: Settings) -> AsyncIterator[Process]:
    """`viva up` as a person starts it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agent.cli", "up",
        cwd=PROJECT_DIR, env={**os.environ, **settings.as_environment()}, stdout=PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def lines_until(process: Process, text: str) -> list[str]:
    """What a process prints up to the line with a text, or to its end."""
    assert process.stdout is not None
    lines: list[str] = []
    async for line in process.stdout:
        lines.append(line.decode())
        if text in lines[-1]:
            break
    return lines


@pytest.mark.parametrize(
    ("number", "line", "parts"),
    [(signal.SIGINT, "to start an interview", 3), (signal.SIGTERM, "livekit is ready", 2)],
    ids=["Ctrl-C when it runs", "SIGTERM while it starts"],
)
async def test_one_signal_stops_everything(number: signal.Signals, line: str, parts: int, tmp_path: Path) -> None:
    """`viva up` prints the address when a candidate can start, and no signal at any time leaves a process behind."""
    settings = free_ports_settings(tmp_path / "data", packs_dir=backend_alone(tmp_path))

    async with viva_up(settings) as process:
        started = await lines_until(process, line)
        assert line in started[-1], "".join(started)
        assert number != signal.SIGINT or settings.web_url in started[-1]
        children = psutil.Process(process.pid).children(recursive=True)
        while len(children) < parts:
            await asyncio.sleep(0.05)
            children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        stopped = await lines_until(process, "viva │ stopped")
        assert await process.wait() == 0, "".join(stopped)

    assert not [child for child in children if child.is_running()]


async def test_a_taken_port_ends_viva_with_its_sentence(tmp_path: Path) -> None:
    """`viva up` on a port that another program has says which setting to change, and its exit code is 1."""
    settings = free_ports_settings(tmp_path / "data")
    server = await asyncio.start_server(lambda *_: None, settings.host, settings.web_port)

    async with server, viva_up(settings) as process:
        lines = await lines_until(process, "nothing says this")
        assert await process.wait() == 1

    assert f"port {settings.web_port} (web_port) is taken" in " ".join("".join(lines).split())


async def test_one_socket_is_reached_from_other_machines(tmp_path: Path) -> None:
    """Every socket that takes connections or packets is bound to 127.0.0.1, but for the one that README.md names."""
    settings = free_ports_settings(tmp_path / "data", packs_dir=backend_alone(tmp_path))

    async with viva_up(settings) as process:
        await lines_until(process, "to start an interview")
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        sockets = [each for member in family for each in member.net_connections("inet")]
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0

    # A socket with another end is a connection, and reached by nobody else.
    bound = {(each.laddr.ip, each.laddr.port) for each in sockets if each.laddr and not each.raddr}
    here = {("127.0.0.1", getattr(settings, name)) for name in used_ports(settings) if name != "livekit_tcp_port"}
    assert bound == {*here, ("::", settings.livekit_tcp_port)}
