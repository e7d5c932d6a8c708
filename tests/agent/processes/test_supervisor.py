"""The supervisor: order, restarts, giving up, and leaving nothing behind. Its parts are small real processes."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.processes.supervisor import (
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    MOST_FAILED_STARTS,
    QUICK_END_S,
    Part,
    StackError,
    Supervisor,
    seconds_until_restart,
)
from agent.settings import PROJECT_DIR

LIVE = "import time; print('alive', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {LIVE}"
PARENT = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {LIVE!r}]); print(child.pid); {LIVE}"


class Heard:
    """Notes what a supervisor says."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, part: str, line: str) -> None:
        self.lines.append((part, line))

    def __contains__(self, text: str) -> bool:
        return any(text in line for _, line in self.lines)


async def at_once() -> bool:
    """Readiness of a part that is ready as soon as it is started."""
    return True


async def never() -> bool:
    """Readiness of a part that hangs."""
    return False


def make_part(
    name: str,
    script: str,
    is_ready: Callable[[], object] = at_once,
    ready_timeout_s: float = 30,
    answers: Callable[[], object] | None = None,
) -> Part:
    """A part that runs a Python script."""
    return Part(
        name=name,
        command=(sys.executable, "-c", script),
        environment={"PYTHONUNBUFFERED": "1"},
        is_ready=is_ready,  # type: ignore[arg-type]
        ready_timeout_s=ready_timeout_s,
        grace_s=0.3,
        advice="Look at its lines.",
        answers=answers,  # type: ignore[arg-type]
        hangs_after_s=0.6,
    )


def three_times_at_once(runs_s: Sequence[float], was_ready: bool) -> float | None:
    """Restart without a delay, twice."""
    return 0.0 if len(runs_s) < 3 else None


@asynccontextmanager
async def supervising(*parts: Part, say: Heard) -> AsyncIterator[Supervisor]:
    """A started supervisor that is stopped in the end."""
    supervisor = Supervisor(parts, say=say, restart=three_times_at_once)
    try:
        await supervisor.start()
        yield supervisor
    finally:
        await supervisor.stop()


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so; the test's own time limit ends it when it never is."""
    while not condition():  # noqa: ASYNC110 (what is waited for has no event: another process does it)
        await asyncio.sleep(0.01)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has asked for its exit code counts as ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize(
    ("runs_s", "was_ready", "delay_s"),
    [
        ([1], True, 0.25),
        ([1, 1], True, 0.5),
        ([1, 1, 1, 1], True, 2),
        ([1, 1, 1, 1, 1], True, None),
        ([1, 1], False, 0.5),
        ([1, 1, 1], False, None),
        ([1, 1, 1, 1, QUICK_END_S], True, 0.25),
        ([1, 1, 1, 1, QUICK_END_S, 1], True, 0.25),
        ([1] * 4 + [3600] + [1] * 4, True, 2),
    ],
)
def test_the_delay_doubles_with_quick_ends_until_a_part_is_given_up(
    runs_s: list[float], was_ready: bool, delay_s: float | None
) -> None:
    """A long run forgives the quick ends before it, and what was never ready is given up sooner."""
    assert seconds_until_restart(runs_s, was_ready) == delay_s


@given(st.lists(st.floats(min_value=0, max_value=10_000), min_size=1), st.booleans())
def test_the_delay_is_always_bounded(runs_s: list[float], was_ready: bool) -> None:
    """The delay lies between the first and the longest, and a part is given up only after quick ends."""
    delay_s = seconds_until_restart(runs_s, was_ready)

    if delay_s is None:
        assert all(lasted < QUICK_END_S for lasted in runs_s[-MOST_FAILED_STARTS:])
    else:
        assert FIRST_DELAY_S <= delay_s <= LONGEST_DELAY_S


async def test_a_part_is_started_when_the_one_before_is_ready() -> None:
    """The order of readiness is the order of the parts."""
    heard = Heard()

    async with supervising(make_part("first", LIVE), make_part("second", LIVE), say=heard) as supervisor:
        assert supervisor.pid("first") != supervisor.pid("second")

    ready = [line.split(" is ready")[0] for part, line in heard.lines if part == "viva" and "is ready" in line]
    assert ready == ["first", "second"]


async def test_lines_are_told_with_their_part_and_kept() -> None:
    """Everything a part writes is shown under its name, broken bytes and the last line without an end included."""
    heard = Heard()
    script = r"import sys; sys.stdout.buffer.write(b'one\r\n' + b'x' * 200_000 + b'\ntw\xff'); sys.stdout.flush(); "

    async with supervising(make_part("talker", script + LIVE), say=heard) as supervisor:
        await until(lambda: len(supervisor.output("talker")) == 3)
        assert supervisor.output("talker") == ["one", "x" * 200_000, "tw\N{REPLACEMENT CHARACTER}alive"]

    assert ("talker", "one") in heard.lines


async def test_a_part_goes_on_when_nobody_can_write_down_what_it_says(tmp_path: Path) -> None:
    """The disk under the log is full: what a part says is lost, its pipe is emptied, and it can be ended."""

    class FullDisk(Heard):
        def __call__(self, part: str, line: str) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    mark = tmp_path / "done"
    script = f"for _ in range(5000): print('x' * 100, flush=True)\nopen({str(mark)!r}, 'w'); {LIVE}"

    async with asyncio.timeout(60), supervising(make_part("talker", script), say=FullDisk()) as supervisor:
        await until(mark.exists)
        await until(lambda: supervisor.output("talker")[-1:] == ["alive"])


