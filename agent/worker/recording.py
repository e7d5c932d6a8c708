"""Recording of the room as it is heard: a hidden participant that only listens.

It hears what the candidate hears, when they hear it, whatever was interrupted on the way, and needs nothing from inside
LiveKit's session. What it hears is on disk within about a second, so a killed worker leaves what was said so far.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import numpy as np
from livekit import rtc

from agent.interviews.shutdown import close_in_time
from agent.settings import Settings
from agent.worker.tokens import CANDIDATE, recorder_token
from domain.events import Event, ProblemNoticed, RecordingStarted
from review import Side, StereoRecorder

_log = logging.getLogger(__name__)

SAMPLE_RATE = 48_000
"""Hz; what WebRTC carries, so nothing is resampled."""
_FRAME_MS = 20


class RoomRecording:
    """A listener in a room that writes both sides to a file.

    Args:
        recorder: the file.
        candidate: identity of the candidate; every other voice is the interviewer's.
        clock: seconds since the epoch.
    """

    def __init__(self, recorder: StereoRecorder, candidate: str, clock: Callable[[], float]) -> None:
        self._recorder = recorder
        self._candidate = candidate
        self._clock = clock
        self._room = rtc.Room()
        self._listening: dict[str, asyncio.Task[None]] = {}
        self.paused = False
        """The candidate is on hold, and what is said there is not for us."""
        # Captions and LiveKit's session data come to everyone in the room; unclaimed, each would be a warning.
        self._room.register_text_stream_handler("lk.transcription", _ignore)
        self._room.register_byte_stream_handler("lk.agent.session", _ignore)
        self._room.on("track_subscribed", self._listen)
        self._room.on("track_unsubscribed", self._stop)

    async def start(self, url: str, token: str) -> None:
        """Join the room, unseen."""
        await self._room.connect(url, token, rtc.RoomOptions(auto_subscribe=True))

    async def stop(self) -> None:
        """Finish the file and leave the room. May be called more than once."""
        for task in list(self._listening.values()):
            task.cancel()
        await asyncio.gather(*self._listening.values(), return_exceptions=True)
        # The file first: it lasts until it is finished, and leaving takes as long as the server takes.
        await asyncio.to_thread(self._recorder.close)
        await close_in_time(self._room.disconnect, "the recorder's room")

    def _listen(self, track: rtc.Track, _: rtc.RemoteTrackPublication, participant: rtc.RemoteParticipant) -> None:
        if track.kind == rtc.TrackKind.KIND_AUDIO:
            side: Side = "candidate" if participant.identity == self._candidate else "interviewer"
            self._listening[track.sid] = asyncio.create_task(self._write(track, side))

    def _stop(self, track: rtc.Track, *_: object) -> None:
        if task := self._listening.pop(track.sid, None):
            task.cancel()

    async def _write(self, track: rtc.Track, side: Side) -> None:
        stream = rtc.AudioStream(track, sample_rate=SAMPLE_RATE, num_channels=1, frame_size_ms=_FRAME_MS)
        try:
            async for event in stream:
                frame = event.frame
                if self.paused and side == "candidate":
                    continue
                self._recorder.write(
                    side, np.frombuffer(frame.data, np.int16), self._clock() - frame.duration, source=track.sid
                )
        finally:
            await stream.aclose()


async def record_room(
    settings: Settings,
    interview_id: str,
    record: Callable[[Event], None],
    clock: Callable[[], float],
    *,
    room: str,
    candidate: str = CANDIDATE,
) -> RoomRecording | None:
    """Begin a piece of an interview's recording: a worker that comes after a crash begins another.

    An interview does not fail with its recording: where none can be begun the record says why, and the answer is None.

    Args:
        settings: the settings in force.
        interview_id: the interview.
        record: takes events.
        clock: seconds since the epoch.
        room: the room it is held in.
        candidate: identity of the candidate in it.
    """

    def failed(sentence: str) -> None:
        _log.error(sentence)
        record(ProblemNoticed(at=clock(), what=sentence, advice="The interview goes on without being recorded."))

    folder = settings.interview_dir(interview_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"piece-{len(list(folder.glob('piece-*.ogg')))}.ogg"
    except OSError as error:
        failed(f"The recording cannot be begun in {folder}: {error.strerror}. Free some room, or set data_dir.")
        return None
    recorder = StereoRecorder(path, clock=clock, on_problem=failed)
    recording = RoomRecording(recorder, candidate, clock)
    try:
        await recording.start(settings.livekit_ws_url, recorder_token(settings, room))
    except rtc.ConnectError as error:
        await recording.stop()
        failed(f"The recording could not join the room: {error}. Run `viva doctor`.")
        return None
    record(RecordingStarted(at=recorder.started_at, path=path.name))
    return recording


def _ignore(stream: rtc.TextStreamReader | rtc.ByteStreamReader, _: str) -> None:
    """Let go of a stream that is of no use here.

    LiveKit asks each open reader about every event of the process, each frame of sound among them: left open, the
    thousand captions and notices of one interview slowed down all that are held beside it.
    """
    stream.close()
