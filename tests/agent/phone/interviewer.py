"""A room-side stand-in for an interviewer: goes into each room of a call, says a sound, and notes what it gets."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np
from livekit import rtc
from livekit.api import AccessToken, LiveKitAPI, VideoGrants
from livekit.protocol.room import ListRoomsRequest

from agent.settings import Settings
from agent.worker.tokens import CALL_PREFIX
from bench.phone.wav import Sound

RATE_HZ = 16000


@dataclass
class Conversation:
    """What happened in one room."""

    room: rtc.Room
    heard: bytearray = field(default_factory=bytearray)
    """16-bit samples of the caller at `RATE_HZ`."""
    keys: list[str] = field(default_factory=list)
    caller: rtc.RemoteParticipant | None = None
    caller_left: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def sound(self) -> Sound:
        """What was heard so far."""
        return np.frombuffer(bytes(self.heard), np.int16)

    async def leave(self, *, is_over: bool) -> None:
        """Leave the room: on purpose, or as if it had died."""
        if is_over:
            await self.room.local_participant.set_attributes({"viva.over": "1"})
            await asyncio.sleep(0.1)
        for task in self.tasks:
            task.cancel()
        await self.room.disconnect()


class Interviewers:
    """Goes into every room of a call that it finds."""

    def __init__(self, settings: Settings, says: Sound, *, most: int = 8) -> None:
        self._settings = settings
        self._says = says
        self._most = most
        self._before: list[Conversation] = []
        self.conversations: dict[str, Conversation] = {}

    def look_anew(self) -> None:
        """Go into every room once more, whoever of ours is there already."""
        self._before += self.conversations.values()
        self.conversations.clear()

    async def leave(self) -> None:
        """Leave all rooms."""
        for talk in [*self._before, *self.conversations.values()]:
            with contextlib.suppress(Exception):
                await talk.leave(is_over=False)

    async def first(self, count: int = 1) -> list[Conversation]:
        """So many conversations, once they have a caller."""
        while True:
            found = [each for each in self.conversations.values() if each.caller is not None]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.02)

    async def watch(self) -> None:
        """Look for rooms until cancelled."""
        keys = self._settings.livekit_key, self._settings.livekit_secret
        async with LiveKitAPI(self._settings.livekit_http_url, *keys) as livekit:
            while True:
                with contextlib.suppress(Exception):
                    rooms = (await livekit.room.list_rooms(ListRoomsRequest())).rooms
                    for room in rooms:
                        # A room of a call that is over stands empty for a while, and then throws out whoever comes.
                        is_new = room.name not in self.conversations and room.num_participants
                        if is_new and room.name.startswith(CALL_PREFIX) and len(self.conversations) < self._most:
                            entering = self.enter(room.name)
                            self.conversations[room.name] = await asyncio.wait_for(entering, 3)
                await asyncio.sleep(0.1)

    async def enter(self, name: str) -> Conversation:
        """Go into a room."""
        grants = VideoGrants(room_join=True, room=name, can_update_own_metadata=True, agent=True)
        token = AccessToken(self._settings.livekit_key, self._settings.livekit_secret)
        token = token.with_identity(f"interviewer-{secrets.token_hex(4)}").with_kind("agent").with_grants(grants)
        room = rtc.Room()
        talk = Conversation(room)
        room.on("track_subscribed", lambda track, _, who: self._hear(talk, track, who))
        room.on("sip_dtmf_received", lambda event: talk.keys.append(event.digit))
        room.on("participant_disconnected", lambda _: talk.caller_left.set())
        await room.connect(self._settings.livekit_ws_url, token.to_jwt())
        source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=100)
        track = rtc.LocalAudioTrack.create_audio_track("voice", source)
        await room.local_participant.publish_track(track, rtc.TrackPublishOptions(dtx=False, red=False))
        talk.tasks.append(asyncio.create_task(self._say(source)))
        return talk

    def _hear(self, talk: Conversation, track: rtc.Track, who: rtc.RemoteParticipant) -> None:
        async def hear() -> None:
            stream = rtc.AudioStream(track, sample_rate=RATE_HZ, num_channels=1, frame_size_ms=20)
            async for event in stream:
                talk.heard += bytes(event.frame.data)

        if who.kind != rtc.ParticipantKind.PARTICIPANT_KIND_SIP:
            return
        talk.caller = who
        talk.tasks.append(asyncio.create_task(hear()))

    async def _say(self, source: rtc.AudioSource) -> None:
        size = RATE_HZ // 100
        while True:
            for start in range(0, len(self._says) - size, size):
                part = self._says[start : start + size].tobytes()
                await source.capture_frame(rtc.AudioFrame(part, RATE_HZ, 1, size))


@asynccontextmanager
async def interviewing(settings: Settings, says: Sound, *, most: int = 8) -> AsyncIterator[Interviewers]:
    """Interviewers that come by themselves, and are gone in the end."""
    interviewers = Interviewers(settings, says, most=most)
    watching = asyncio.create_task(interviewers.watch())
    try:
        yield interviewers
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await interviewers.leave()
