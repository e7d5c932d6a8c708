"""A line in a process of its own, as in the product: `python -m tests.agent.phone.line_process`.

With four calls and their interviewers in one process of Python all would wait for each other.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agent.phone.line.line import Line
from agent.settings import PROJECT_DIR, Settings, load_settings
from tests.agent.phone.lines import line_options, running_line


@dataclass(frozen=True)
class LineProcess:
    """A line that runs in another process."""

    port: int
    """Of SIP."""
    _process: asyncio.subprocess.Process

    async def holds(self) -> tuple[int, int]:
        """How many calls it holds, and how many RTP ports are in use."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None
        assert told is not None
        asked.write(b"\n")
        calls, ports = json.loads(await told.readline())
        return calls, ports


@asynccontextmanager
async def line_process(settings: Settings) -> AsyncIterator[LineProcess]:
    """A line of its own process that takes calls into rooms of a livekit-server, and says hums instead of sentences."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.agent.phone.line_process",
        cwd=PROJECT_DIR, env={**os.environ, **settings.as_environment()}, stdin=PIPE, stdout=PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield LineProcess(json.loads(await process.stdout.readline()), process)
    finally:
        process.stdin.close()
        await process.wait()


async def _serve(settings: Settings) -> None:
    options = line_options(settings)
    async with running_line(settings, options) as line:
        _tell(options.bind[1])
        asked = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
        while await asked.readline():
            _tell(_holds(line))


def _holds(line: Line) -> tuple[int, int]:
    return len(line.exchange.held), line.exchange.ports.in_use


def _tell(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_serve(load_settings()))
