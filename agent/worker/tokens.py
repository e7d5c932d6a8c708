"""Tokens of LiveKit: who may enter which room, one room and one identity each."""

from __future__ import annotations

from datetime import timedelta

from livekit.api import AccessToken, VideoGrants
from livekit.protocol.agent_dispatch import RoomAgentDispatch
from livekit.protocol.room import RoomConfiguration

from agent.settings import Settings

AGENT_NAME = "viva-interviewer"
"""Name under which the worker registers; without one, LiveKit would send it into every room."""
CANDIDATE = "candidate"
"""Identity of the candidate in a browser; the same after a reload, so that the interview goes on. A caller on the phone
has one that is made for the call."""
RECORDER = "recorder"
INTERVIEWER = "interviewer"

_DEPARTURE_S = 180
"""How long a room stays open with nobody in it: longer than the candidate may be away."""
CALL_PREFIX = "call-"
"""Begins the name of a call's room: each call has a fresh one, whichever interview it is about."""
CALL_METADATA = '{"phone": true}'
"""Metadata of a job that is for a call."""


def room_name(interview_id: str) -> str:
    """The room of an interview in a browser."""
    return f"interview-{interview_id}"


def candidate_token(settings: Settings, interview_id: str, name: str) -> str:
    """Lets the candidate in, and calls the interviewer when the room is made."""
    room = room_name(interview_id)
    return (
        AccessToken(settings.livekit_key, settings.livekit_secret)
        .with_identity(CANDIDATE)
        .with_name(name)
        .with_ttl(timedelta(hours=4))
        .with_grants(VideoGrants(room_join=True, room=room, can_publish=True, can_subscribe=True))
        .with_room_config(
            RoomConfiguration(
                name=room,
                empty_timeout=_DEPARTURE_S,
                departure_timeout=_DEPARTURE_S,
                agents=[RoomAgentDispatch(agent_name=AGENT_NAME, metadata=interview_id)],
            )
        )
        .to_jwt()
    )


def recorder_token(settings: Settings, room: str) -> str:
    """Lets the recording into a room: it hears and is not seen."""
    grants = VideoGrants(room_join=True, room=room, can_publish=False, can_subscribe=True, hidden=True, recorder=True)
    token = AccessToken(settings.livekit_key, settings.livekit_secret).with_identity(RECORDER)
    return token.with_ttl(timedelta(hours=4)).with_grants(grants).to_jwt()
