"""Mouth and ears of the reception: a track that says whole sentences, and a recogniser on the caller's track."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from livekit import rtc
from livekit.agents import APIError, stt, utils

from agent.interviews.resources import VoiceResources
from agent.model_files.voices import usual_pace
from agent.phone.reception.wording import WORDING
from agent.settings import Settings
from speech import PiperTTS, TextNormalizer, WhisperSTT

_log = logging.getLogger(__name__)

_EARS_RATE = 16_000
"""Hz; what the recogniser hears."""
_SENTENCE_S = 20.0
"""No sentence takes longer."""
_AHEAD_MS = 400
"""Sound that waits to be played: what is said can be stopped, and this much of it is thrown away."""


class Mouth:
    """Says sentences into a room, one at a time; a new one stops the one before.

    Args:
        resources: shared models, with the interviewer's voice.
        settings: the settings in force.
    """

    def __init__(self, resources: VoiceResources, settings: Settings) -> None:
        voice = resources.speech.voice
        wording = TextNormalizer(language=voice.language)
        self._voice = PiperTTS(voice, usual_pace=usual_pace(settings), wording=wording)
        self._source = rtc.AudioSource(self._voice.sample_rate, 1, queue_size_ms=_AHEAD_MS)
        self._track = rtc.LocalAudioTrack.create_audio_track("reception", self._source)
        self._published: rtc.LocalTrackPublication | None = None
        self._speaking: asyncio.Task[None] | None = None

    async def open(self, room: rtc.Room) -> None:
        """Publish the track."""
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
        self._published = await room.local_participant.publish_track(self._track, options)

    def speak_at(self, pace: float) -> None:
        """Speak at this pace from now on, a factor on the usual one."""
        self._voice.pace = pace

    @property
    def speaks(self) -> bool:
        """Whether something is being said."""
        return self._speaking is not None and not self._speaking.done()

    async def say(self, text: str) -> None:
        """Begin to say something; `silent` tells when it was said."""
        await self.hush()
        self._speaking = asyncio.create_task(self._say(text), name="reception speaks")

    async def silent(self) -> None:
        """Wait until all was said, or stopped."""
        if self._speaking is not None:
            await asyncio.wait({self._speaking})

    async def hush(self) -> None:
        """Stop what is being said."""
        if self._speaking is not None:
            await utils.aio.cancel_and_wait(self._speaking)
            self._source.clear_queue()

    async def _say(self, text: str) -> None:
        try:
            async with self._voice.synthesize(text) as sounds:
                async for each in sounds:
                    await self._source.capture_frame(each.frame)
            await self._source.wait_for_playout()
        except Exception:  # noqa: BLE001 - the edge of a call: LiveKit names no errors here, and the caller can still type
            _log.exception("the reception could not say something")

    async def close(self, room: rtc.Room) -> None:
        """Take the track away."""
        await self.hush()
        if self._published is not None:
            try:
                await room.local_participant.unpublish_track(self._published.sid)
            except Exception as error:  # noqa: BLE001 - the edge of a call: the room may be gone with everybody in it
                _log.info("the track of the reception could not be taken away: %s", error)
        await self._source.aclose()


class Ears:
    """Hears what one participant says.

    Args:
        whisper: the recogniser.
        heard: told each stretch of words.
    """

    def __init__(self, whisper: WhisperSTT, heard: Callable[[str], None]) -> None:
        self._stream = whisper.stream()
        self._heard = heard
        self._listening: asyncio.Task[None] | None = None
        self._reading = asyncio.create_task(self._read(), name="reception hears")

    def listen(self, track: rtc.Track) -> None:
        """Hear this track from now on."""
        if self._listening is not None:
            self._listening.cancel()
        self._listening = asyncio.create_task(self._push(track), name="reception listens")

    async def _push(self, track: rtc.Track) -> None:
        sound = rtc.AudioStream(track, sample_rate=_EARS_RATE, num_channels=1)
        try:
            async for event in sound:
                self._stream.push_frame(event.frame)
        finally:
            await sound.aclose()

    async def _read(self) -> None:
        try:
            async for event in self._stream:
                if event.type is stt.SpeechEventType.FINAL_TRANSCRIPT and event.alternatives:
                    self._heard(event.alternatives[0].text)
        except APIError as error:
            _log.error("the reception hears nothing any more, only keys: %s", error)

    async def close(self) -> None:
        """Hear nothing more."""
        await utils.aio.cancel_and_wait(*[task for task in (self._listening, self._reading) if task is not None])
        await self._stream.aclose()


async def say_once(room: rtc.Room, resources: VoiceResources, settings: Settings, situation: str) -> None:
    """Say one sentence of `wording.md` into a room where nothing else speaks any more. It never fails."""
    mouth = Mouth(resources, settings)
    try:
        async with asyncio.timeout(_SENTENCE_S):
            await mouth.open(room)
            await mouth.say(WORDING.say(situation))
            await mouth.silent()
    except Exception:  # noqa: BLE001 - the edge of a call: what is left is to hang up
        _log.exception("the caller could not be told: %s", situation)
    finally:
        await mouth.close(room)
