"""Which jobs a worker takes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from livekit.agents import JobRequest
from livekit.protocol.agent import Job
from livekit.protocol.models import Room

from agent.worker.server import WorkerServer


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
