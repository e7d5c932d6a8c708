"""Recovery: brings the interviewer back into rooms whose worker died.

The open-source livekit-server never dispatches a job a second time: after a crash the candidate would sit in a silent
room. So a worker that registers looks at every open room of Viva's; where a candidate waits and no live interviewer
is left, it removes the ghost of the old one, deletes the stale dispatch, and dispatches anew. A room that a dispatch
never reached (it was made while no worker was there, and such dispatches are dropped silently) is found the same way.

livekit-server also ends a job whose connection was lost and made anew, as happens where a machine or a network stands
still for a quarter of a minute. So it is looked for candidates who are alone while the worker runs, too.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import aiohttp
from livekit.api import LiveKitAPI, ServerError, ServerErrorCode
from livekit.protocol.agent_dispatch import AgentDispatch, CreateAgentDispatchRequest
from livekit.protocol.models import ParticipantInfo
from livekit.protocol.room import ListParticipantsRequest, ListRoomsRequest, RoomParticipantIdentity

from agent.settings import Settings
from agent.worker.tokens import AGENT_NAME, CALL_METADATA, CALL_PREFIX, CANDIDATE, room_name

_log = logging.getLogger(__name__)

_ROOM_PREFIX = room_name("")

LIVEKIT_FAULTS = (ServerError, aiohttp.ClientError, TimeoutError)
"""What a call to livekit-server raises when it is refused, or gets no answer: livekit-api asks with aiohttp."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """What has to be done in one room."""

    room: str
    ghosts: tuple[str, ...]
    """Identities of interviewers whose worker is gone; LiveKit shows them for about 20 s."""
    stale: tuple[str, ...]
    """Ids of dispatches that will never be served."""
    metadata: str


def plan_rescue(
    room: str, participants: Sequence[ParticipantInfo], dispatches: Sequence[AgentDispatch], served: Collection[str]
) -> Rescue | None:
    """What to do for one room, or None when nobody waits in it or an interviewer is there.

    Args:
        room: its name.
        participants: who is in it.
        dispatches: what was dispatched to it.
        served: rooms that the asking worker is in. It is the only worker of its livekit-server, so an interviewer in
            any other room is the ghost of a dead one. After a restart of the *server* the worker and the candidate
            come back by themselves; the room is served then, and a second interviewer would be wrong.
    """
    if room in served or not any(_waits(participant) for participant in participants):
        return None
    ours = [dispatch for dispatch in dispatches if dispatch.agent_name == AGENT_NAME]
    # What a call was for is in its dispatch; which interview is held in it, the record knows.
    of_call = ours[-1].metadata if ours else CALL_METADATA
    return Rescue(
        room=room,
        ghosts=tuple(each.identity for each in participants if each.kind == ParticipantInfo.Kind.AGENT),
        stale=tuple(dispatch.id for dispatch in ours),
        metadata=of_call if room.startswith(CALL_PREFIX) else room.removeprefix(_ROOM_PREFIX),
    )


def _waits(participant: ParticipantInfo) -> bool:
    """Whether this is a candidate, in a browser or on the phone."""
    return participant.identity == CANDIDATE or participant.kind == ParticipantInfo.Kind.SIP


async def rooms_left_alone(settings: Settings, served: Callable[[], Collection[str]]) -> frozenset[str]:
    """Rooms of Viva's in which a candidate waits and no interviewer is, alive or not.

    One is alone for a moment whenever an interview begins: whoever is alone twice has been left.

    Args:
        settings: where livekit-server is, and how it knows us.
        served: tells which rooms the asking worker is in, or will be in a moment.

    Raises:
        LIVEKIT_FAULTS: livekit-server does not answer.
    """
    alone: set[str] = set()
    async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
        for name in await _open_rooms(livekit):
            if name in served():
                continue
            with _gone_is_fine():
                found = await livekit.room.list_participants(ListParticipantsRequest(room=name))
                if _is_alone(found.participants):
                    alone.add(name)
    return frozenset(alone)


def _is_alone(participants: Sequence[ParticipantInfo]) -> bool:
    interviewers = [each for each in participants if each.kind == ParticipantInfo.Kind.AGENT]
    return not interviewers and any(_waits(each) for each in participants)


async def rescue_rooms(
    settings: Settings, served: Callable[[], Collection[str]], only: Collection[str] | None = None
) -> tuple[str, ...]:
    """Dispatch an interviewer to every room that waits for one. A room that fails keeps no other from being rescued.

    Args:
        settings: where livekit-server is, and how it knows us.
        served: tells which rooms the asking worker is in at the moment.
        only: the rooms to look at; without it all of Viva's.

    Returns:
        The rooms to try again.

    Raises:
        LIVEKIT_FAULTS: the open rooms cannot be listed.
    """
    failed: list[str] = []
    async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
        for name in await _open_rooms(livekit):
            if only is not None and name not in only:
                continue
            try:
                await _rescue(name, livekit, served)
            except LIVEKIT_FAULTS as error:
                _log.warning("the interviewer of %s could not be brought back and is tried again: %s", name, error)
                failed.append(name)
    return tuple(failed)


async def _open_rooms(livekit: LiveKitAPI) -> list[str]:
    """Names of the rooms that are Viva's, of interviews in browsers and of calls."""
    rooms = await livekit.room.list_rooms(ListRoomsRequest())
    return [room.name for room in rooms.rooms if room.name.startswith((_ROOM_PREFIX, CALL_PREFIX))]


async def _rescue(room: str, livekit: LiveKitAPI, served: Callable[[], Collection[str]]) -> None:
    with _gone_is_fine():  # Nobody waits in a room that has been closed meanwhile.
        found = await livekit.room.list_participants(ListParticipantsRequest(room=room))
        dispatches = await livekit.agent_dispatch.list_dispatch(room)
        if rescue := plan_rescue(room, found.participants, dispatches, served()):
            await _carry_out(rescue, livekit)


async def _carry_out(rescue: Rescue, livekit: LiveKitAPI) -> None:
    for ghost in rescue.ghosts:
        with _gone_is_fine():
            await livekit.room.remove_participant(RoomParticipantIdentity(room=rescue.room, identity=ghost))
    for dispatch in rescue.stale:
        with _gone_is_fine():
            await livekit.agent_dispatch.delete_dispatch(dispatch, rescue.room)
    await livekit.agent_dispatch.create_dispatch(
        CreateAgentDispatchRequest(agent_name=AGENT_NAME, room=rescue.room, metadata=rescue.metadata)
    )
    _log.warning("the interviewer of %s was gone; a new one is on its way", rescue.room)


@contextlib.contextmanager
def _gone_is_fine() -> Iterator[None]:
    """What was to be removed has left by itself: LiveKit drops a ghost after about 20 s."""
    try:
        yield
    except ServerError as error:
        if error.code != ServerErrorCode.NOT_FOUND:
            raise
