"""Recovery: brings the interviewer back into rooms whose worker died.

The open-source livekit-server never dispatches a job a second time: after a crash the candidate would sit in a silent
room. So a worker that registers looks at every open room of Viva's; where a candidate waits and no live interviewer
is left, it removes the ghost of the old one, deletes the stale dispatch, and dispatches anew. A room that a dispatch
never reached (it was made while no worker was there, and such dispatches are dropped silently) is found the same way.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from livekit.api import LiveKitAPI
from livekit.protocol.agent_dispatch import AgentDispatch, CreateAgentDispatchRequest
from livekit.protocol.models import ParticipantInfo
from livekit.protocol.room import ListParticipantsRequest, ListRoomsRequest, RoomParticipantIdentity

from agent.settings import Settings
from agent.worker.tokens import AGENT_NAME, CANDIDATE, room_name

_log = logging.getLogger(__name__)

_ROOM_PREFIX = room_name("")


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
    if room in served or not any(participant.identity == CANDIDATE for participant in participants):
        return None
    return Rescue(
        room=room,
        ghosts=tuple(each.identity for each in participants if each.kind == ParticipantInfo.Kind.AGENT),
        stale=tuple(dispatch.id for dispatch in dispatches if dispatch.agent_name == AGENT_NAME),
        metadata=room.removeprefix(_ROOM_PREFIX),
    )


async def rescue_rooms(settings: Settings, served: Collection[str]) -> int:
    """Dispatch an interviewer to every room that waits for one. Returns how many there were."""
    rescued = 0
    async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
        rooms = await livekit.room.list_rooms(ListRoomsRequest())
        for name in (room.name for room in rooms.rooms if room.name.startswith(_ROOM_PREFIX)):
            participants = await livekit.room.list_participants(ListParticipantsRequest(room=name))
            dispatches = await livekit.agent_dispatch.list_dispatch(name)
            if rescue := plan_rescue(name, participants.participants, dispatches, served):
                await _carry_out(rescue, livekit)
                rescued += 1
    return rescued


async def _carry_out(rescue: Rescue, livekit: LiveKitAPI) -> None:
    for ghost in rescue.ghosts:
        await livekit.room.remove_participant(RoomParticipantIdentity(room=rescue.room, identity=ghost))
    for dispatch in rescue.stale:
        await livekit.agent_dispatch.delete_dispatch(dispatch, rescue.room)
    await livekit.agent_dispatch.create_dispatch(
        CreateAgentDispatchRequest(agent_name=AGENT_NAME, room=rescue.room, metadata=rescue.metadata)
    )
    _log.warning("the interviewer of %s was gone; a new one is on its way", rescue.room)
