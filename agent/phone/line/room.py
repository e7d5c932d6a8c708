"""Room: the LiveKit side of one call: sound and keys go in and out, and an interviewer is called."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from livekit import rtc
from livekit.api import LiveKitAPI
from livekit.protocol.agent import JobStatus
from livekit.protocol.agent_dispatch import AgentDispatch, CreateAgentDispatchRequest
from livekit.rtc.participant import PublishTrackError

from agent.phone.call import OVER, Dispatch
from agent.phone.line.buffer import SoundBuffer, mixed
from agent.phone.line.caller import Caller
from agent.phone.line.departure import silence
from agent.phone.line.keys import DIGITS
from agent.phone.line.watch import RoomState
from agent.settings import Settings
from agent.worker.recovery import LIVEKIT_FAULTS
from agent.worker.tokens import AGENT_NAME

_log = logging.getLogger(__name__)

_CONNECT_S = 8.0
_LEAVE_S = 10.0
_TELL_S = 1.0
_KEPT_FRAMES = 15
"""Frames (300 ms) of the caller that wait for the room; older ones are dropped."""
_KEPT_KEYS = 24
"""Keys that wait for an interviewer: a PIN, and what somebody impatient types after it."""
_CLOSED_ON_PURPOSE = frozenset(
    {rtc.DisconnectReason.ROOM_DELETED, rtc.DisconnectReason.PARTICIPANT_REMOVED, rtc.DisconnectReason.CLIENT_INITIATED}
)
_AGENT = rtc.ParticipantKind.PARTICIPANT_KIND_AGENT


class RoomError(RuntimeError):
    """The room cannot be entered now."""


class CallRoom:
    """One call's place in its room. `join` it, `put` and `take` 20 ms at a time, `leave` it in any case."""

    def __init__(self, settings: Settings, caller: Caller, rate_hz: int) -> None:
        self._settings = settings
        self._caller = caller
        self._rate_hz = rate_hz
        self._frame_bytes = rate_hz // 50 * 2
        self._room: rtc.Room | None = None
        self._connecting: asyncio.Future[None] | None = None
        self._source: rtc.AudioSource | None = None
        self._buffers: dict[str, SoundBuffer] = {}
        self._said: asyncio.Queue[bytes] = asyncio.Queue(_KEPT_FRAMES)
        self._keys: deque[str] = deque(maxlen=_KEPT_KEYS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._state: RoomState = "outside"
        self._is_over = False
        self.dropped = 0
        """Frames of the caller that the room did not take in time."""

    @property
    def state(self) -> RoomState:
        """Where the call is."""
        return self._state

    @property
    def has_interviewer(self) -> bool:
        """Whether an interviewer is in the room."""
        return self._state == "inside" and self._room is not None and any(
            each.kind == _AGENT for each in self._room.remote_participants.values()
        )  # fmt: skip

    @property
    def is_over(self) -> bool:
        """Whether an interviewer has said that the call is over."""
        return self._is_over

    async def join(self) -> None:
        """Go into the room, or back into it.

        Raises:
            RoomError: livekit-server does not let us in, or cannot be reached.
        """
        await self._leave_room()
        room = self._room = rtc.Room()
        self._listen(room)
        connecting = self._connecting = asyncio.ensure_future(
            room.connect(self._settings.livekit_ws_url, self._caller.token(self._settings))
        )
        try:
            # Shielded: who is cancelled in mid-connection would come in later, and nobody would know.
            await asyncio.wait_for(asyncio.shield(connecting), _CONNECT_S)
            self._source = rtc.AudioSource(self._rate_hz, 1, queue_size_ms=0)
            track = rtc.LocalAudioTrack.create_audio_track("phone", self._source)
            options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE, dtx=False, red=False)
            await asyncio.wait_for(room.local_participant.publish_track(track, options), _CONNECT_S)
        except (rtc.ConnectError, PublishTrackError, TimeoutError) as error:
            raise RoomError(f"the room cannot be entered ({str(error) or 'no answer'})") from None
        self._state = "inside"
        self._start(self._pass_on(self._source))

    async def call_interviewer(self) -> None:
        """Ask livekit-server to send an interviewer, unless one is on the way; that it cannot is logged."""
        dispatch = Dispatch(self._caller.booking or "")
        request = CreateAgentDispatchRequest(agent_name=AGENT_NAME, room=self._caller.room, metadata=dispatch.metadata)
        keys = self._settings.livekit_key, self._settings.livekit_secret
        try:
            async with LiveKitAPI(self._settings.livekit_http_url, *keys) as livekit:
                if not _is_coming(await livekit.agent_dispatch.list_dispatch(self._caller.room)):
                    await livekit.agent_dispatch.create_dispatch(request)
        except LIVEKIT_FAULTS as error:
            _log.warning("no interviewer could be called: %s", error)

    async def leave(self) -> None:
        """Leave the room for good."""
        await self._leave_room()
        self._state = "closed"

    def put(self, pcm: bytes) -> None:
        """Pass on 20 ms of the caller."""
        if self._state == "inside" and len(pcm) == self._frame_bytes:
            if self._said.full():
                self._said.get_nowait()
                self.dropped += 1
            self._said.put_nowait(pcm)

    def take(self) -> bytes:
        """The next 20 ms of what the room says."""
        frames = [frame for buffer in self._buffers.values() if (frame := buffer.take()) is not None]
        return mixed(frames, self._frame_bytes)

    def press(self, digit: str) -> None:
        """Pass on a key, at once or as soon as somebody speaks in the room: before, nobody there takes keys.

        Who calls often types the PIN before anybody has asked for it.
        """
        self._keys.append(digit)
        self._pass_on_keys()

    async def tell(self, attributes: Mapping[str, str]) -> None:
        """Set attributes of the participant; does nothing while there is no connection."""
        if self._state == "inside" and self._room is not None:
            told = self._start(self._room.local_participant.set_attributes(dict(attributes)))
            await asyncio.wait({told}, timeout=_TELL_S)

    def _listen(self, room: rtc.Room) -> None:
        def subscribed(track: rtc.Track, publication: rtc.RemoteTrackPublication, _who: rtc.RemoteParticipant) -> None:
            if track.kind == rtc.TrackKind.KIND_AUDIO:
                self._start(self._hear(publication.sid, track))

        def noted(_changed: dict[str, str], who: rtc.Participant) -> None:
            self._note(who)

        def left(who: rtc.RemoteParticipant) -> None:
            self._note(who)

        def gone(reason: rtc.DisconnectReason.ValueType = rtc.DisconnectReason.UNKNOWN_REASON) -> None:
            if self._room is room:
                self._state = "closed" if reason in _CLOSED_ON_PURPOSE else "outside"

        def away() -> None:
            self._state = "away" if self._state == "inside" else self._state

        def back() -> None:
            self._state = "inside" if self._state == "away" else self._state
            self._pass_on_keys()

        room.on("track_subscribed", subscribed)
        room.on("participant_attributes_changed", noted)
        room.on("participant_disconnected", left)
        room.on("disconnected", gone)
        room.on("reconnecting", away)
        room.on("reconnected", back)

    def _note(self, who: rtc.Participant) -> None:
        if who.kind == _AGENT and who.attributes.get(OVER) == "1":
            self._is_over = True

    async def _hear(self, sid: str, track: rtc.Track) -> None:
        stream = rtc.AudioStream(track, sample_rate=self._rate_hz, num_channels=1, frame_size_ms=20)
        buffer = self._buffers[sid] = SoundBuffer()
        self._pass_on_keys()
        try:
            async for event in stream:
                buffer.put(bytes(event.frame.data))
        finally:
            self._buffers.pop(sid, None)
            await stream.aclose()

    def _pass_on_keys(self) -> None:
        while self._keys and self._buffers and self._state == "inside" and self._room is not None:
            digit = self._keys.popleft()
            self._start(self._room.local_participant.publish_dtmf(code=DIGITS.index(digit), digit=digit))

    async def _pass_on(self, source: rtc.AudioSource) -> None:
        while True:
            pcm = await self._said.get()
            half = len(pcm) // 2
            for part in (pcm[:half], pcm[half:]):
                # 10 ms is what WebRTC works in; longer frames would be queued.
                await source.capture_frame(rtc.AudioFrame(part, self._rate_hz, 1, len(part) // 2))

    def _start(self, something: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(something)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.warning("something failed in the room of a call", exc_info=error)

    async def _leave_room(self) -> None:
        room, connecting, source = self._room, self._connecting, self._source
        self._room = self._connecting = self._source = None
        self._state = "outside"
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._buffers.clear()
        if connecting is not None:
            # A participant whose connection nobody waits for would stay in the room as a ghost; `join` tells of faults.
            # It is never cancelled: LiveKit's client library ends the process, and with it all calls, when a connection
            # comes about that nobody takes.
            await asyncio.wait({connecting}, timeout=_LEAVE_S)
            if connecting.done() and not connecting.cancelled():
                connecting.exception()
        try:
            if room is not None:
                if room.isconnected():
                    await silence(room, self._settings)
                await asyncio.wait_for(room.disconnect(), _LEAVE_S)
        except Exception as error:  # noqa: BLE001 (the edge of a call: the SDK names no error, and we are gone anyway)
            _log.warning("a room was not left in good order: %r", error)
        finally:
            if source is not None:
                await source.aclose()


def _is_coming(dispatches: Sequence[AgentDispatch]) -> bool:
    """Whether a worker has taken a job in this room, or is being asked to."""
    return any(
        job.state.status in {JobStatus.JS_PENDING, JobStatus.JS_RUNNING}
        for each in dispatches
        for job in each.state.jobs
    )
