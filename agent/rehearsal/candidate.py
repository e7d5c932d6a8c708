"""Candidate in the room, an ordinary client: it publishes a microphone, hears the interviewer, reads captions.

It knows what any client can know. Captions are text streams on `lk.transcription`: the interviewer's grow while they
are spoken, one stream for each stretch of speech (greeting, feedback, question, reply, closing); the candidate's own,
as the recogniser understood them, come under the candidate's identity.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from livekit import rtc
from livekit.rtc.data_stream import StreamError
from numpy.typing import NDArray

from agent.rehearsal.hearing import RATE_HZ, HeardAudio
from agent.rehearsal.microphone import Microphone, SaidAt

TOPIC_TRANSCRIPTION = "lk.transcription"
ATTRIBUTE_SEGMENT = "lk.segment_id"
ATTRIBUTE_FINAL = "lk.transcription_final"
ATTRIBUTE_STATE = "lk.agent.state"


@dataclass(slots=True)
class Caption:
    """One stretch of speech as captions show it, growing while it is spoken."""

    segment_id: str
    opened_at: float
    """Seconds since the epoch; the sound follows 0.1 to 0.4 s later."""
    text: str = ""
    closed: bool = False


@dataclass(slots=True)
class Captions:
    """Captions in the order in which they opened."""

    interviewer: list[Caption] = field(default_factory=list)
    recognised: list[Caption] = field(default_factory=list)
    """The candidate's own words as they were understood."""


class SyntheticCandidate:
    """A LiveKit participant that hears and has a microphone. `clock` gives seconds since the epoch."""

    def __init__(self, heard_audio: HeardAudio, clock: Callable[[], float]) -> None:
        self.heard_audio = heard_audio
        self.captions = Captions()
        self.closed = asyncio.Event()
        """Set when the room is gone or the candidate has left it."""
        self.failure: BaseException | None = None
        """What broke the microphone or the hearing; the candidate is of no use then, and `closed` is set."""
        self._clock = clock
        self._room = rtc.Room()
        self._microphone = Microphone(clock)
        self._states: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listen()

    @property
    def interviewer_state(self) -> str | None:
        """What the interviewer says it is doing (`speaking`, `listening`, `thinking`); None when nobody is there.

        After a crash the dead interviewer stays for some seconds beside the new one: who changed last counts.
        """
        return next(reversed(self._states.values()), None)

    async def join(self, url: str, token: str) -> None:
        """Enter the room and open the microphone.

        Raises:
            rtc.ConnectError: the server cannot be reached or refuses the token.

        """
        await self._room.connect(url, token, rtc.RoomOptions(auto_subscribe=True))
        for participant in self._room.remote_participants.values():
            self._note_state(participant)
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
        await self._room.local_participant.publish_track(self._microphone.track(), options)
        self._spawn(self._microphone.run())

    async def say(self, parts: Iterable[Awaitable[NDArray[np.int16]]]) -> SaidAt:
        """Speak 48 kHz mono, each part as soon as it is there. Returns when the last sound is about to leave."""
        return await self._microphone.say(parts)

    async def leave(self) -> None:
        """Leave the room, in mid-word if need be."""
        self.closed.set()
        await self._room.disconnect()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.heard_audio.close()

    def _listen(self) -> None:
        room = self._room
        room.on("track_subscribed", self._on_track)
        room.on("participant_connected", self._note_state)
        room.on("participant_attributes_changed", lambda _changed, participant: self._note_state(participant))
        room.on("participant_disconnected", lambda participant: self._states.pop(participant.identity, None))
        room.on("disconnected", lambda _reason: self.closed.set())
        room.register_text_stream_handler(
            TOPIC_TRANSCRIPTION, lambda reader, identity: self._spawn(self._read(reader, identity))
        )

    def _note_state(self, participant: rtc.Participant) -> None:
        state = participant.attributes.get(ATTRIBUTE_STATE)
        if state is not None and participant.identity != self._room.local_participant.identity:
            self._states.pop(participant.identity, None)
            self._states[participant.identity] = state

    def _on_track(
        self, track: rtc.Track, publication: rtc.RemoteTrackPublication, _participant: rtc.RemoteParticipant
    ) -> None:
        # Listening signals come on a track that is no microphone's: they are no turn, and nothing to answer to.
        if track.kind == rtc.TrackKind.KIND_AUDIO and publication.source == rtc.TrackSource.SOURCE_MICROPHONE:
            self._spawn(self._hear(track))

    async def _hear(self, track: rtc.Track) -> None:
        stream = rtc.AudioStream(track, sample_rate=RATE_HZ, num_channels=1)
        try:
            async for event in stream:
                self.heard_audio.hear(self._clock(), np.frombuffer(event.frame.data, dtype=np.int16))
        finally:
            await stream.aclose()

    async def _read(self, reader: rtc.TextStreamReader, identity: str) -> None:
        own = identity == self._room.local_participant.identity
        kept = self.captions.recognised if own else self.captions.interviewer
        segment_id = (reader.info.attributes or {}).get(ATTRIBUTE_SEGMENT, reader.info.stream_id)
        # What was understood of the candidate comes anew with each stream of the same segment, and replaces it.
        caption = next((known for known in kept if known.segment_id == segment_id), None)
        if caption is None:
            caption = Caption(segment_id, self._clock())
            kept.append(caption)
        text = ""
        try:
            async for chunk in reader:
                text += chunk
                caption.text = text
        except StreamError:
            # The interviewer died in mid-word: the caption ends where its voice did.
            caption.closed = True
            return
        caption.closed = (reader.info.attributes or {}).get(ATTRIBUTE_FINAL, "true") == "true"

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            self.failure = failure
            self.closed.set()
