"""A caller in a real room: a participant of kind SIP, as the line makes one, with a voice, keys and an ear."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import numpy as np
from livekit import rtc
from livekit.api import AccessToken, LiveKitAPI, VideoGrants
from livekit.protocol.agent_dispatch import CreateAgentDispatchRequest
from livekit.protocol.room import CreateRoomRequest
from numpy.typing import NDArray

from agent.rehearsal.microphone import Microphone
from agent.settings import Settings
from agent.worker.tokens import AGENT_NAME, CALL_METADATA, CALL_PREFIX

CODES = {key: code for code, key in enumerate("0123456789*#")}
NUMBER = "+4930123456"
LOUD = 500
"""Samples of int16 above this are a voice."""
_numbers = itertools.count()


class Caller:
    """One call; use it as an asynchronous context manager.

    Args:
        settings: of the livekit-server.
        number: the caller's number.
        metadata: of the job that is dispatched.
    """

    def __init__(self, settings: Settings, *, number: str = NUMBER, metadata: str = CALL_METADATA) -> None:
        self._settings = settings
        self._metadata = metadata
        self.room_name = f"{CALL_PREFIX}{secrets.token_hex(4)}"
        self.room = rtc.Room()
        self._attributes = {
            "sip.callID": f"call {next(_numbers)}",
            "sip.phoneNumber": number,
            "sip.trunkPhoneNumber": "viva",
            "sip.callStatus": "active",
            "viva.codec": "PCMA",
        }
        self._microphone = Microphone(time.time)
        self._tasks: set[asyncio.Task[None]] = set()
        self.heard_at = float("-inf")
        """When a voice was heard last, seconds since the epoch."""
        self.first_heard_at: float | None = None
        self.over = asyncio.Event()
        """The interviewer has left, or the room is gone."""
        self.said_over = False
        """… and said so before."""

    async def __aenter__(self) -> Self:
        settings = self._settings
        token = (
            AccessToken(settings.livekit_key, settings.livekit_secret)
            .with_identity(f"sip_{secrets.token_hex(4)}")
            .with_kind("sip")
            .with_attributes(self._attributes)
            .with_grants(VideoGrants(room_join=True, room=self.room_name, can_update_own_metadata=True))
        )
        self.room.on("track_subscribed", self._listen)
        self.room.on("participant_disconnected", lambda _: self.over.set())
        self.room.on("disconnected", lambda *_: self.over.set())
        self.room.on("participant_attributes_changed", self._attributes_changed)
        async with LiveKitAPI(settings.livekit_http_url, settings.livekit_key, settings.livekit_secret) as livekit:
            await livekit.room.create_room(CreateRoomRequest(name=self.room_name, empty_timeout=30))
            await self.room.connect(settings.livekit_ws_url, token.to_jwt())
            options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
            await self.room.local_participant.publish_track(self._microphone.track(), options)
            self._run(self._microphone.run())
            await livekit.agent_dispatch.create_dispatch(
                CreateAgentDispatchRequest(agent_name=AGENT_NAME, room=self.room_name, metadata=self._metadata)
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hang_up()

    async def hang_up(self) -> None:
        """Leave the room."""
        with suppress(Exception):
            await self.room.disconnect()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def press(self, keys: str) -> None:
        """One key after another, as fast as somebody types."""
        for key in keys:
            await self.room.local_participant.publish_dtmf(code=CODES[key], digit=key)
            await asyncio.sleep(0.15)

    async def say(self, sound: NDArray[np.int16]) -> None:
        """Put sound on the line; back when it was said."""

        async def part() -> NDArray[np.int16]:
            return sound

        await self._microphone.say([part()])

    async def hold(self, *, on: bool) -> None:
        """Put the interviewer on hold, as the line tells it."""
        await self.room.local_participant.set_attributes({"viva.hold": "1" if on else ""})

    async def hears(self, *, since: float, within_s: float = 20.0) -> None:
        """Wait until a voice is heard."""
        await eventually(lambda: self.heard_at > since, within_s)

    async def quiet(self, for_s: float = 1.2, within_s: float = 40.0) -> None:
        """Wait until nothing was heard for a while."""
        await eventually(lambda: time.time() - self.heard_at > for_s, within_s)

    def _attributes_changed(self, changed: dict[str, str], participant: rtc.Participant) -> None:
        if participant.kind == rtc.ParticipantKind.PARTICIPANT_KIND_AGENT and changed.get("viva.over") == "1":
            self.said_over = True

    def _listen(self, track: rtc.Track, *_: object) -> None:
        if track.kind == rtc.TrackKind.KIND_AUDIO:
            self._run(self._hear(track))

    async def _hear(self, track: rtc.Track) -> None:
        stream = rtc.AudioStream(track, sample_rate=8000, num_channels=1, frame_size_ms=20)
        try:
            async for event in stream:
                if np.abs(np.frombuffer(event.frame.data, np.int16).astype(int)).max(initial=0) > LOUD:
                    self.heard_at = time.time()
                    self.first_heard_at = self.first_heard_at or self.heard_at
        finally:
            await stream.aclose()

    def _run(self, coroutine: object) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def eventually(holds: Callable[[], bool], within_s: float) -> None:
    """Wait until something is so.

    Raises:
        TimeoutError: it was not.
    """
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - it is another process, or sound
            await asyncio.sleep(0.05)
