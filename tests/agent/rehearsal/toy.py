"""A toy interviewer in a real room, and a toy of Viva's web: what the synthetic candidate is tested against.

It speaks with Piper and sends captions as LiveKit's agents do, and it hears nothing but loud and quiet. Its record is
made up of what it did.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import numpy as np
from fastapi import FastAPI
from livekit import api, rtc

from agent.rehearsal.candidate import ATTRIBUTE_FINAL, ATTRIBUTE_SEGMENT, ATTRIBUTE_STATE, TOPIC_TRANSCRIPTION
from agent.rehearsal.hearing import RATE_HZ, HeardAudio, HeardFile
from agent.rehearsal.microphone import Microphone
from agent.rehearsal.replies import Phrase
from agent.rehearsal.voice import CandidateVoice
from agent.settings import Settings
from domain.events import Event, InterviewEnded, InterviewStarted, RecordingFinished, SpeechStarted
from domain.vocabulary import EndReason, SpeechKind
from review.report.build import build_report
from review.report.models import Report
from tests.agent.rehearsal.pieces import answered, taken
from tests.web_server import served

QUIET_S = 0.9
WORDS = "something that a toy does not understand"


@dataclass
class ToyRecord:
    """Events of the one interview there is."""

    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Append one."""
        self.events.append(event)

    def kinds(self) -> list[str]:
        """Their kinds in order."""
        return [event.kind for event in self.events]


