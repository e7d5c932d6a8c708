"""Listening signals, played: a quiet "mm-hm" on a track of its own, so that it takes no turn and stops for nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from livekit import rtc
from livekit.agents import AudioConfig, BackgroundAudioPlayer
from livekit.rtc.participant import PublishTrackError

from agent.conversation.phrases import PHRASES
from domain.events import Event, ListeningSignalled
from speech import Voice

_log = logging.getLogger(__name__)

_VOLUME = 10 ** (-10 / 20)
"""10 dB under what is said in words."""
_RATE = 48_000
"""Hz; what LiveKit's player plays."""
_LINGERS_S = 1.5
"""A signal lasts half a second, and its echo goes to the candidate, back, and through recognition in this time."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A listening signal as a voice says it."""

    name: str
    """As it is written: "mm-hm"."""
    frames: Sequence[rtc.AudioFrame]
    """At `_RATE`, mono."""


class ListeningSignals:
    """Gives them when they are due, each time another one.

    Args:
        player: has them heard; before its sounds are made, none is given.
        speaking: whether the interviewer is saying something.
        record: takes events.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        player: SignalPlayer,
        speaking: Callable[[], bool],
        record: Callable[[Event], None],
        clock: Callable[[], float],
    ) -> None:
        self._player = player
        self._speaking = speaking
        self._record = record
        self._clock = clock
        self._given = 0
        self.given_at = float("-inf")
        """When the last one was given, in seconds since the epoch."""

    def is_ready(self) -> bool:
        """Whether one could be given now: the interviewer is silent, and the sounds are made."""
        return bool(self._player.sounds) and not self._speaking()

    def give(self) -> None:
        """Play one, unless the interviewer speaks or none is ready yet."""
        if not self.is_ready():
            return
        sounds = self._player.sounds
        sound = sounds[self._given % len(sounds)]
        self._given += 1
        self.given_at = self._clock()
        self._player.play(sound)
        self._record(ListeningSignalled(at=self.given_at, sound=sound.name))

    def lingers(self) -> bool:
        """Whether a microphone near a loudspeaker may hear one now."""
        return self._clock() - self.given_at < _LINGERS_S


class SignalPlayer:
    """The track that listening signals are heard on, and the sounds once they are made.

    Args:
        voice: the interviewer's.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._player: BackgroundAudioPlayer | None = None
        self.sounds: list[Sound] = []
        """Those that are made."""

    async def start(self, room: rtc.Room) -> None:
        """Publish the track, and make the sounds. Without a track there are none, and the interview goes on."""
        self._player = BackgroundAudioPlayer()
        try:
            await self._player.start(room=room)
        except PublishTrackError as error:
            _log.warning("the interviewer gives no signals of listening: %s", error)
            return
        await self.make()

    async def make(self) -> None:
        """Have the voice say each of them."""
        for way in PHRASES.ways("listening"):
            name, _, phonemes = way.partition(": ")
            spoken = await asyncio.to_thread(self._voice.speak, f"[[{phonemes}]]")
            spoken = spoken.without_silence(self._voice.sample_rate, before=True, after=True)
            self.sounds.append(Sound(name, _resampled(spoken.samples.tobytes(), self._voice.sample_rate)))

    def play(self, sound: Sound) -> None:
        """Have it heard. Returns at once."""
        if self._player is not None:
            self._player.play(AudioConfig(_each(sound.frames), volume=_VOLUME))

    async def aclose(self) -> None:
        """Take the track away."""
        if self._player is not None:
            await self._player.aclose()


def _resampled(pcm: bytes, rate_hz: int) -> list[rtc.AudioFrame]:
    """Mono 16-bit samples as frames of `_RATE`."""
    frame = rtc.AudioFrame(pcm, rate_hz, 1, len(pcm) // 2)
    resampler = rtc.AudioResampler(rate_hz, _RATE, num_channels=1)
    return [*resampler.push(frame), *resampler.flush()]


async def _each(frames: Sequence[rtc.AudioFrame]) -> AsyncIterator[rtc.AudioFrame]:
    for frame in frames:
        yield frame
