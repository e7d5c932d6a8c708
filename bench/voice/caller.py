"""A candidate in a real room who says recordings, and what they hear: first sound, feedback, question, silence.

Everything is taken from the sound that arrives at the candidate, in frames of 10 ms. A frame is loud when its peak
exceeds 500 of 32,767 (agent/rehearsal/hearing.py); the first loud frame after the candidate's last word that comes
after a quarter of a second without one is the first audio of the reply. Captions only tell which words a sound
belongs to.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from livekit import rtc

from agent.rehearsal.candidate import Caption, SyntheticCandidate
from agent.rehearsal.hearing import (
    EARLY_S,
    FRAME_SAMPLES,
    LOUD_PEAK,
    RATE_HZ,
    HeardAudio,
    HeardFile,
    HeardFrames,
    caption_onset,
    first_onset_after,
)
from agent.rehearsal.microphone import Microphone
from agent.rehearsal.turn_taking import Floor, may_speak, sounds_asked
from bench.voice.figures import Side
from bench.voice.sounds import Pcm, Sound, mixed, noise
from bench.voice.venue import Venue

PATIENCE_S = 60.0
"""A reply that is not over after this long has failed."""
GREETING_S = 90.0
"""Joining, greeting and the first question may take so long on a busy machine."""
_LOOK_S = 0.03
_ENDED_S = 45.0
_OVERLAP_S = 0.3
"""The interviewer's voice that is heard this long into an answer talks into it; before, it had only not stopped yet."""


class NoReplyError(RuntimeError):
    """The interviewer did not say what was waited for."""


class NoisyMicrophone(Microphone):
    """A microphone in a room that is never silent."""

    def __init__(self, bed: Pcm | None) -> None:
        super().__init__(time.time)
        self._bed = bed
        self._place = 0

    async def _send(self, pcm: Pcm) -> None:
        if self._bed is not None:
            pcm = np.pad(pcm, (0, FRAME_SAMPLES - len(pcm)))
            pcm = mixed(pcm, self._bed, self._place)
            self._place = (self._place + len(pcm)) % len(self._bed)
        await super()._send(pcm)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the interviewer's speech, as its caption has it and as it was heard."""

    text: str
    start_s: float
    """First sound, seconds after the candidate's last word."""
    end_s: float
    """Last sound before the next stretch."""
    silent_before_s: float
    """How long nothing had been heard when it began."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the candidate heard after an answer, in seconds after the true end of its last word."""

    first_audio_s: float
    parts: tuple[Part, ...]
    talked_into: bool
    """The interviewer spoke before the answer was over."""

    @property
    def feedback(self) -> tuple[Part, ...]:
        """What is said before the last stretch, which is the question."""
        return self.parts[:-1]

    @property
    def question(self) -> Part | None:
        """The last stretch, when there was one before it."""
        return self.parts[-1] if len(self.parts) > 1 else None


