"""How an interview by voice ends when something fails at its end."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from livekit.agents import JobContext
from livekit.protocol.agent import Job
from livekit.protocol.room import DeleteRoomResponse
from psycopg import OperationalError

from agent.interviews import host as host_module
from agent.interviews import shutdown
from agent.interviews.host import InterviewHost
from agent.interviews.resources import VoiceResources
from agent.interviews.shutdown import close_in_time, take_all
from agent.settings import Settings
from agent.worker.job import InterviewJob
from domain.events import InterviewEnded, ProblemNoticed
from graph import Interview, build_graph
from graph.checkpoints.opening import sqlite_checkpointer
from review import RecordStore
from tests.agent.conversation.dependencies import run_of


class OneJob(JobContext):
    """LiveKit's context of a job, with no LiveKit."""

    def __init__(self) -> None:
        self.why: list[str] = []
        self.rooms_deleted = 0

    @property
    def job(self) -> Job:
        """The interview's id is its metadata."""
        return Job(metadata="tea-1")

    def shutdown(self, reason: str = "") -> None:
        """Called with why the interview is over."""
        self.why.append(reason)

    def delete_room(self, room_name: str | None = None) -> asyncio.Future[DeleteRoomResponse]:
        """The last thing that is done."""
        self.rooms_deleted += 1
        done: asyncio.Future[DeleteRoomResponse] = asyncio.get_running_loop().create_future()
        done.set_result(DeleteRoomResponse())
        return done


class Forgetful(Interview):
    """Cannot reach its checkpoints."""

    def __init__(self) -> None:
        pass

    async def end_reason(self) -> None:
        """Fails."""
        raise OperationalError("the server closed the connection")


@pytest.fixture
def context() -> OneJob:
    """What LiveKit was told."""
    return OneJob()


@pytest.fixture
def interview(context: OneJob, tmp_path: Path) -> InterviewJob:
    """An interview that is about to end."""
    return InterviewJob(context, VoiceResources(None, None), Settings(data_dir=tmp_path))  # type: ignore[arg-type]


async def test_a_database_that_fails_at_the_end_keeps_nothing_from_being_closed(
    interview: InterviewJob, context: OneJob, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The record is written, the recording finished and the room deleted, and every failure is in the log."""

    async def fails() -> None:
        raise OperationalError("the server closed the connection")

    async def fails_to_compact(*_: object) -> None:
        await fails()

    closed: list[str] = []
    monkeypatch.setattr(host_module, "compact", fails_to_compact)
    async with sqlite_checkpointer(tmp_path / "checkpoints.sqlite") as saver:
        interview._host = InterviewHost(
            Settings(), build_graph(saver), saver, packs={}, make_context=fails, make_setup=fails
        )  # type: ignore[arg-type]
        interview._open.callback(closed.append, "the recording")
        interview._open.push_async_callback(fails)
        await interview._end("completed")
        await interview._close()
    assert closed == ["the recording"]
    assert context.rooms_deleted == 1
    store = RecordStore(tmp_path / "record.sqlite")
    events = [stored.event for stored in store.events("tea-1")]
    store.close()
    assert [event.reason for event in events if isinstance(event, InterviewEnded)] == ["completed"]
    assert [event.what for event in events if isinstance(event, ProblemNoticed)], "there was no sound to join"
    assert "could not remove its old checkpoints" in caplog.text
    assert "could not close what was opened for it" in caplog.text


async def test_an_interview_ends_although_nobody_can_read_why(interview: InterviewJob, context: OneJob) -> None:
    """After the goodbye the room is left, once, whatever became of the checkpoints and however often it is said."""
    interview._interview = run_of(Forgetful(), interview._record, time.time)
    await interview._end_as_decided()
    await interview._end_as_decided()
    assert context.why == ["failed"]
    await interview._close()


async def test_whoever_was_not_heard_any_more_is_told_so_and_that_is_why_it_ended(
    interview: InterviewJob, context: OneJob
) -> None:
    """The goodbye after a long silence is a line like others, and its end is not taken for the graph's decision."""
    interview._interview = run_of(Forgetful(), interview._record, time.time)
    assert interview._interview.ask_to_end("silence")
    await interview._end_as_decided()
    assert context.why == ["silence"]
    await interview._close()


async def test_every_step_is_taken_in_order() -> None:
    """Also those after one that failed; only being stopped stops it."""
    taken: list[str] = []

    async def step(name: str, error: BaseException | None = None) -> None:
        taken.append(name)
        if error:
            raise error

    await take_all(
        {"do one": lambda: step("one", OSError()), "do two": lambda: step("two"), "do three": lambda: step("three")},
        of="it",
    )
    assert taken == ["one", "two", "three"]
    with pytest.raises(asyncio.CancelledError):
        await take_all({"stop": lambda: step("stop", asyncio.CancelledError()), "go on": lambda: step("on")}, of="it")
    assert taken[3:] == ["stop"]


async def test_what_does_not_close_is_left(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """LiveKit waits for ever for the answer of a server that it is not connected to any more."""
    monkeypatch.setattr(shutdown, "CLOSES_WITHIN_S", 0.01)
    await close_in_time(asyncio.Event().wait, "a track")
    assert "a track could not be closed within 0.01 s, and is left" in caplog.text
    with pytest.raises(OSError, match="no"):
        await close_in_time(_fails, "a track")


async def _fails() -> None:
    raise OSError("no")
