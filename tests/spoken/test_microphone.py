"""A microphone that dies in the middle of an answer, in a real room.

Needs livekit-server and the models that `make test` installs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
import pytest
from livekit import rtc
from numpy.typing import NDArray

from agent.model_files.prepare import ModelPaths
from agent.rehearsal.candidate import SyntheticCandidate
from agent.rehearsal.client import VivaApi, WantedInterview
from agent.rehearsal.hearing import RATE_HZ, HeardAudio, HeardFile
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.replies import Phrase
from agent.rehearsal.voice import CandidateVoice
from domain.events import AnswerTaken, Event, SpeechEnded, SpeechStarted
from tests.spoken.conftest import SharedStack
from tests.spoken.held import was_heard

pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(600)]

T = TypeVar("T")

PATIENCE_S = 280
"""For one step; another interviewer, when the first one dies, begins after a minute or two on a busy machine."""
ANSWER = (
    "I would only add optional fields, because clients ignore what they do not know, and then I would tell everybody"
)


class Unlucky(SyntheticCandidate):
    """A candidate whose microphone fails."""

    async def lose_microphone(self, how: Literal["muted", "unplugged"]) -> None:
        """Nothing is sent any more: the track is there and silent, or it is gone."""
        participant = self._room.local_participant
        (publication,) = participant.track_publications.values()
        if how == "muted":
            assert isinstance(publication.track, rtc.LocalAudioTrack)
            publication.track.mute()
        else:
            await participant.unpublish_track(publication.sid)


async def test_what_was_said_before_the_microphone_died_is_an_answer(
    stack: SharedStack, model_paths: ModelPaths, tmp_path: Path
) -> None:
    """The interviewer does not wait for ever: the words until then are taken, and something is said to them.

    Both candidates come in the same moment. The second was once refused by a worker that had nothing to do.
    """
    voice = CandidateVoice.load(model_paths.voice, VoiceStyle())
    answer = await asyncio.to_thread(voice.render, Phrase(ANSWER, 0.0))
    async with VivaApi(stack.settings.web_url) as viva:
        muted, unplugged = await asyncio.gather(
            interrupted_answer(viva, "muted", answer, tmp_path / "muted.wav"),
            interrupted_answer(viva, "unplugged", answer, tmp_path / "unplugged.wav"),
        )
    for taken in (muted, unplugged):
        assert was_heard("I would only add optional fields", taken.text), taken.text


async def interrupted_answer(
    viva: VivaApi, how: Literal["muted", "unplugged"], answer: NDArray[np.int16], heard: Path
) -> AnswerTaken:
    """An answer whose second half the microphone does not send, as it was taken."""
    candidate = Unlucky(HeardAudio(HeardFile(heard)), time.time)
    created = await viva.create(WantedInterview(name="Kim", pack="backend", minutes=5, feedback="coach"))
    await candidate.join(created.livekit_url, created.token)
    try:
        await until(viva, created.interview_id, first_question_is_over)
        rendered: asyncio.Future[NDArray[np.int16]] = asyncio.get_running_loop().create_future()
        rendered.set_result(answer)
        speaking = asyncio.create_task(candidate.say([rendered]))
        await asyncio.sleep(len(answer) / RATE_HZ / 2)
        await candidate.lose_microphone(how)
        taken = await until(viva, created.interview_id, taken_answer)
        await until(viva, created.interview_id, spoken_afterwards)
        speaking.cancel()
        return taken
    finally:
        await candidate.leave()


async def until(viva: VivaApi, interview_id: str, found: Callable[[Sequence[Event]], T | None]) -> T:
    """Read the record until it has what is looked for, or say what did not come and what came last."""
    given_up_at = time.monotonic() + PATIENCE_S
    while True:
        events = [stored.event for stored in await viva.events(interview_id)]
        if (what := found(events)) is not None:
            return what
        last = [event.kind for event in events[-3:]]
        assert time.monotonic() < given_up_at, f"{found.__name__} did not come; last on record: {last}"
        await asyncio.sleep(0.3)


def first_question_is_over(events: Sequence[Event]) -> SpeechEnded | None:
    """The candidate's turn has come."""
    return next((event for event in events if isinstance(event, SpeechEnded) and event.speech == "question"), None)


def taken_answer(events: Sequence[Event]) -> AnswerTaken | None:
    """The first turn."""
    return next((event for event in events if isinstance(event, AnswerTaken)), None)


def spoken_afterwards(events: Sequence[Event]) -> SpeechStarted | None:
    """What the interviewer says to it."""
    taken = taken_answer(events)
    assert taken is not None
    return next((event for event in events if isinstance(event, SpeechStarted) and event.at > taken.at), None)
