"""Calls in a real room: a SIP participant, a real livekit-server, a real worker with its models."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.model_files.prepare import ensure_model
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.replies import Phrase
from agent.rehearsal.voice import CandidateVoice
from agent.settings import Settings
from domain.events import (
    AnswerJudged,
    AnswerTaken,
    CallBegan,
    CallEnded,
    Event,
    HoldBegan,
    HoldEnded,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    RecordingFinished,
    SpeechEnded,
    SpeechStarted,
    UtteranceHeard,
)
from rag.packs.pack import PACKS_DIR
from review import RecordStore, build_report, build_transcript
from tests.agent.livekit_server import running_livekit
from tests.agent.phone.caller import Caller, eventually
from tests.agent.phone.worker import PIN, PINS_VARIABLE

pytestmark = [pytest.mark.slow, pytest.mark.spoken]

PATIENCE_S = 45.0
E = TypeVar("E", bound=Event)


@dataclass
class Exchange:
    """A livekit-server, and a worker that can be killed and started again."""

    settings: Settings
    folder: Path
    store: RecordStore
    _worker: subprocess.Popen[bytes] | None = None
    _voice: CandidateVoice | None = field(default=None, repr=False)

    def start_worker(self) -> None:
        """Start it; back when it is ready."""
        self.settings.worker_ready_path.unlink(missing_ok=True)
        with (self.folder / "worker.log").open("ab") as log:
            self._worker = subprocess.Popen(
                [sys.executable, "-m", "tests.agent.phone.worker"],
                env={**os.environ, **self.settings.as_environment(), PINS_VARIABLE: str(self.folder / "pins.json")},
                stdout=log,
                stderr=log,
            )
        for _ in range(900):
            if self.settings.worker_ready_path.exists():
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "worker.log").read_text())

    def end_worker(self, how: signal.Signals) -> None:
        """End it by its pid."""
        if self._worker is not None:
            self._worker.send_signal(how)
            self._worker.wait(60)

    async def voice(self, text: str) -> NDArray[np.int16]:
        """A synthetic voice that says something."""
        return await asyncio.to_thread(self._rendered, text)

    def _rendered(self, text: str) -> NDArray[np.int16]:
        if self._voice is None:
            model = ensure_model(self.settings.voice, self.settings.cache_dir, kind="voice")
            self._voice = CandidateVoice.load(model, VoiceStyle(pitch=1.12))
        return self._voice.render(Phrase(text, 0.0))

    def events(self, interview_id: str) -> list[Event]:
        """The record of an interview."""
        return [stored.event for stored in self.store.events(interview_id)]

    def under_way(self, room: str) -> str | None:
        """The interview that is held in the call of this room."""
        for left in self.store.unended():
            if any(isinstance(each, CallBegan) and each.room == room for each in self.events(left.id)):
                return left.id
        return None


@pytest.fixture(scope="module")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """Everything that a call needs but for the line itself."""
    folder = tmp_path_factory.mktemp("calls")
    packs = folder / "packs"
    packs.mkdir()
    shutil.copy(PACKS_DIR / "backend.yaml", packs)
    with running_livekit(folder) as livekit:
        changes = {
            "packs_dir": packs, "judge": "built-in", "complex_model": "", "fast_model": "", "interviews_at_once": 8,
            "phone_practice_minutes": 3, "metrics": False,
        }  # fmt: skip
        settings = livekit.model_copy(update=changes)
        exchange = Exchange(settings, folder, RecordStore(settings.record_path))
        exchange.start_worker()
        try:
            yield exchange
        finally:
            exchange.end_worker(signal.SIGTERM)
            exchange.store.close()


def of(kind: type[E], events: list[Event]) -> list[E]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


async def interview_of(exchange: Exchange, caller: Caller) -> str:
    """The interview that begins in a call."""
    await eventually(lambda: exchange.under_way(caller.room_name) is not None, PATIENCE_S)
    found = exchange.under_way(caller.room_name)
    assert found is not None
    return found


async def until(exchange: Exchange, interview_id: str, holds: Callable[[list[Event]], bool]) -> list[Event]:
    """Wait until the record says something."""
    await eventually(lambda: holds(exchange.events(interview_id)), PATIENCE_S)
    return exchange.events(interview_id)


async def said_pin(exchange: Exchange, caller: Caller) -> str:
    """Say the PIN, and once more if it was misheard; back comes the interview that goes on."""
    sound = await exchange.voice("four eight two, nine one three")
    for _ in range(3):
        await caller.say(sound)
        with suppress(TimeoutError):
            await eventually(lambda: exchange.under_way(caller.room_name) is not None, PATIENCE_S / 2)
            break
    return await interview_of(exchange, caller)


def questions_heard(events: list[Event]) -> list[SpeechEnded]:
    """Questions that were heard to their end."""
    return [event for event in of(SpeechEnded, events) if event.speech == "question" and not event.interrupted]


async def let_in(exchange: Exchange, caller: Caller, keys: str) -> tuple[str, SpeechEnded]:
    """Type at the reception, and hear the first question; back come the interview and the question."""
    await eventually(lambda: caller.first_heard_at is not None, PATIENCE_S)
    await caller.press(keys)
    await caller.hears(since=time.time() + 0.5)
    await caller.press("0")  # enough of the welcome
    interview = await interview_of(exchange, caller)
    await until(exchange, interview, lambda events: bool(of(SpeechStarted, events)))
    await caller.press("1")  # enough of the greeting
    events = await until(exchange, interview, lambda events: bool(questions_heard(events)))
    return interview, questions_heard(events)[-1]


async def test_a_call_that_breaks_is_a_whole_interview_with_the_next_one(exchange: Exchange) -> None:
    """Keys and voice from the PIN to the end, and a line that is lost in mid-word on the way."""
    async with Caller(exchange.settings) as caller:
        interview, question = await let_in(exchange, caller, f"111111#{PIN}#")
        await _answers(exchange, caller, interview, question.question_id)
        await _holds(exchange, caller, interview)
        open_question = await _is_lost_in_mid_word(exchange, caller, interview)
    async with Caller(exchange.settings) as caller:
        await eventually(lambda: caller.first_heard_at is not None, PATIENCE_S)
        assert await said_pin(exchange, caller) == interview
        events = await until(
            exchange, interview, lambda e: any(q.at > of(CallBegan, e)[-1].at for q in questions_heard(e))
        )
        assert questions_heard(events)[-1].question_id == open_question
        assert of(InterviewStarted, events)[-1].resumed
        await caller.press("99")
        await asyncio.wait_for(caller.over.wait(), PATIENCE_S)
        assert caller.said_over, "the line knows that everything was said"
    _is_all_in_the_record(exchange, await until(exchange, interview, lambda e: bool(of(RecordingFinished, e))))


async def _answers(exchange: Exchange, caller: Caller, interview: str, question: str) -> None:
    """Half an answer, a hint by a key, and the rest of it, ended by a key."""
    await caller.say(await exchange.voice("I would add new fields and never remove the old ones."))
    await caller.press("3")
    await until(exchange, interview, lambda e: any(i.intent == "hint" for i in of(IntentDetected, e)))
    await until(exchange, interview, lambda e: of(SpeechEnded, e)[-1].speech == "reply")
    await caller.say(await exchange.voice("And I would announce a version that goes away, with a date."))
    await caller.press("*")
    events = await until(exchange, interview, lambda e: bool(of(AnswerJudged, e)))
    judged = of(AnswerJudged, events)[-1]
    assert judged.question_id == question
    assert judged.hints == 1
    await until(exchange, interview, lambda e: of(SpeechStarted, e)[-1].speech == "feedback")


async def _holds(exchange: Exchange, caller: Caller, interview: str) -> None:
    """In the middle of the feedback: nothing is heard, and afterwards the interviewer goes on to the next question."""
    await caller.hold(on=True)
    await until(exchange, interview, lambda e: bool(of(HoldBegan, e)))
    before = len(of(UtteranceHeard, exchange.events(interview)))
    await caller.say(await exchange.voice("This is for somebody else in the room."))
    await asyncio.sleep(1.5)
    assert len(of(UtteranceHeard, exchange.events(interview))) == before
    since = time.time()
    await caller.hold(on=False)
    await caller.hears(since=since)
    await until(exchange, interview, lambda e: bool(of(HoldEnded, e)))
    await until(exchange, interview, lambda e: len({q.question_id for q in questions_heard(e)}) > 1)


async def _is_lost_in_mid_word(exchange: Exchange, caller: Caller, interview: str) -> str:
    """The interview waits; back comes the question that is open."""
    open_question = questions_heard(exchange.events(interview))[-1].question_id
    sound = await exchange.voice("An index is a second structure that is kept sorted.")
    saying = asyncio.create_task(caller.say(sound))
    await asyncio.sleep(1.0)
    await caller.hang_up()
    saying.cancel()
    events = await until(exchange, interview, lambda e: bool(of(CallEnded, e)))
    assert not of(InterviewEnded, events), "it waits for another call"
    return open_question


def _is_all_in_the_record(exchange: Exchange, events: list[Event]) -> None:
    """Replay and report know of both calls; nothing knows the PIN."""
    assert [end.reason for end in of(InterviewEnded, events)] == ["stopped"]
    assert [call.again for call in of(CallBegan, events)] == [False, True]
    assert {call.number for call in of(CallBegan, events)} == {"••••••••56"}
    assert PIN not in json.dumps([event.model_dump(mode="json") for event in events])
    assert PIN not in (exchange.folder / "worker.log").read_text(), "a PIN is in no log"
    assert all(not taken.text for taken in of(AnswerTaken, events) if taken.pressed and not taken.words)
    report = build_report(events)
    assert report.call is not None
    assert (report.medium, report.call.calls, report.call.codec) == ("phone", 2, "PCMA")
    assert set(report.call.keys) >= {"1", "3", "*", "9"}
    assert report.resumed == 0, "nothing crashed"
    notes = [note.text for note in build_transcript(events).notes if note.kind in ("call", "key")]
    assert any("pressed 3: hint" in note for note in notes)
    assert any("called again" in note for note in notes)


async def test_a_caller_whose_interviewer_dies_goes_on_with_another(exchange: Exchange) -> None:
    """The same call, and the same question; without a PIN, because the host lets people practise."""
    async with Caller(exchange.settings) as caller:
        interview, first = await let_in(exchange, caller, "#")
        await asyncio.to_thread(exchange.end_worker, signal.SIGKILL)
        await asyncio.to_thread(exchange.start_worker)
        events = await until(exchange, interview, lambda e: len(questions_heard(e)) > 1)
        again = questions_heard(events)[-1]
        assert again.question_id == first.question_id
        assert [start.resumed for start in of(InterviewStarted, events)] == [False, True]
        assert len(of(CallBegan, events)) == 1, "it is the same call"
