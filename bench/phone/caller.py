"""A candidate on the telephone: says recordings with baresip, and hears what passes the relay."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from aiortp.packet import RtpPacket

from agent.phone.line.codecs import PAYLOAD_TYPES, codec_named
from agent.rehearsal.hearing import LOUD_PEAK
from bench.phone.baresip import Baresip
from bench.phone.heard import PACKET_S, RATE_HZ
from bench.phone.relay import Passed, Relay
from bench.phone.wav import Sound as Pcm
from bench.phone.wav import write_wav
from bench.voice.caller import GREETING_S, PATIENCE_S, NoReplyError
from bench.voice.sounds import Sound, at_rate
from domain.events import CallBegan, Event, SpeechEnded, SpeechStarted
from review import RecordStore

_KEY_S = 0.25
"""From key to key: as people type."""
_LOOK_S = 0.2
_QUIET_S = 0.8
"""As the candidate in the browser waits."""
_SILENCE_S = 300
"""After an answer: a telephone whose file ends hangs up."""
_STARTS_S = 0.5
_CLOSED_S = 30.0


def loud_at(packet: Passed) -> float | None:
    """When the first loud sample of a packet was spoken (of a telephone) or arrived; None without one."""
    rtp = RtpPacket.parse(packet.data)
    if rtp.payload_type != PAYLOAD_TYPES["PCMU"]:
        return None
    peaks = np.abs(np.frombuffer(codec_named("PCMU").decode(rtp.payload), np.int16).astype(np.int32))
    loud = np.flatnonzero(peaks > LOUD_PEAK)
    if not len(loud):
        return None
    # A packet leaves its telephone when it is full, and begins to be played when it arrives.
    began = packet.came_at - PACKET_S if packet.is_of_phone else packet.left_at
    return None if began is None else began + float(loud[0]) / RATE_HZ


class PhoneCaller:
    """Makes one call. Waiting raises `NoReplyError` when nothing comes."""

    def __init__(self, phone: Baresip, relay: Relay, store: RecordStore, folder: Path) -> None:
        self._phone = phone
        self._relay = relay
        self._store = store
        self._folder = folder
        self._looked = len(relay.passed)
        self._loud_at: float | None = None
        self._number = 0
        self.interview_id = ""

    async def begin(self, address: str, pin: str) -> None:
        """Call, type the PIN, and hear greeting and first question."""
        await self._phone.command("dial", address)
        await self._until(lambda: self._last_loud_at() is not None, GREETING_S, "nobody greeted")
        await self.press(f"{pin}#")
        await self._until(self._has_begun, GREETING_S, "the PIN began no interview")
        await self.until_my_turn(0.0, GREETING_S)

    async def press(self, keys: str) -> None:
        """Press keys."""
        for key in keys:
            await self._phone.command("sndcode", key)
            await asyncio.sleep(_KEY_S)

    async def until_my_turn(self, since: float, patience_s: float = PATIENCE_S) -> None:
        """Wait until a question that was put after a time (seconds since the epoch) was heard to its end."""

        def is_asked() -> bool:
            loud = self._last_loud_at()
            if loud is None or loud < since or time.time() - loud < _QUIET_S:
                return False
            ends = [each for each in self.events() if isinstance(each, SpeechEnded) and each.speech == "question"]
            return bool(ends) and ends[-1].at > since

        await self._until(is_asked, patience_s, f"no question was heard within {patience_s:g} s")

    async def until_reply(self, since: float) -> None:
        """Wait until something is said about an answer that was over at a time (seconds since the epoch)."""

        def is_replied_to() -> bool:
            return any(isinstance(each, SpeechStarted) and each.at > since for each in self.events())

        await self._until(is_replied_to, PATIENCE_S, f"no reply was heard within {PATIENCE_S:g} s")

    @property
    def asked(self) -> str:
        """The last question."""
        asked = [each for each in self.events() if isinstance(each, SpeechStarted) and each.speech == "question"]
        return asked[-1].text if asked else ""

    async def say(self, sound: Sound) -> tuple[float, float]:
        """Say a recording; when it began and when its last word was over, seconds since the epoch."""
        self._number += 1
        spoken = at_rate(sound.pcm, RATE_HZ)
        silence = np.zeros(RATE_HZ * _SILENCE_S, np.int16)
        path = write_wav(self._folder / f"says-{self._number}.wav", np.concatenate([spoken, silence]), RATE_HZ)
        before = len(self._relay.passed)
        await self._phone.command("ausrc", f"aufile,{path}")
        await asyncio.sleep(sound.speech_end_s + _STARTS_S)
        onset = _first_loud(self._relay.passed[before:])
        if onset is None:
            raise NoReplyError("the telephone did not say the answer")
        start = onset - _leading_s(spoken)
        return start, start + sound.speech_end_s

    async def end(self) -> None:
        """End the interview, and the call."""
        await self.press("99")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._phone.event("CALL_CLOSED"), _CLOSED_S)
        await self._phone.close()

    def events(self) -> list[Event]:
        """The record so far."""
        return [stored.event for stored in self._store.events(self.interview_id)] if self.interview_id else []

    def _has_begun(self) -> bool:
        for each in self._store.unended():
            if any(isinstance(stored.event, CallBegan) for stored in self._store.events(each.id)):
                self.interview_id = each.id
        return bool(self.interview_id)

    def _last_loud_at(self) -> float | None:
        passed = self._relay.passed
        for packet in passed[self._looked :]:
            if not packet.is_of_phone and (at := loud_at(packet)) is not None:
                self._loud_at = at
        self._looked = len(passed)
        return self._loud_at

    async def _until(self, holds: Callable[[], bool], within_s: float, otherwise: str) -> None:
        deadline = time.monotonic() + within_s
        while not holds():
            if time.monotonic() > deadline:
                raise NoReplyError(otherwise)
            await asyncio.sleep(_LOOK_S)


def _first_loud(packets: Sequence[Passed]) -> float | None:
    times = [at for packet in packets if packet.is_of_phone and (at := loud_at(packet)) is not None]
    return min(times, default=None)


def _leading_s(pcm: Pcm) -> float:
    loud = np.flatnonzero(np.abs(pcm.astype(np.int32)) > LOUD_PEAK)
    return float(loud[0]) / RATE_HZ if len(loud) else 0.0
