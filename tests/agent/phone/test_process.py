"""The line as a process of its own, with its real voice."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from agent.phone.line.status import LineStatus
from agent.phone.line.status_socket import LineNotRunningError, ask_status, telling_status
from agent.processes.ports import free_ports_settings
from agent.settings import PROJECT_DIR, Settings
from tests.agent.phone.lines import until
from tests.agent.phone.messages import request


class LaterStatus(LineStatus):
    """What a later version tells."""

    since: float = 0.0


async def test_whoever_asks_is_told_how_the_line_is_or_why_not(tmp_path: Path) -> None:
    """The whole status; a sentence where no line runs, or one that tells something else."""
    settings = Settings(data_dir=tmp_path / "data")
    status = LineStatus(
        address="127.0.0.1:5060", calls_at_once=4, calls=(), registrations=(), refused=1, passed_over=0, junk=2
    )
    async with telling_status(lambda: status, settings):
        told = await ask_status(settings)
    async with telling_status(lambda: LaterStatus(**status.model_dump()), settings):
        with pytest.raises(LineNotRunningError, match="another version"):
            await ask_status(settings)
    with pytest.raises(LineNotRunningError, match="not running"):
        await ask_status(settings)

    assert told == status


@pytest.mark.slow
async def test_the_process_listens_tells_what_it_does_and_ends(tmp_path: Path) -> None:
    """It answers telephones and other processes, loads its voice, and ends at SIGTERM without a trace."""
    settings = free_ports_settings(tmp_path / "data", phone=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agent.cli", "phone", "line",
        cwd=PROJECT_DIR, env={**os.environ, **settings.as_environment()}, stderr=PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        await until(settings.phone_ready_path.exists)
        status = await ask_status(settings)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
            phone.bind(("127.0.0.1", 0))
            phone.setblocking(False)
            phone.connect((settings.host, settings.phone_port))
            await asyncio.get_running_loop().sock_sendall(phone, request("OPTIONS"))
            answer = await asyncio.get_running_loop().sock_recv(phone, 4096)
        lines = [await process.stderr.readline(), await process.stderr.readline()]
        process.send_signal(signal.SIGTERM)
        code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

    assert code == 0
    assert answer.startswith(b"SIP/2.0 200 OK")
    assert status.calls == ()
    assert b"sentences are ready" in b"".join(lines)
    with pytest.raises(LineNotRunningError):
        await ask_status(settings)