class Caller(SyntheticCandidate):
    """A candidate who says what a recording holds."""

    def __init__(self, heard_audio: HeardAudio, bed: Pcm | None) -> None:
        super().__init__(heard_audio, time.time)
        self._microphone = NoisyMicrophone(bed)
        self.interview_id = ""

    async def until_my_turn(self, since: float, patience_s: float = PATIENCE_S) -> None:
        """Wait until the interviewer has finished.

        Args:
            since: when the candidate last spoke, seconds since the epoch; something must have been heard after it.
            patience_s: how long at most.

        Raises:
            NoReplyError: it took too long, or the room was closed.
        """
        deadline = time.time() + patience_s
        while not may_speak(self._floor(since)):
            if self.closed.is_set():
                raise NoReplyError(
                    "the room was closed" if self.failure is None else f"the ear failed: {self.failure!r}"
                )
            if time.time() > deadline:
                loud = self.heard_audio.last_loud_at
                heard = "nothing was heard" if loud is None or loud < since else "no question was heard"
                raise NoReplyError(f"{heard} within {patience_s:g} s")
            await asyncio.sleep(_LOOK_S)

    async def until_voice(self, since: float, patience_s: float = PATIENCE_S) -> float:
        """Wait for the first sound after a time; when it was.

        Raises:
            NoReplyError: nothing was heard.
        """
        deadline = time.time() + patience_s
        while (at := first_onset_after(self.heard_audio.heard(since), since)) is None:
            if time.time() > deadline or self.closed.is_set():
                raise NoReplyError(f"nothing was heard within {patience_s:g} s")
            await asyncio.sleep(_LOOK_S)
        return at

    async def play(self, sound: Sound) -> tuple[float, float]:
        """Say a recording; when it began and when its last word was over, seconds since the epoch."""
        said = await self.say([_now(sound.pcm)])
        # The microphone knows when its last sample left; the last word may have been over before.
        return said.start, said.end - (len(sound.pcm) / RATE_HZ - sound.speech_end_s)

    async def answer(self, sound: Sound) -> Reply:
        """Say a recording and hear the reply to it to the end.

        Raises:
            NoReplyError: there was none.
        """
        captions = len(self.captions.interviewer)
        start, end = await self.play(sound)
        await self.until_my_turn(end)
        return reply_after(self.heard_audio.heard(start - 1), self.captions.interviewer[captions:], start, end)

    @property
    def asked(self) -> str:
        """What the interviewer said last; empty before it has said anything."""
        return self.captions.interviewer[-1].text if self.captions.interviewer else ""

    def _floor(self, since: float) -> Floor:
        loud = self.heard_audio.last_loud_at
        return Floor(
            state=self.interviewer_state,
            quiet_s=self.heard_audio.quiet_s(time.time()),
            heard=loud is not None and loud > since,
            asked=sounds_asked(self.asked),
        )


def reply_after(heard: HeardFrames, captions: Sequence[Caption], start: float, end: float) -> Reply:
    """What was heard of a reply.

    Args:
        heard: the frames from before the answer on.
        captions: those that opened since the answer began.
        start: of the answer, seconds since the epoch.
        end: of its last word.

    Raises:
        NoReplyError: nothing was heard after the answer.
    """
    first = first_onset_after(heard, end)
    if first is None:
        raise NoReplyError("nothing was heard after the answer")
    loud = heard.times[heard.peaks > LOUD_PEAK]
    begun = [
        (caption.text, onset)
        for caption in captions
        if caption.opened_at > end - EARLY_S and (onset := caption_onset(heard, caption.opened_at)) is not None
    ]
    parts = []
    for number, (text, onset) in enumerate(begun):
        before = loud[loud < onset]
        until = loud if number + 1 == len(begun) else loud[loud < begun[number + 1][1]]
        parts.append(
            Part(
                text=text,
                start_s=onset - end,
                end_s=float(until[-1]) - end if len(until) else onset - end,
                silent_before_s=float(onset - before[-1]) if len(before) else float("inf"),
            )
        )
    talked_into = bool(((loud > start + _OVERLAP_S) & (loud < end)).any())
    return Reply(first - end, tuple(parts), talked_into)


@asynccontextmanager
async def calling(venue: Venue, side: Side, heard: Path, snr_db: float | None = None) -> AsyncIterator[Caller]:
    """A candidate who is in a room with an interviewer of this side, and has heard the greeting and a question.

    Args:
        venue: where.
        side: whose interviewer.
        heard: a WAV file for everything the candidate hears.
        snr_db: how far the noise at the candidate's end is under their voice; none without it.

    Raises:
        NoReplyError: nobody greeted.
        rtc.ConnectError: the room cannot be entered.
        VivaApiError: Viva refuses.
    """
    admission = await venue.admit(side)
    heard.parent.mkdir(parents=True, exist_ok=True)
    caller = Caller(HeardAudio(HeardFile(heard)), None if snr_db is None else noise(snr_db, seed=0))
    caller.interview_id = admission.interview_id
    try:
        await caller.join(admission.url, admission.token)
        await caller.until_my_turn(0.0, GREETING_S)
        yield caller
    finally:
        await caller.leave()
        if side == "Viva":
            await _until_ended(venue, admission.interview_id)


async def _until_ended(venue: Venue, interview_id: str) -> None:
    """Its last steps take processor time that belongs to nobody else's figures."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_ENDED_S):
            # Another process tells it, through the record.
            while not any(  # noqa: ASYNC110
                each.event.kind == "interview_ended" for each in await venue.api.events(interview_id)
            ):
                await asyncio.sleep(0.5)


async def _now(pcm: Pcm) -> Pcm:
    return pcm


JoinError = rtc.ConnectError
