"""The recording as a participant of a real room. Needs livekit-server, which `make test` builds."""

from __future__ import annotations

import asyncio
import time

import pytest
from livekit import rtc
from livekit.api import AccessToken, VideoGrants
from livekit.rtc._ffi_client import FfiClient

from agent.settings import Settings
from agent.worker.recording import record_room
from agent.worker.tokens import room_name
from domain.events import Event

pytestmark = [pytest.mark.slow, pytest.mark.spoken]

INTERVIEW = "tea-1"
NOTICES = 40
PATIENCE_S = 20.0


async def joined(settings: Settings, identity: str) -> rtc.Room:
    """Somebody else in the room."""
    grants = VideoGrants(room_join=True, room=room_name(INTERVIEW))
    token = AccessToken(settings.livekit_key, settings.livekit_secret).with_identity(identity).with_grants(grants)
    room = rtc.Room()
    await room.connect(settings.livekit_ws_url, token.to_jwt())
    return room


def listeners() -> int:
    """How many ask to be told about each event of the process. LiveKit's library has no public way to ask."""
    return len(FfiClient.instance.queue._subscribers)


async def test_captions_and_notices_leave_no_listeners_behind(livekit: Settings) -> None:
    """However much is sent to the room beside the sound, the recording is no slower for it.

    LiveKit asks every stream that was not closed about each frame of sound of each room of the process.
    """
    noted: list[Event] = []
    recording = await record_room(livekit, INTERVIEW, noted.append, time.time, room=room_name(INTERVIEW))
    assert recording is not None, noted
    interviewer, candidate = await joined(livekit, "interviewer"), await joined(livekit, "candidate")
    read = asyncio.Queue[str]()
    reading: set[asyncio.Task[None]] = set()

    async def read_to_its_end(caption: rtc.TextStreamReader) -> None:
        read.put_nowait(await caption.read_all())

    candidate.register_text_stream_handler(
        "lk.transcription", lambda caption, _: reading.add(asyncio.create_task(read_to_its_end(caption)))
    )
    before = listeners()
    for number in range(NOTICES):
        await interviewer.local_participant.send_bytes(b"notice", name=str(number), topic="lk.agent.session")
        await interviewer.local_participant.send_text(f"caption {number}", topic="lk.transcription")
    async with asyncio.timeout(PATIENCE_S):
        captions = [await read.get() for _ in range(NOTICES)]
    # The recording's are delivered beside the candidate's, not before them.
    await asyncio.sleep(1)
    left_behind = listeners() - before
    for leave in (recording.stop, interviewer.disconnect, candidate.disconnect):
        await leave()
    assert captions[-1] == f"caption {NOTICES - 1}"
    assert left_behind <= 0
