"""Watched line: the process of the line, which also tells what it holds. `python -m bench.phone.watched_line`.

It is the line of `agent/phone/line/process.py` without its voice; for each line of its standard input it writes what it
holds as a line of JSON. `watched_line` starts it, and asks.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import random
import sys
import tracemalloc
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

import psutil

from agent.observability import configure_logging
from agent.phone.line.buffer import is_quiet
from agent.phone.line.caller import Caller
from agent.phone.line.line import Line
from agent.phone.line.options import LineOptions
from agent.phone.line.room import CallRoom
from agent.phone.line.sentences import SpokenSentences
from agent.settings import PROJECT_DIR, Settings, load_settings
from domain.frozen_model import FrozenModel

MODULE = "bench.phone.watched_line"
TRACE = "--trace"
"""Option: say where Python's memory was allocated."""
_READY = "ready"
_READY_S = 180.0
_MB = 1 << 20
_TOP = 12
_LIBRARIES = ("aiortp", "aiosipua")


class Holding(FrozenModel):
    """What a line holds at a moment."""

    memory_mb: float
    """Resident."""
    native_mb: float
    """Of it, what was allocated and not freed again, by Python and by libraries; the rest is malloc's to use again."""
    traced_mb: float
    """What Python has allocated for itself since the start; 0 where it is not traced."""
    descriptors: int
    sockets: int
    threads: int
    tasks: int
    objects: int
    """That Python's collector knows."""
    calls: int
    rtp_ports: int
    dialogs: int
    """Calls that the SIP library remembers."""
    transactions: int
    """Requests that are remembered for their repetitions: two minutes each."""
    heard: int
    """Calls so far in which the room was heard."""
    top: tuple[str, ...] = ()
    """Where the most memory was allocated; empty where it is not traced."""


class HearingRoom(CallRoom):
    """A room that counts whether anything was heard in it."""

    heard: ClassVar[int] = 0
    """Rooms in which something was."""
    _is_heard = False

    def take(self) -> bytes:
        """The next 20 ms of what the room says."""
        frame = super().take()
        if not self._is_heard and not is_quiet(frame):
            self._is_heard = True
            HearingRoom.heard += 1
        return frame


def holding(line: Line) -> Holding:
    """What there is now."""
    gc.collect()
    process = psutil.Process()
    is_traced = tracemalloc.is_tracing()
    return Holding(
        memory_mb=round(process.memory_info().rss / _MB, 1),
        native_mb=round(_allocated_bytes() / _MB, 1),
        traced_mb=round(tracemalloc.get_traced_memory()[0] / _MB, 2) if is_traced else 0.0,
        descriptors=process.num_fds(),
        sockets=len(process.net_connections("udp")),
        threads=process.num_threads(),
        tasks=len(asyncio.all_tasks()),
        objects=len(gc.get_objects()),
        calls=len(line.exchange.held),
        rtp_ports=line.exchange.ports.in_use,
        dialogs=len(line.agent.active_calls),
        transactions=len(line.transport.server),
        heard=HearingRoom.heard,
        top=tuple(map(str, tracemalloc.take_snapshot().statistics("lineno")[:_TOP])) if is_traced else (),
    )


class _MallInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def _allocated_bytes() -> int:
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = _MallInfo
    told = mallinfo2()
    return int(told.uordblks + told.hblkhd)


class WatchedLine:
    """A line in another process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def holds(self) -> Holding:
        """What it holds now."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        await self._process.stdin.drain()
        return Holding.model_validate_json(await self.told())

    async def told(self) -> str:
        """The next line that it writes; empty when it has ended."""
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()


@asynccontextmanager
async def watched_line(
    settings: Settings, log: Path, *options: str, module: str = MODULE
) -> AsyncIterator[WatchedLine]:
    """A watched line in a process of its own, ready, and ended afterwards.

    Args:
        settings: it is run with.
        log: file for its lines.
        options: of its command.
        module: that is run; one that calls `run`.

    Raises:
        RuntimeError: it does not start.
        TimeoutError: nor within minutes.
    """
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, *options,
            cwd=PROJECT_DIR, env={**os.environ, **settings.as_environment()}, stdin=PIPE, stdout=PIPE, stderr=out,
        )  # fmt: skip
    line = WatchedLine(process)
    try:
        if await asyncio.wait_for(line.told(), _READY_S) != _READY:
            raise RuntimeError(f"the line did not start; its lines are in {log}")
        yield line
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _READY_S)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _serve(settings: Settings, tell: Callable[[str], None], sentences: SpokenSentences | None) -> None:
    line = Line(LineOptions.of(settings), lambda caller, hz: _room(settings, caller, hz), rng=random.SystemRandom())
    if sentences is not None:
        line.exchange.sentences = sentences
    await line.start()
    tell(_READY)
    asked = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    try:
        while await asked.readline():
            tell(holding(line).model_dump_json())
    finally:
        await line.stop()


def _room(settings: Settings, caller: Caller, rate_hz: int) -> CallRoom:
    return HearingRoom(settings, caller, rate_hz)


def _tell(text: str) -> None:
    print(text, flush=True)


def run(sentences: SpokenSentences | None = None) -> None:
    """Be a watched line until standard input ends.

    Args:
        sentences: that it says; None: it has no voice.
    """
    if TRACE in sys.argv:
        tracemalloc.start()
    settings = load_settings()
    Path(settings.run_dir).mkdir(parents=True, exist_ok=True)
    configure_logging(settings, "phone")
    for library in _LIBRARIES:
        logging.getLogger(library).setLevel(logging.ERROR)
    asyncio.run(_serve(settings, _tell, sentences))


if __name__ == "__main__":
    run()
