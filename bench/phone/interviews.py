"""Interviews by phone and in the browser with the same answers: what was heard of them, and when the reply came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agent.interviews.creation import Wish
from agent.phone.pins import open_pins
from agent.rehearsal.client import VivaApiError
from agent.rehearsal.hearing import HeardFrames, first_onset_after
from bench.hearing import word_errors
from bench.phone.baresip import baresip
from bench.phone.caller import PhoneCaller
from bench.phone.heard import RATE_HZ, heard, sudden_silences
from bench.phone.venue import PhoneVenue
from bench.phone.wav import read_wav, write_wav
from bench.voice.caller import JoinError, NoReplyError, calling
from bench.voice.talks import AnswerTo, Tell
from bench.voice.venue import MINUTES, PACK, Venue
from domain.events import AnswerTaken, Event, ListeningSignalled, PauseWeighed, SpeechStarted
from review import RecordStore

_TAKEN_S = 12.0
"""An answer is taken until then after its end, or it was lost."""
_SIGNAL_S = (0.2, 1.2)
"""How long before and after it is noted a listening signal may be heard."""
_LONGEST_S = 8.0
_ENDS_S = 0.5
"""So much sooner than the last word the voice may be taken to have ended, where that is quiet."""
_HEARD_S = 1.5


@dataclass(frozen=True, slots=True)
class Said:
    """An answer as it was said. Times in seconds since the epoch."""

    id: str
    words: str
    start: float
    end: float
    """Of its last word."""


@dataclass(frozen=True, slots=True)
class Turn:
    """… and what came of it."""

    said: Said
    heard: str
    """Its words, as the record has them."""
    first_audio_s: float | None
    """From its last word to the first sound of the reply, as it was heard; None without one."""
    patience_s: float | None
    """For so long after the voice the interviewer waited for more, or knew no sooner that it need not; None when it
    did not weigh it."""
    is_talked_into: bool
    """The interviewer began to speak before it was over."""

    @property
    def errors(self) -> tuple[int, int]:
        """Word errors, and words."""
        return word_errors(self.said.words, self.heard)


@dataclass(slots=True)
class Talk:
    """One interview, on one path."""

    turns: list[Turn] = field(default_factory=list)
    failure: str = ""
    """Why it ended early; empty if it did not."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    """Silences in mid-sound, as heard: beginning and length in seconds."""
    seconds: float = 0.0
    """How long was listened."""
    lost: int = 0
    """Packets towards the telephone that the network lost."""
    late: int = 0
    """… that came too late to be played, or were never sent."""


async def by_phone(
    phone_venue: PhoneVenue, answers: Sequence[AnswerTo], words: dict[str, str], folder: Path, tell: Tell
) -> Talk:
    """An interview by phone, from the PIN to its end."""
    settings, relay = phone_venue.settings, phone_venue.relay
    wish = Wish(candidate_name="Robin", pack=PACK, minutes=MINUTES, feedback="practice", difficulty="medium")
    pin, _ = open_pins(settings).issue(wish, once=True, valid_from=None, valid_until=None, now=time.time())
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 (before anything is measured)
    silence = write_wav(folder / "silence.wav", np.zeros(RATE_HZ * 300, np.int16), RATE_HZ)
    talk, said = Talk(), list[Said]()
    store = RecordStore(settings.record_path)
    relay.passed.clear()
    try:
        async with baresip(folder / "phone", silence, codec="PCMU/8000") as phone:
            caller = PhoneCaller(phone, relay, store, folder)
            try:
                await caller.begin(phone_venue.address, pin)
                for answer_to in answers:
                    answer = answer_to(caller.asked)
                    start, end = await caller.say(answer.sound)
                    said.append(Said(answer.id, words[answer.id], start, end))
                    await (caller.until_my_turn if len(said) < len(answers) else caller.until_reply)(end)
                    tell(f"by phone: {answer.id} said, and replied to")
                await asyncio.sleep(_HEARD_S)
            except NoReplyError as error:
                talk.failure = str(error)
            await caller.end()
        events = caller.events()
    finally:
        store.close()
    sound = heard(relay.passed)
    write_wav(folder / "heard.wav", sound.pcm, RATE_HZ)
    talk.turns = turns_of(said, events, without_signals(sound.frames(), events))
    talk.gaps, talk.seconds = sudden_silences(sound.pcm), len(sound.pcm) / RATE_HZ
    talk.lost, talk.late = len(sound.lost), len(sound.late)
    return talk


async def in_browser(
    venue: Venue, answers: Sequence[AnswerTo], words: dict[str, str], folder: Path, tell: Tell
) -> Talk:
    """An interview of a participant of a room, as a page in a browser is one."""
    talk, said, path = Talk(), list[Said](), folder / "heard.wav"
    frames, interview_id = HeardFrames.of([], []), ""
    try:
        async with calling(venue, "Viva", path) as caller:
            interview_id = caller.interview_id
            try:
                for answer_to in answers:
                    answer = answer_to(caller.asked)
                    start, end = await caller.play(answer.sound)
                    said.append(Said(answer.id, words[answer.id], start, end))
                    # There are as many questions as answers: after the last one none comes.
                    await (caller.until_my_turn if len(said) < len(answers) else caller.until_voice)(end)
                    tell(f"in the browser: {answer.id} said, and replied to")
                await asyncio.sleep(_HEARD_S)
            finally:
                frames = caller.heard_audio.heard()
    except (NoReplyError, JoinError, VivaApiError) as error:
        talk.failure = str(error)
    events = [stored.event for stored in await venue.api.events(interview_id)] if interview_id else []
    talk.turns = turns_of(said, events, frames)
    pcm, rate_hz = read_wav(path)
    talk.gaps, talk.seconds = sudden_silences(pcm, rate_hz), len(pcm) / rate_hz
    return talk


def turns_of(said: Sequence[Said], events: Sequence[Event], frames: HeardFrames) -> list[Turn]:
    """What came of each answer.

    Args:
        said: the answers in order.
        events: the record.
        frames: what was heard.
    """
    turns = []
    for number, each in enumerate(said):
        until = said[number + 1].start if number + 1 < len(said) else each.end + _TAKEN_S
        first = first_onset_after(frames, each.end)
        begun = [event for event in events if isinstance(event, SpeechStarted) and each.start < event.at < each.end]
        turns.append(
            Turn(
                each,
                heard_words(events, each.start, until),
                first - each.end if first is not None and first - each.end < _LONGEST_S else None,
                patience_s=patience_s(events, each.end, until),
                is_talked_into=bool(begun),
            )
        )
    return turns


def patience_s(events: Sequence[Event], end: float, until: float) -> float | None:
    """For how long the interviewer waited for more of an answer that was over: what it weighed last decides.

    Args:
        events: the record.
        end: of the answer, seconds since the epoch; the voice is known to have ended a moment before or after.
        until: when the next one begins.
    """
    weighed = [
        event
        for event in events
        if isinstance(event, PauseWeighed) and event.at > end and end - _ENDS_S < event.at - event.silent_s < until
    ]
    return max(weighed[-1].wait_s, weighed[-1].silent_s) if weighed else None


def heard_words(events: Sequence[Event], start: float, until: float) -> str:
    """The words of the answers that were taken between two times; of one that went on the whole one."""
    taken: list[AnswerTaken] = []
    for event in events:
        if isinstance(event, AnswerTaken) and start < event.speech_ended_at <= until:
            if event.continues and taken:
                taken.pop()
            taken.append(event)
    return " ".join(each.text for each in taken)


def without_signals(frames: HeardFrames, events: Sequence[Event]) -> HeardFrames:
    """What was heard without listening signals, which come on a track that the browser's candidate does not hear."""
    peaks, (before_s, after_s) = frames.peaks.copy(), _SIGNAL_S
    for event in events:
        if isinstance(event, ListeningSignalled):
            peaks[(frames.times > event.at - before_s) & (frames.times < event.at + after_s)] = 0
    return HeardFrames(frames.times, peaks)
