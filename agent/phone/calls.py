"""Calls: a job for the room of a call, from the greeting until the interview is held by its own job."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator

from livekit import rtc
from livekit.agents import JobContext
from livekit.agents.utils import wait_for_participant

from agent.interviews.resources import VoiceResources
from agent.observability import bind
from agent.phone.call import SIP, Dispatch
from agent.phone.hanging_up import close_room, tell_over
from agent.phone.job import CallJob, call_began
from agent.phone.pins import PinStore
from agent.phone.reception.admission import Admitted, call_is_open, goes_on_in
from agent.phone.reception.receptionist import Desk, Receptionist
from agent.phone.reception.sounds import say_once
from agent.settings import Settings
from review import RecordStore

_log = logging.getLogger(__name__)

_CALLER_COMES_S = 30.0
"""A room without a caller is left after this long."""
_BEFORE_LEAVES_S = 8.0
"""What the job of an earlier call is given to write down how far it was."""
_LOOK_EVERY_S = 0.2


async def hold_call(
    ctx: JobContext, dispatch: Dispatch, resources: VoiceResources, settings: Settings, pins: PinStore
) -> None:
    """Receive a caller, and hold their interview.

    Args:
        ctx: LiveKit's context of the job.
        dispatch: what the job says of the call.
        resources: shared models and questions.
        settings: the settings in force.
        pins: those that callers may have.
    """
    await ctx.connect()
    caller = await _caller(ctx.room)
    if caller is None:
        _log.warning("nobody is in the room of a call any more: %s", ctx.room.name)
        await _leave(ctx)
        return
    try:
        job = await _received(ctx, caller, dispatch, Desk(resources, settings, pins))
    except Exception:  # noqa: BLE001 - the edge of a call: nobody may be left on a silent line
        _log.exception("a caller could not be received")
        await say_once(ctx.room, resources, settings, "failed")
        job = None
    if job is None:
        await _leave(ctx)
        return
    with bind(interview_id=job.interview_id):
        await job.start()


async def _received(ctx: JobContext, caller: rtc.RemoteParticipant, dispatch: Dispatch, desk: Desk) -> CallJob | None:
    """The job of the caller's interview; None when they have none."""
    resources, settings = desk.resources, desk.settings
    with _opened(settings) as store:
        if under_way := await asyncio.to_thread(goes_on_in, store, ctx.room.name):
            _log.warning("the interview %s goes on with a new worker", under_way)
            return CallJob(ctx, resources, settings, interview_id=under_way, caller=caller, call=None)
        admitted = await Receptionist(ctx.room, caller, desk, store, time.time).receive(dispatch)
        if admitted is None:
            return None
        await _end_call_before(ctx, store, admitted)
    call = call_began(ctx.room.name, caller, again=admitted.again, at=time.time())
    return CallJob(ctx, resources, settings, interview_id=admitted.interview_id, caller=caller, call=call)


async def _caller(room: rtc.Room) -> rtc.RemoteParticipant | None:
    """The participant who calls; None when none comes."""
    with contextlib.suppress(TimeoutError, RuntimeError):  # the latter when the room is closed meanwhile
        async with asyncio.timeout(_CALLER_COMES_S):
            return await wait_for_participant(room, kind=SIP)
    return None


async def _end_call_before(ctx: JobContext, store: RecordStore, admitted: Admitted) -> None:
    """Nobody is in two calls: the line of the one before has not noticed yet that it is gone. Its job lets go first."""
    if not admitted.call_room or admitted.call_room == ctx.room.name:
        return
    await close_room(ctx, admitted.call_room)
    with contextlib.suppress(TimeoutError):  # its worker died
        async with asyncio.timeout(_BEFORE_LEAVES_S):
            while await asyncio.to_thread(_goes_on, store, admitted.interview_id):  # noqa: ASYNC110 - another process writes
                await asyncio.sleep(_LOOK_EVERY_S)


def _goes_on(store: RecordStore, interview_id: str) -> bool:
    return call_is_open([stored.event for stored in store.events(interview_id)])


async def _leave(ctx: JobContext) -> None:
    """Hang up: everything was said."""
    await tell_over(ctx.room)
    await close_room(ctx)
    ctx.shutdown("the call is over")


@contextlib.contextmanager
def _opened(settings: Settings) -> Iterator[RecordStore]:
    store = RecordStore(settings.record_path)
    try:
        yield store
    finally:
        store.close()
