"""Which jobs a worker takes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
from livekit.agents import JobRequest
from livekit.agents.telemetry.loop_monitor import ENV_WARN_THRESHOLD_MS, LoopMonitorThresholds
from livekit.protocol.agent import Job
from livekit.protocol.models import Room

from agent.worker.server import WorkerServer, leave_out_loop_monitor


class Worker(WorkerServer):
    """A worker whose jobs are begun when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.may_begin = asyncio.Event()
        self.begun: list[str] = []
        self.refused: list[str] = []

    @property
    def active_jobs(self) -> Any:
        """Jobs that were begun, each in its room."""
        return [SimpleNamespace(job=SimpleNamespace(room=SimpleNamespace(name=room))) for room in self.begun]

    def asked(self, room: str) -> JobRequest:
        """Livekit-server's question whether it takes a job in a room."""

        async def accept(_arguments: object) -> None:
            await self.may_begin.wait()
            self.begun.append(room)

        async def reject(_terminate: object) -> None:
            self.refused.append(room)

        return JobRequest(job=Job(id="AJ_1", room=Room(name=room)), on_accept=cast(Any, accept), on_reject=reject)


def test_the_native_library_is_there_before_two_interviews_ask_for_it_at_once() -> None:
    """Each would load it for itself, and one of them get no answer from it: then it ends the whole process."""
    asked = "from livekit.rtc._ffi_client import FfiClient; from agent.worker.server import load_native_library"
    told = "print(FfiClient._instance is None); load_native_library(); print(FfiClient._instance is None)"
    seen = subprocess.run([sys.executable, "-c", f"{asked}; {told}"], capture_output=True, text=True, check=True)
    assert seen.stdout.split() == ["True", "False"]


async def test_a_worker_goes_into_no_room_twice() -> None:
    """Not while its first job there is being begun, nor while it runs; afterwards it comes again."""
    worker = Worker()
    first, other = (asyncio.create_task(worker.take(worker.asked(room))) for room in ("call-1", "call-2"))
    await asyncio.sleep(0)

    assert worker.served == {"call-1", "call-2"}
    await worker.take(worker.asked("call-1"))
    assert worker.refused == ["call-1"]

    worker.may_begin.set()
    await asyncio.gather(first, other)
    await worker.take(worker.asked("call-1"))
    assert (worker.begun, worker.refused) == (["call-1", "call-2"], ["call-1", "call-1"])

    worker.begun.remove("call-1")
    assert worker.served == {"call-2"}
    await worker.take(worker.asked("call-1"))
    assert worker.begun == ["call-2", "call-1"]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the interpreter collects no garbage there")
def test_nobody_looks_at_the_frames_of_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine that stopped a worker with all of its interviews for ever (python/cpython, issue 106883)."""
    environment: dict[str, str] = {}
    leave_out_loop_monitor(environment)
    monkeypatch.setenv(ENV_WARN_THRESHOLD_MS, environment[ENV_WARN_THRESHOLD_MS])
    assert LoopMonitorThresholds.from_env() is None


def test_who_wants_the_loop_monitor_keeps_it() -> None:
    """The limit that somebody has set themselves stays."""
    environment = {ENV_WARN_THRESHOLD_MS: "250"}
    leave_out_loop_monitor(environment)
    assert environment == {ENV_WARN_THRESHOLD_MS: "250"}