class ToyInterviewer:
    """Asks questions one after the other, says something in between, and closes the room."""

    def __init__(self, settings: Settings, room: str, voice: CandidateVoice, folder: Path) -> None:
        self.record = ToyRecord()
        self.loud_during_speech = False
        """Whether the candidate spoke while the interviewer did, at any time."""
        self._settings = settings
        self._name = room
        self._voice = voice
        self._folder = folder
        self._room = rtc.Room()
        self._microphone = Microphone(time.time)
        self._ear = HeardAudio(HeardFile(folder / "toy-heard.wav"))
        self._present = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._room.on("track_subscribed", self._on_track)
        self._room.on("participant_disconnected", lambda _participant: self._present.clear())
        self._segments = 0

    async def enter(self) -> None:
        """Join the room and wait for the candidate's microphone."""
        token = api.AccessToken(self._settings.livekit_key, self._settings.livekit_secret).with_identity("toy")
        grants = api.VideoGrants(room_join=True, room=self._name, can_update_own_metadata=True)
        await self._room.connect(self._settings.livekit_ws_url, token.with_grants(grants).to_jwt())
        await self._state("initializing")
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)  # as a session publishes its voice
        await self._room.local_participant.publish_track(self._microphone.track(), options)
        self._keep(self._microphone.run())
        await asyncio.wait_for(self._present.wait(), 30)
        self.record.add(InterviewStarted(at=time.time(), judge="toy"))

    async def interview(self, questions: list[str], *, thinks_s: float = 0.0, gives_up_s: float = 20.0) -> None:
        """A whole interview: greeting, questions with feedback between them, closing."""
        await self.enter()
        # Not "listening" between the two: a question that is slow to be rendered would find an answer to nothing.
        await self.say("greeting", "Hello, and welcome.", then="thinking")
        await self.say("question", questions[0])
        for turn, following in enumerate([*questions[1:], None], start=1):
            span = await self.listen(gives_up_s)
            if span is None:
                await self.end("silence" if self._present.is_set() else "candidate_left")
                return
            self.record.add(taken(turn, WORDS, *span))
            if following is None:
                await self.say("closing", "That was my last question. Goodbye.", turn)
            else:
                await self.react(turn, span[1], following, thinks_s)
        await self.end("completed")

    async def react(self, turn: int, ended_at: float, following: str, thinks_s: float = 0.0) -> None:
        """Judge, speak feedback, think, ask."""
        feedback = "I noted what you said there."
        for event in answered(turn, ended_at, feedback, following):
            if isinstance(event, SpeechStarted):
                await self.say(event.speech, event.text, turn, then="thinking")
                await asyncio.sleep(thinks_s if event.speech == "feedback" else 0)
            else:
                self.record.add(event.model_copy(update={"at": time.time()}))
        await self._state("listening")

    async def say(
        self, kind: SpeechKind, text: str, turn: int = 0, *, then: str = "listening", stops: bool = True
    ) -> bool:
        """Speak with captions. False: the candidate spoke into it, and the rest was not said if it `stops`."""
        pcm = await asyncio.to_thread(self._voice.render, Phrase(text, 0.0))
        self._segments += 1
        attributes = {ATTRIBUTE_SEGMENT: f"S{self._segments}", ATTRIBUTE_FINAL: "false"}
        await self._state("speaking")
        started = time.time()
        self.record.add(SpeechStarted(at=started, speech=kind, text=text, turn=turn))
        writer = await self._room.local_participant.stream_text(topic=TOPIC_TRANSCRIPTION, attributes=attributes)
        words = text.split(" ")
        spoken = len(pcm) // len(words) + 1
        finished = True
        for index, word in enumerate(words):
            await writer.write(word if index == 0 else f" {word}")
            await self._microphone.say([asyncio.sleep(0, pcm[index * spoken : (index + 1) * spoken])])
            if self._ear.last_loud_at is not None and self._ear.last_loud_at > started + 0.2:
                self.loud_during_speech, finished = True, False
                if stops:
                    break
        await writer.aclose(attributes={ATTRIBUTE_FINAL: "true"})
        await self._state(then)
        return finished

    async def listen(self, gives_up_s: float) -> tuple[float, float] | None:
        """Wait for an utterance and the silence behind it; when it began and ended. None: nothing was said."""
        begun, since = None, time.time()
        while begun is None or self._ear.quiet_s(time.time()) < QUIET_S:
            await asyncio.sleep(0.02)
            loud = self._ear.last_loud_at
            if begun is None and loud is not None and loud > since - 0.5:
                begun = loud
            if begun is None and (time.time() - since > gives_up_s or not self._present.is_set()):
                return None
        assert self._ear.last_loud_at is not None
        return begun, self._ear.last_loud_at

    async def end(self, reason: EndReason) -> None:
        """End the interview, write a recording as long as it was, delete the room."""
        started, ended = self.record.events[0].at, time.time()
        self.record.add(InterviewEnded(at=ended, reason=reason))
        write_silence(self._folder / "recording.ogg", ended - started)
        self.record.add(
            RecordingFinished(at=time.time(), path="recording.ogg", started_at=started, duration_s=ended - started)
        )
        key, secret = self._settings.livekit_key, self._settings.livekit_secret
        async with api.LiveKitAPI(self._settings.livekit_http_url, key, secret) as livekit:
            await livekit.room.delete_room(api.DeleteRoomRequest(room=self._name))
        await self.leave()

    async def leave(self) -> None:
        """Leave the room."""
        await self._room.disconnect()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._ear.close()

    async def _state(self, state: str) -> None:
        await self._room.local_participant.set_attributes({ATTRIBUTE_STATE: state})

    def _on_track(self, track: rtc.Track, *_: object) -> None:
        self._present.set()
        self._keep(self._hear(track))

    async def _hear(self, track: rtc.Track) -> None:
        stream = rtc.AudioStream(track, sample_rate=RATE_HZ, num_channels=1)
        async for event in stream:
            self._ear.hear(time.time(), np.frombuffer(event.frame.data, dtype=np.int16))
        await stream.aclose()

    def _keep(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def write_silence(path: Path, seconds: float) -> None:
    """An OGG file of silence."""
    with av.open(str(path), "w") as file:
        stream = file.add_stream("libopus", rate=48_000, layout="mono")
        samples = np.zeros((1, round(seconds * 48_000)), np.int16)
        frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
        frame.sample_rate = 48_000
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)


@contextmanager
def toy_web(settings: Settings, interviewer: ToyInterviewer, room: str, token: str, recording: Path) -> Iterator[str]:
    """Viva's API for one interview, at the settings' web port, in a thread of its own; its address."""
    app = FastAPI()

    @app.post("/api/interviews", status_code=201)
    def create() -> dict[str, str]:
        url = settings.livekit_ws_url
        return {"interview_id": "i1", "key": "k", "room": room, "livekit_url": url, "token": token, "report_url": "/r"}

    @app.get("/api/interviews/i1/events")
    def events(after: int = 0) -> list[dict[str, Any]]:
        stored = list(enumerate(interviewer.record.events, start=1))
        return [{"seq": seq, "event": event.model_dump()} for seq, event in stored if seq > after]

    @app.get("/api/interviews/i1/report")
    def report() -> Report:
        return build_report(interviewer.record.events)

    @app.get("/api/interviews/i1/recording")
    def sound() -> Any:
        from fastapi.responses import FileResponse  # noqa: PLC0415

        return FileResponse(recording)

    with served(app, settings.web_port):
        yield settings.web_url
