"""Departure from a room, of which LiveKit's client library is to keep nothing.

It frees a room only where nobody's sound is published any more. Who leaves while somebody else publishes leaves half a
megabyte behind (livekit/rust-sdks, issue 1378); whoever is thrown out while they publish themselves leaves threads and
descriptors as well (issue 1443). So the others are silenced before we leave, and we leave before the room is closed.
"""

from __future__ import annotations

import asyncio
import logging

from livekit import rtc
from livekit.api import LiveKitAPI
from livekit.protocol.models import ParticipantPermission
from livekit.protocol.room import UpdateParticipantRequest

from agent.settings import Settings
from agent.worker.recovery import LIVEKIT_FAULTS

_log = logging.getLogger(__name__)

_SILENT_S = 2.0
_LOOK_S = 0.02
_MUTE = ParticipantPermission(can_subscribe=True, can_publish_data=True, can_update_metadata=True)
"""All that an interviewer may do but publish sound."""


async def silence(room: rtc.Room, settings: Settings) -> None:
    """Let nobody else publish in a room that is about to be left; that it fails is logged, and costs memory only.

    Args:
        room: connected.
        settings: of its livekit-server.
    """
    keys = settings.livekit_key, settings.livekit_secret
    try:
        async with asyncio.timeout(_SILENT_S), LiveKitAPI(settings.livekit_http_url, *keys) as livekit:
            for identity in list(room.remote_participants):
                request = UpdateParticipantRequest(room=room.name, identity=identity, permission=_MUTE)
                await livekit.room.update_participant(request)
            while any(each.track_publications for each in room.remote_participants.values()):  # noqa: ASYNC110 (told by several events)
                await asyncio.sleep(_LOOK_S)
    except LIVEKIT_FAULTS as error:
        _log.info("a room is left while somebody publishes in it: %r", error)
