"""Room side: a stand-in for the interviewer, which goes into the room of each call, and says a sound or an echo."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
from livekit import rtc
from livekit.api import AccessToken, LiveKitAPI, VideoGrants
from livekit.protocol.room import ListRoomsRequest

from agent.phone.hanging_up import tell_over
from agent.settings import Settings
from agent.worker.recovery import LIVEKIT_FAULTS
from agent.worker.tokens import CALL_PREFIX
from bench.phone.wav import Sound

RATE_HZ = 48_000
"""What rooms work in: nothing is resampled here."""
_FRAME = RATE_HZ // 100
_LOOK_S = 0.2
_QUEUE_MS = 100
_LATEST = 3
_LEAVE_S = 10.0
"""Of a room that was closed meanwhile, LiveKit's library may tell nothing any more."""


def hum(seconds: float = 10.0) -> Sound:
    """A sound that never pauses, of the pitch of a voice; its ends fit together."""
    at = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    # Whole periods in the ten seconds; not in phase, so that no moment is quiet.
    waves = [np.sin(2 * np.pi * pitch * at + place) for place, pitch in enumerate((220, 441, 663, 1101))]
    return (np.sum(waves, axis=0) * 0.1 * 32_767).astype(np.int16)


class RoomSide:
    """Goes into rooms. `watch` looks for them until cancelled.

    Args:
        settings: of the livekit-server.
        says: what is said in each room over and over, at `RATE_HZ`; None: what the caller says is said back.
    """

    def __init__(self, settings: Settings, says: Sound | None) -> None:
        self._settings = settings
        self._says = says
        self._rooms: dict[str, rtc.Room] = {}
        self._sources: dict[str, rtc.AudioSource] = {}
        self._tasks: dict[str, list[asyncio.Task[None]]] = {}
        self._entering: list[asyncio.Task[None]] = []
        self.entered = 0
        """How many rooms so far."""
        self.ends_after_s: float | None = None
        """So long after it came a stand-in ends the call; None: the caller does."""

    async def watch(self) -> None:
        """Go into each room of a call as it opens, and out of it when the caller has gone."""
        keys = self._settings.livekit_key, self._settings.livekit_secret
        async with LiveKitAPI(self._settings.livekit_http_url, *keys) as livekit:
            while True:
                with contextlib.suppress(*LIVEKIT_FAULTS):
                    # Not by how many are in it: livekit-server tells that seconds later.
                    for room in (await livekit.room.list_rooms(ListRoomsRequest())).rooms:
                        if room.name.startswith(CALL_PREFIX) and room.name not in self._tasks:
                            self._tasks[room.name] = []
                            self._entering.append(asyncio.create_task(self._enter(room.name)))
                await asyncio.sleep(_LOOK_S)

    async def leave(self) -> None:
        """Leave all rooms."""
        # Nobody is cancelled in mid-connection: LiveKit's client library would end the process.
        if self._entering:
            await asyncio.wait(self._entering, timeout=_LEAVE_S)
        leaving = [asyncio.create_task(self._leave(name)) for name in list(self._rooms)]
        if leaving:
            await asyncio.wait(leaving, timeout=_LEAVE_S)

    async def _enter(self, name: str) -> None:
        tasks = self._tasks[name]
        room = self._rooms[name] = rtc.Room()
        queue_ms = _QUEUE_MS if self._says is not None else 0
        source = self._sources[name] = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=queue_ms)

        def heard(track: rtc.Track, *_: object) -> None:
            if self._says is None and track.kind == rtc.TrackKind.KIND_AUDIO:
                tasks.append(asyncio.create_task(_echo(track, source)))

        def left(*_: object) -> None:
            tasks.append(asyncio.create_task(self._leave(name)))

        room.on("track_subscribed", heard)
        room.on("participant_disconnected", left)
        await room.connect(self._settings.livekit_ws_url, self._token(name))
        if not room.remote_participants:
            await self._leave(name)  # the caller has hung up meanwhile
            return
        track = rtc.LocalAudioTrack.create_audio_track("voice", source)
        await room.local_participant.publish_track(track, rtc.TrackPublishOptions(dtx=False, red=False))
        self.entered += 1
        if self._says is not None:
            tasks.append(asyncio.create_task(_say(self._says, source)))
        if self.ends_after_s is not None:
            tasks.append(asyncio.create_task(_end(room, self.ends_after_s)))

    async def _leave(self, name: str) -> None:
        room = self._rooms.pop(name, None)
        if room is None:
            return
        for task in self._tasks[name]:
            if task is not asyncio.current_task():
                task.cancel()
        await room.disconnect()
        await self._sources.pop(name).aclose()

    def _token(self, name: str) -> str:
        grants = VideoGrants(room_join=True, room=name, can_update_own_metadata=True, agent=True)
        token = AccessToken(self._settings.livekit_key, self._settings.livekit_secret)
        return token.with_identity(f"stand-in-{secrets.token_hex(4)}").with_kind("agent").with_grants(grants).to_jwt()


async def _say(sound: Sound, source: rtc.AudioSource) -> None:
    while True:
        for first in range(0, len(sound), _FRAME):
            await source.capture_frame(rtc.AudioFrame(sound[first : first + _FRAME].tobytes(), RATE_HZ, 1, _FRAME))


async def _end(room: rtc.Room, after_s: float) -> None:
    await asyncio.sleep(after_s)
    await tell_over(room)


async def _echo(track: rtc.Track, source: rtc.AudioSource) -> None:
    # What comes late is left out: an echo that falls behind would stay behind.
    stream = rtc.AudioStream(track, capacity=_LATEST, sample_rate=RATE_HZ, num_channels=1, frame_size_ms=10)
    try:
        async for event in stream:
            await source.capture_frame(event.frame)
    finally:
        await stream.aclose()


@asynccontextmanager
async def standing_in(settings: Settings, says: Sound | None) -> AsyncIterator[RoomSide]:
    """Stand-ins that come by themselves, and are gone in the end."""
    side = RoomSide(settings, says)
    watching = asyncio.create_task(side.watch())
    try:
        yield side
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await side.leave()
