"""Supervisor of processes: starts programs in order, says what they say, starts what crashed or hangs again, stops all.

It knows nothing of Viva; `agent/processes/stack.py` says which programs there are. Each runs in a process group of
its own and dies with its parent (`agent/processes/die_with_parent.py`), so that none is left behind, however the
supervisor ends. Use it from the main thread: the kernel's parent-death signal comes when the thread that started a
program ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

MOST_QUICK_ENDS = 5
MOST_FAILED_STARTS = 3
QUICK_END_S = 60.0
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 30.0
_POLL_S = 0.1
_LOOKS = 6
"""How often it is asked for an answer until a part is taken to hang."""
_PROGRESS_EVERY_S = 5.0
_KEPT_LINES = 400
_LAST_LINES_S = 1.0
_DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")

Say = Callable[[str, str], None]
"""Takes a part's name ("viva" for the supervisor itself) and one line of text."""

RestartPolicy = Callable[[Sequence[float], bool], float | None]
"""Says when a part that ended is started again; see `seconds_until_restart`."""


def forgiving(say: Say) -> Say:
    """The same, where a line that cannot be written is lost: the disk under the log may be full.

    Somebody has to go on emptying the parts' pipes: a part waits for ever in a line for which there is no room.
    """

    def told(part: str, line: str) -> None:
        with contextlib.suppress(OSError):
            say(part, line)

    return told


class StackError(RuntimeError):
    """The parts cannot be started or kept running; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Part:
    """A program that has to run."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    """Added to the supervisor's own."""
    is_ready: Callable[[], Awaitable[bool]]
    """Asked ten times a second after a start until it says yes; must neither raise nor block."""
    ready_timeout_s: float
    grace_s: float
    """How long it may take to end after SIGTERM."""
    advice: str
    """What a person can do when it does not start: a sentence."""
    before_start: Callable[[], None] = field(default=lambda: None)
    """Called before each start, for what an earlier run may have left."""
    answers: Callable[[], Awaitable[bool]] | None = None
    """Asked now and then while it runs, where it can be asked at all; must neither raise nor block."""
    hangs_after_s: float = 60.0
    """How long it may give no answer until it is killed and started again: longer than any machine is busy."""


def seconds_until_restart(runs_s: Sequence[float], was_ready: bool) -> float | None:  # noqa: FBT001 (a fact, no switch)
    """How long to wait before a part that ended is started again; None to give up.

    The delay doubles with each quick end in a row (a run shorter than `QUICK_END_S`), and a long run forgives all.
    What was never ready is unlikely to become so: a person who waits for the start is told sooner.

    Args:
        runs_s: How long each run lasted, oldest first.
        was_ready: Whether the part was ready in any of them.

    """
    quick_ends = 0
    for lasted in reversed(runs_s):
        if lasted >= QUICK_END_S:
            break
        quick_ends += 1
    if quick_ends >= (MOST_QUICK_ENDS if was_ready else MOST_FAILED_STARTS):
        return None
    return float(min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** max(0, quick_ends - 1)))


