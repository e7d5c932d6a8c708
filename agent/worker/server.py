"""Worker server: waits for interviews, and holds each as a LiveKit job."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from functools import lru_cache
from typing import Any

from livekit import rtc
from livekit.agents import AgentServer, JobContext, JobExecutorType, JobProcess, JobRequest
from livekit.agents.telemetry.loop_monitor import ENV_WARN_THRESHOLD_MS

from agent.interviews.abandoned import end_abandoned
from agent.interviews.checkpoints import tidy_checkpoints
from agent.interviews.profiles import keep_outcomes
from agent.interviews.resources import load_voice_resources
from agent.observability import bind, configure_job_logging, configure_logging
from agent.observability.exporters import process_tracing
from agent.observability.metrics_endpoint import serving_metrics
from agent.phone.call import call_of
from agent.phone.calls import hold_call
from agent.phone.pins import PinStore, open_pins
from agent.settings import Settings, load_settings
from agent.worker.job import InterviewJob
from agent.worker.recovery import LIVEKIT_FAULTS, rescue_rooms, rooms_left_alone
from agent.worker.tokens import AGENT_NAME, INTERVIEWER, room_name
from review import RecordError, RecordingError, RecordStore, finish_recording

_log = logging.getLogger(__name__)

_LOAD_TIMEOUT_S = 120.0
"""Loading and warming up all models took 13 s on two loaded cores; the default of 10 s would kill the worker."""
_CLOSING_TIMEOUT_S = 120.0
"""Time for the last writing: joining the pieces of an hour's recording takes longer than the default of 10 s."""

_LOOK_EVERY_S = 900.0
"""How often it is looked for such interviews. Whoever waits for one to end, to delete it, is told half an hour."""
_CALLER_IS_LET_IN_S = 60.0
"""Time between a PIN in the last moment and the first event of the interview that goes on."""
_RESCUE_AGAIN_S = (1.0, 5.0, 30.0)
"""Pauses before it is tried again to bring an interviewer back where livekit-server refused it."""
_ALONE_S = 10.0
"""How often it is looked for candidates who were left alone; whoever is so twice gets an interviewer."""


def run(settings: Settings) -> None:
    """Serve interviews until told to stop. Blocks."""
    configure_logging(settings, "worker")
    leave_out_loop_monitor(os.environ)
    settings.worker_ready_path.unlink(missing_ok=True)
    if settings.executor == "thread":
        load_voice_resources(settings)
    with serving_metrics(settings):
        asyncio.run(_serve(make_server(settings), settings))


def leave_out_loop_monitor(environment: MutableMapping[str, str]) -> None:
    """Keep LiveKit from looking at the frames of all threads where that can stop the process for ever.

    Its monitor does so whenever a loop is late, which is when the machine is busy. Before Python 3.12 the interpreter
    may collect garbage while it does (python/cpython, issue 106883): every thread then waits for another.

    Args:
        environment: of this process and those that it starts; who has set the limit themselves keeps it.
    """
    if sys.version_info < (3, 12):
        environment.setdefault(ENV_WARN_THRESHOLD_MS, "0")