async def test_a_killed_part_is_started_again_and_said() -> None:
    """After a crash there is a new process, and a sentence that says how the old one ended."""
    heard = Heard()

    async with supervising(make_part("worker", LIVE), say=heard) as supervisor:
        first = supervisor.pid("worker")
        os.kill(first, signal.SIGKILL)
        await until(lambda: "worker ended with signal SIGKILL; it is started again" in heard)
        await supervisor.wait_ready()
        assert supervisor.pid("worker") != first


async def test_a_part_that_hangs_is_killed_and_started_again() -> None:
    """It runs and gives no answer, not even to SIGTERM; an answer in between forgives what was missed before."""
    heard, given = Heard(), [True] + [False] * 6 + [True] + [False] * 5

    async def answers() -> bool:
        return given.pop() if given else True

    async with supervising(make_part("one", STUBBORN, answers=answers), say=heard) as supervisor:
        first = supervisor.pid("one")
        await until(lambda: "has not answered for 0.6 s, and is killed" in heard)
        await until(lambda: "one ended with signal SIGKILL; it is started again" in heard)
        await supervisor.wait_ready()
        assert supervisor.pid("one") != first
        assert len(given) <= 1, "it was asked twelve times before it was killed"
        assert is_gone(first)


async def test_what_an_earlier_run_left_is_cleared_before_each_start(tmp_path: Path) -> None:
    """A mark of readiness from before a crash does not count."""
    mark = tmp_path / "ready"
    starts: list[bool] = []

    def before_start() -> None:
        starts.append(mark.exists())
        mark.touch()

    part = make_part("worker", "pass")
    part = Part(**{name: getattr(part, name) for name in Part.__slots__} | {"before_start": before_start})
    with pytest.raises(StackError):
        async with supervising(part, say=Heard()) as supervisor:
            await supervisor.wait_failed()

    assert starts == [False, True, True]


async def test_a_part_that_keeps_ending_is_given_up_with_advice() -> None:
    """The error says how it ended and what to do."""
    heard = Heard()

    with pytest.raises(StackError, match=r"web keeps ending, .* exit code 3, .* Look at its lines\."):
        async with supervising(make_part("web", "raise SystemExit(3)", never), say=heard):
            pass

    assert "web ended with exit code 3; it is started again in 0 s" in heard


async def test_a_part_that_does_not_get_ready_is_given_up_with_advice() -> None:
    """A part that hangs while starting does not hang everything."""
    with pytest.raises(StackError, match=r"web was not ready after 0\.1 s\. Look at its lines\."):
        async with supervising(make_part("web", LIVE, never, ready_timeout_s=0.1), say=Heard()):
            pass


async def test_a_program_that_does_not_exist_is_named() -> None:
    """A missing program gives a sentence in the part's lines."""
    part = make_part("web", LIVE, never)
    part = Part(**{name: getattr(part, name) for name in Part.__slots__} | {"command": ("/no/such/program",)})
    heard = Heard()

    with pytest.raises(StackError):
        async with supervising(part, say=heard):
            pass

    assert ("web", "/no/such/program cannot be started: No such file or directory") in heard.lines


async def test_an_unknown_part_is_told_with_the_known_ones() -> None:
    """Asking for a part that does not exist names those that do."""
    async with supervising(make_part("web", LIVE), say=Heard()) as supervisor:
        with pytest.raises(StackError, match="'wep' is not a part; the parts are web"):
            supervisor.pid("wep")


async def test_stopping_ends_stubborn_parts_and_their_children() -> None:
    """A part that ignores SIGTERM is killed after its grace period, and so is what it started."""
    heard = Heard()

    async with supervising(make_part("stubborn", STUBBORN), make_part("parent", PARENT), say=heard) as supervisor:
        await until(lambda: len(supervisor.output("parent")) >= 2 and len(supervisor.output("stubborn")) == 1)
        child = next(int(line) for line in supervisor.output("parent") if line.isdigit())
        pids = [supervisor.pid("stubborn"), supervisor.pid("parent"), child]

    await until(lambda: all(map(is_gone, pids)))


async def test_a_hurried_stop_grants_no_grace() -> None:
    """The second Ctrl-C does not wait for parts that take their time."""
    part = make_part("stubborn", STUBBORN)
    part = Part(**{name: getattr(part, name) for name in Part.__slots__} | {"grace_s": 10_000.0})

    async with supervising(part, say=Heard()) as supervisor:
        await until(lambda: supervisor.output("stubborn") == ["alive"])
        supervisor.hurry()


KILLED_SUPERVISOR = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from agent.processes.supervisor import Part, Supervisor
async def at_once(): return True
async def main():
    part = Part("part", (sys.executable, "-c", sys.argv[2]), {}, at_once, 30, 1, "")
    supervisor = Supervisor([part], say=lambda part, line: None)
    await supervisor.start()
    print(supervisor.pid("part"), flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_no_part_outlives_a_killed_supervisor() -> None:
    """When the supervisor itself is killed, the kernel (Linux's) ends its parts."""
    supervisor = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED_SUPERVISOR, str(PROJECT_DIR), STUBBORN, stdout=subprocess.PIPE
    )
    assert supervisor.stdout is not None
    pid = int(await supervisor.stdout.readline())
    assert not is_gone(pid)

    supervisor.kill()

    await supervisor.wait()
    await until(lambda: is_gone(pid))