class Supervisor:
    """Runs parts until it is stopped. `start` first, and `stop` in any case."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        say: Say,
        clock: Callable[[], float] = time.monotonic,
        restart: RestartPolicy = seconds_until_restart,
    ) -> None:
        self._hurry = asyncio.Event()
        say = forgiving(say)
        self._keepers = {part.name: _Keeper(part, say, clock, restart, self._hurry) for part in parts}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the parts, each as soon as the one before is ready.

        Raises:
            StackError: a part did not get ready in its time, or keeps ending.

        """
        for keeper in self._keepers.values():
            self._tasks.append(asyncio.create_task(keeper.keep(), name=keeper.part.name))
            await self._until(keeper.ready.wait())

    async def wait_ready(self) -> None:
        """Wait until every part is ready, for instance after one was restarted.

        Raises:
            StackError: a part was given up.

        """
        for keeper in self._keepers.values():
            await self._until(keeper.ready.wait())

    async def wait_failed(self) -> None:
        """Wait until a part is given up, and raise its StackError."""
        await self._until(asyncio.Event().wait())

    async def stop(self) -> None:
        """End all parts, the last one started first, and wait until they are gone."""
        for task in reversed(self._tasks):
            task.cancel()
            await asyncio.wait([task])

    def hurry(self) -> None:
        """Let no part take its grace period: what is being stopped is killed."""
        self._hurry.set()

    def pid(self, name: str) -> int:
        """The process id of a part that runs now.

        Raises:
            StackError: there is no such part, or it is not running at this moment.

        """
        process = self._keeper(name).process
        if process is None or process.returncode is not None:
            raise StackError(f"{name} is not running at this moment")
        return process.pid

    def output(self, name: str) -> list[str]:
        """The last lines that a part wrote, over all its runs."""
        return list(self._keeper(name).lines)

    def _keeper(self, name: str) -> _Keeper:
        if name not in self._keepers:
            raise StackError(f"{name!r} is not a part; the parts are {', '.join(self._keepers)}")
        return self._keepers[name]

    async def _until(self, something: Awaitable[object]) -> None:
        """Wait for something, or raise what made a part be given up before."""
        awaited = asyncio.ensure_future(something)
        try:
            await asyncio.wait([awaited, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in self._tasks:
                if task.done():
                    task.result()
        finally:
            awaited.cancel()


class _Keeper:
    """Keeps one part running."""

    def __init__(
        self, part: Part, say: Say, clock: Callable[[], float], restart: RestartPolicy, hurry: asyncio.Event
    ) -> None:
        self.part = part
        self.process: Process | None = None
        self.ready = asyncio.Event()
        self._was_ready = False
        self.lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._say = say
        self._clock = clock
        self._restart = restart
        self._hurry = hurry

    async def keep(self) -> None:
        """Run the part again and again; ends by being cancelled or with a StackError."""
        runs_s: list[float] = []
        while True:
            started = self._clock()
            end = await self._run_once(started)
            runs_s.append(self._clock() - started)
            delay_s = self._restart(runs_s, self._was_ready)
            if delay_s is None:
                raise StackError(
                    f"{self.part.name} keeps ending, the last time with {end}, and is not started again. "
                    f"{self.part.advice}"
                )
            self._say("viva", f"{self.part.name} ended with {end}; it is started again in {delay_s:g} s")
            await asyncio.sleep(delay_s)

    async def _run_once(self, started: float) -> str:
        self.part.before_start()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(_DIE_WITH_PARENT), str(os.getpid()), *self.part.command,
            env={**os.environ, **self.part.environment},
            stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, process_group=0,
        )  # fmt: skip
        self.process = process
        telling = asyncio.create_task(self._tell(process))
        watching = asyncio.create_task(self._watch(process, started))
        try:
            exiting = asyncio.create_task(process.wait())
            await asyncio.wait([exiting, watching], return_when=asyncio.FIRST_COMPLETED)
            if watching.done():
                watching.result()
            return _how_it_ended(await exiting)
        finally:
            self.ready.clear()
            watching.cancel()
            await self._end(process)
            # Its last lines are in the pipe; a program that left the group could hold that open for good.
            await asyncio.wait([telling], timeout=_LAST_LINES_S)
            telling.cancel()

    async def _watch(self, process: Process, started: float) -> None:
        """Wait for readiness, telling now and then that it is still awaited; then see to it that it goes on."""
        told_at = started
        while not await self.part.is_ready():
            now = self._clock()
            if now - started > self.part.ready_timeout_s:
                raise StackError(
                    f"{self.part.name} was not ready after {self.part.ready_timeout_s:g} s. {self.part.advice}"
                )
            if now - told_at >= _PROGRESS_EVERY_S:
                told_at = now
                self._say("viva", f"{self.part.name} is still starting ({now - started:.0f} s)")
            await asyncio.sleep(_POLL_S)
        self.ready.set()
        self._was_ready = True
        self._say("viva", f"{self.part.name} is ready ({self._clock() - started:.1f} s)")
        if self.part.answers is not None:
            await self._kill_when_it_hangs(process, self.part.answers)

    async def _kill_when_it_hangs(self, process: Process, answers: Callable[[], Awaitable[bool]]) -> None:
        """Whoever cannot answer any more does not hear SIGTERM either."""
        unanswered = 0
        while unanswered < _LOOKS:
            await asyncio.sleep(self.part.hangs_after_s / _LOOKS)
            unanswered = 0 if await answers() else unanswered + 1
        self._say("viva", f"{self.part.name} has not answered for {self.part.hangs_after_s:g} s, and is killed")
        _kill(process)

    async def _end(self, process: Process) -> None:
        """End the process and whatever it started in its group."""
        if process.returncode is None:
            process.terminate()
            exiting = asyncio.create_task(process.wait())
            hurrying = asyncio.create_task(self._hurry.wait())
            await asyncio.wait([exiting, hurrying], timeout=self.part.grace_s, return_when=asyncio.FIRST_COMPLETED)
            hurrying.cancel()
        _kill(process)
        await process.wait()

    async def _tell(self, process: Process) -> None:
        async for line in _lines(process):
            self.lines.append(line)
            self._say(self.part.name, line)


def _kill(process: Process) -> None:
    """End it and whatever it started in its group at once."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def _lines(process: Process) -> AsyncIterator[str]:
    """What a process writes, line by line, however long a line is."""
    assert process.stdout is not None
    rest = b""
    while chunk := await process.stdout.read(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace").rstrip("\r")
    if rest:
        yield rest.decode(errors="replace")


def _how_it_ended(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