class WorkerServer(AgentServer):
    """LiveKit's agent server; goes into no room twice."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._entering: set[str] = set()
        """Rooms of jobs that were accepted and do not run yet."""

    @property
    def served(self) -> set[str]:
        """Rooms that this worker is in, or will be in a moment."""
        return self._entering | {job.job.room.name for job in self.active_jobs}

    async def take(self, request: JobRequest) -> None:
        """Accept a job, unless it is for a room that is served.

        After a restart of livekit-server a room is made anew and asks for an interviewer, but ours is still there; and
        a call's line and the recovery may both have called one.
        """
        room = request.room.name
        if room in self.served:
            await request.reject()
            return
        self._entering.add(room)
        try:
            await request.accept(name="Viva", identity=f"{INTERVIEWER}-{request.id}")
        finally:
            self._entering.discard(room)


def make_server(settings: Settings, hold: Callable[[JobContext], Awaitable[None]] | None = None) -> WorkerServer:
    """The LiveKit agent server with every default set that does not fit a small machine.

    Args:
        settings: the settings in force.
        hold: holds a job; by default what it is for, an interview or a call.
    """
    server = WorkerServer(
        ws_url=settings.livekit_ws_url,
        api_key=settings.livekit_key,
        api_secret=settings.livekit_secret,
        host=settings.host,
        port=settings.worker_port,
        # Threads share one set of models; processes each load their own, and answer as fast.
        job_executor_type=JobExecutorType[settings.executor.upper()],
        num_idle_processes=1,
        initialize_process_timeout=_LOAD_TIMEOUT_S,
        shutdown_process_timeout=_CLOSING_TIMEOUT_S,
        job_memory_warn_mb=4000,
        # The default measures CPU load, which is near 1 on a small machine at every start: no job would be accepted.
        load_fnc=lambda: 0.0,
        # Any other limit refuses the second of two candidates who come at once to an idle worker: what was accepted and
        # has not begun counts as the whole limit divided by `num_idle_processes`.
        load_threshold=math.inf,
        setup_fnc=_prepare,
        log_level=settings.log_level.upper(),
    )
    server.rtc_session(hold or _hold, agent_name=AGENT_NAME, on_request=server.take)
    return server


async def _serve(server: WorkerServer, settings: Settings) -> None:
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()

    def registered(*_: object) -> None:
        task = loop.create_task(_announce(server, settings))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server.on("worker_registered", registered)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    serving = loop.create_task(server.run())
    beside = [loop.create_task(each(server, settings)) for each in (_tidy_regularly, _leave_nobody_alone)]
    stopping = loop.create_task(stopped.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    settings.worker_ready_path.unlink(missing_ok=True)
    stopping.cancel()
    for task in beside:
        task.cancel()
    await server.aclose()
    await serving


async def _announce(server: WorkerServer, settings: Settings) -> None:
    """Bring back whoever was cut off by a crash, say that a candidate can start now, and only then tidy up."""
    left = await _rescue(server, settings)
    settings.worker_ready_path.parent.mkdir(parents=True, exist_ok=True)
    settings.worker_ready_path.write_text(str(os.getpid()), encoding="utf-8")
    try:
        with contextlib.closing(await asyncio.to_thread(RecordStore, settings.record_path)) as store:
            await asyncio.to_thread(_end_abandoned, store, settings, server.served)
    except RecordError as error:
        _log.error("interviews that were left are looked for again later: %s", error)
    for pause_s in _RESCUE_AGAIN_S:
        if left is not None and not left:
            break
        await asyncio.sleep(pause_s)
        left = await _rescue(server, settings, left)


async def _rescue(
    server: WorkerServer, settings: Settings, only: Collection[str] | None = None
) -> Collection[str] | None:
    """Bring interviewers back into these rooms, or all. Returns the rooms to try again, None for all."""
    try:
        return await rescue_rooms(settings, lambda: server.served, only)
    except LIVEKIT_FAULTS as error:
        _log.warning("the open rooms could not be looked at, which is tried again: %s", error)
        return only


async def _leave_nobody_alone(server: WorkerServer, settings: Settings) -> None:
    """Bring back interviewers whose job was ended while the worker runs, until cancelled."""
    alone: Collection[str] = ()
    while True:
        await asyncio.sleep(_ALONE_S)
        alone = await bring_back(server, settings, alone)


async def bring_back(server: WorkerServer, settings: Settings, alone_before: Collection[str]) -> Collection[str]:
    """Send an interviewer to whoever was alone before and is so still. Returns the rooms in which somebody is now."""
    try:
        alone = await rooms_left_alone(settings, lambda: server.served)
    except LIVEKIT_FAULTS as error:
        _log.debug("it could not be looked for candidates who were left alone: %s", error)
        return ()
    if left := alone.intersection(alone_before):
        await _rescue(server, settings, left)
    return alone - left


async def _tidy_regularly(server: WorkerServer, settings: Settings) -> None:
    """End interviews that were left, remove checkpoints of no use, add to profiles what is missing, until cancelled."""
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        try:
            with contextlib.closing(await asyncio.to_thread(RecordStore, settings.record_path)) as store:
                await asyncio.to_thread(_end_abandoned, store, settings, server.served)
                await tidy_checkpoints(settings, store)
                await asyncio.to_thread(keep_outcomes, settings, store)
        except RecordError as error:
            _log.error("tidying up failed and is tried again later: %s", error)


def _end_abandoned(store: RecordStore, settings: Settings, rooms: Collection[str]) -> None:
    """End the interviews that nobody goes on with; `rooms` are those that this worker is in."""
    end_abandoned(store, "voice", _interviews_in(rooms), time.time)
    over: list[str] = []
    # One that is held in a call has an event more often, if only the word that breaks a silence.
    quiet_s = settings.phone_call_again_s + _CALLER_IS_LET_IN_S
    end_abandoned(store, "phone", (), time.time, quiet_s=quiet_s, on_ended=over.append)
    for interview_id in over:
        # Its job left before it was over.
        try:
            finish_recording(store, interview_id, settings.interview_dir(interview_id))
        except (RecordingError, RecordError) as error:
            _log.error("%s", error)


def _interviews_in(rooms: Collection[str]) -> set[str]:
    """Ids of the interviews that are held in rooms of these names."""
    return {name.removeprefix(room_name("")) for name in rooms}


@lru_cache(maxsize=1)
def _settings() -> Settings:
    """The settings in a job's executor: with processes it is not the one that `run` was called in."""
    return load_settings()


def load_native_library() -> None:
    """Have LiveKit's native library loaded by one thread, before interviews need it in several.

    Its client is made without a lock where it is first used (`FfiClient.instance` in livekit 1.1): two interviews that
    began at once in a fresh worker made two, and one of them waited for its connection in vain. After fifteen seconds
    the library then ended the process, with everybody who was interviewed in it.
    """
    rtc.AudioResampler(48_000, 24_000)


def _prepare(process: JobProcess) -> None:
    configure_job_logging(_settings())
    load_native_library()
    process_tracing().trace_livekit(log_words=_settings().log_words)
    process.userdata["resources"] = load_voice_resources(_settings())


async def _hold(ctx: JobContext) -> None:
    await hold_job(ctx, open_pins(_settings()))


async def hold_job(ctx: JobContext, pins: PinStore) -> None:
    """Hold what a job is for: an interview in a browser, or a call.

    Args:
        ctx: LiveKit's context of the job.
        pins: those that callers may have.
    """
    if (call := call_of(ctx)) is not None:
        await hold_call(ctx, call, ctx.proc.userdata["resources"], _settings(), pins)
        return
    # Everything that is started from here, tasks of LiveKit's included, logs with the interview's id.
    with bind(interview_id=ctx.job.metadata):
        await InterviewJob(ctx, ctx.proc.userdata["resources"], _settings()).start()
