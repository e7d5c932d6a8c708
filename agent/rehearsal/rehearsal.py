"""One rehearsal: create an interview, let the synthetic candidate go through it, bring everything together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from livekit import rtc
from pydantic import TypeAdapter
from rich.console import Console

from agent.rehearsal.candidate import Candidate
from agent.rehearsal.checks import RecordingError, faults_of, interview_length_s, recording_length_s
from agent.rehearsal.console import Narrator
from agent.rehearsal.conversation import Conversation
from agent.rehearsal.ear import Ear, HeardFile
from agent.rehearsal.matching import QuestionFinder
from agent.rehearsal.persona import Persona
from agent.rehearsal.record import FollowedRecord
from agent.rehearsal.result import RehearsalResult
from agent.rehearsal.sounds import onsets
from agent.rehearsal.turns import Witness, assemble, barge_ins, latencies, overall_word_accuracy
from agent.rehearsal.viva_api import Created, VivaApi, VivaApiError, Wanted
from agent.rehearsal.voice import CandidateVoice
from agent.rehearsal.words import percentile
from agent.settings import Settings
from rag.packs import Pack
from review.events import Event, InterviewEnded, ProblemNoticed, RecordingFinished, SpeechStarted

MARGIN_S = 150.0
"""How much longer than asked an interview may take before the rehearsal gives up."""
GOODBYE_S = 15.0
"""How long the candidate stays in a room that should close."""
RECORDING_S = 40.0
"""How long a recording may take to be finished after the end."""

_EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])


class RehearsalError(RuntimeError):
    """The rehearsal could not be held; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is rehearsed."""

    persona: Persona
    pack: Pack
    minutes: int
    feedback: Literal["practice", "exam"]
    folder: Path
    """For what the rehearsal keeps: the sound that was heard, and copies of what only the web has."""
    kill_worker_at_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Venue:
    """The Viva that is rehearsed."""

    url: str
    settings: Settings | None = None
    """Its settings where it was started for the rehearsal: its files are at hand."""
    kill_worker: Callable[[], None] | None = None
    """Kills the worker at once; None where it is not ours."""
    away_timeout_s: float = 120.0
    """How long it waits for a candidate who is gone."""


@dataclass(slots=True)
class _Course:
    """What is known while the rehearsal runs; times in seconds since the epoch."""

    zero: float
    joined_at: float | None = None
    worker_killed_at: float | None = None
    faults: list[str] = field(default_factory=list)


class Rehearsal:
    """Holds one rehearsal. `clock` gives seconds since the epoch."""

    def __init__(
        self, plan: Plan, venue: Venue, *, voice: CandidateVoice, console: Console, clock: Callable[[], float]
    ) -> None:
        self._plan = plan
        self._venue = venue
        self._voice = voice
        self._clock = clock
        self._course = _Course(zero=clock())
        self._narrator = Narrator(console, zero=self._course.zero, clock=clock)

    async def run(self) -> RehearsalResult:
        """From creating the interview to its report.

        Raises:
            RehearsalError: the interview could not be created or joined, or its record not be read.

        """
        try:
            async with VivaApi(self._venue.url) as api:
                return await self._run(api)
        except VivaApiError as error:
            raise RehearsalError(str(error)) from None

    async def _run(self, api: VivaApi) -> RehearsalResult:
        plan = self._plan
        wanted = Wanted(plan.persona.candidate_name, plan.pack.id, plan.minutes, plan.feedback)
        created = await api.create(wanted)
        self._narrator.say("viva", f"interview {created.interview_id} in room {created.room}")
        record = FollowedRecord(api, created.interview_id)
        heard_file = HeardFile(plan.folder / "heard.wav")
        candidate = Candidate(Ear(heard_file), self._clock)
        conversation = self._conversation(candidate)
        await self._join(candidate, created)
        try:
            await self._converse(candidate, conversation, record)
        finally:
            await candidate.leave()
        self._narrator.catch_up(candidate, all_of_them=True)
        if candidate.failure is not None:
            self._course.faults.append(f"the candidate's own sound failed: {candidate.failure!r}")
        await self._wait_for_record(record, left=conversation.left)
        return await self._result(
            api,
            created,
            record,
            Witness(conversation.said, candidate.captions.interviewer, candidate.ear.heard()),
            heard_file,
        )

    def _conversation(self, candidate: Candidate) -> Conversation:
        return Conversation(
            self._plan.persona,
            finder=QuestionFinder(self._plan.pack),
            voice=self._voice,
            candidate=candidate,
            clock=self._clock,
            on_said=self._narrator.said,
            in_mid_answer=self._in_mid_answer,
        )

    async def _join(self, candidate: Candidate, created: Created) -> None:
        try:
            await candidate.join(created.livekit_url, created.token)
        except rtc.ConnectError as error:
            raise RehearsalError(f"the room at {created.livekit_url} cannot be joined: {error}") from None
        self._course.joined_at = self._clock()
        self._narrator.say("viva", f"{self._plan.persona.candidate_name} ({self._plan.persona.name}) is in the room")

    def _in_mid_answer(self, turn: int) -> None:
        if turn == self._plan.kill_worker_at_turn and self._venue.kill_worker is not None:
            self._venue.kill_worker()
            self._course.worker_killed_at = self._clock()
            self._narrator.say("viva", "killed the worker in mid-answer")

    def _tell_problem(self, event: Event) -> None:
        if isinstance(event, ProblemNoticed):
            self._narrator.say("viva", f"problem: {event.what} {event.advice}", event.at)

    async def _converse(self, candidate: Candidate, conversation: Conversation, record: FollowedRecord) -> None:
        narration = asyncio.create_task(self._narrator.follow(candidate))
        talk = asyncio.create_task(conversation.run())
        end = asyncio.create_task(record.wait_for("interview_ended", on_new=self._tell_problem))
        limit_s = self._plan.minutes * 60 + MARGIN_S
        try:
            done, _ = await asyncio.wait({talk, end}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                self._course.faults.append(f"gave up after {limit_s:.0f} s: the interview was still going on")
            elif not talk.done():
                await end
                await asyncio.wait({talk}, timeout=GOODBYE_S)
            if talk.done():
                await talk
        finally:
            for task in (talk, end, narration):
                task.cancel()
            await asyncio.gather(talk, end, narration, return_exceptions=True)

    async def _wait_for_record(self, record: FollowedRecord, *, left: bool) -> None:
        patience_s = self._venue.away_timeout_s + GOODBYE_S if left else GOODBYE_S
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(record.wait_for("interview_ended"), patience_s)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(record.wait_for("recording_finished"), RECORDING_S)

    async def _result(
        self, api: VivaApi, created: Created, record: FollowedRecord, witness: Witness, heard_file: HeardFile
    ) -> RehearsalResult:
        plan, course, events = self._plan, self._course, record.events
        recording, recording_s = await self._recording(api, created, record)
        turns, lost = assemble(events, witness, course.zero)
        faults = [*course.faults, *faults_of(plan.persona, events, recording_s), *self._kill_faults()]
        ended = record.last("interview_ended")
        waits = latencies(turns)
        return RehearsalResult(
            ok=not faults,
            faults=faults,
            persona=plan.persona.name,
            pack=plan.pack.id,
            minutes=plan.minutes,
            feedback_mode=plan.feedback,
            url=self._venue.url,
            interview_id=created.interview_id,
            started_at=course.zero,
            joined_s=self._since(course.joined_at),
            first_sound_s=self._since(next(iter(onsets(witness.heard)), None)),
            first_question_s=self._since(_first_question_at(events, witness)),
            ended_s=self._since(ended.at if ended else None),
            worker_killed_s=self._since(course.worker_killed_at),
            end_reason=ended.reason if isinstance(ended, InterviewEnded) else None,
            interview_s=interview_length_s(events),
            recording_s=recording_s,
            latency_p50_s=percentile(waits, 0.5),
            latency_p95_s=percentile(waits, 0.95),
            word_accuracy=overall_word_accuracy(turns),
            turns=turns,
            barge_ins=barge_ins(witness, course.zero),
            lost=lost,
            problems=[event.what for event in events if isinstance(event, ProblemNoticed)],
            record=str(self._record_path(events)),
            recording=None if recording is None else str(recording),
            heard=str(heard_file.path),
            heard_started_s=self._since(heard_file.started_at),
            report_url=_absolute(self._venue.url, created.report_url),
            report=await api.report(created.interview_id),
        )

    async def _recording(
        self, api: VivaApi, created: Created, record: FollowedRecord
    ) -> tuple[Path | None, float | None]:
        """Path and length of the recording; what keeps it from being played becomes a fault."""
        finished = record.last("recording_finished")
        if not isinstance(finished, RecordingFinished):
            return None, None
        settings = self._venue.settings
        try:
            if settings is not None:
                path = settings.interview_dir(created.interview_id) / finished.path
            else:
                path = self._plan.folder / "recording.ogg"
                path.write_bytes(await api.recording(created.interview_id))
            return path, await asyncio.to_thread(recording_length_s, path)
        except (VivaApiError, RecordingError) as error:
            self._course.faults.append(str(error))
            return None, None

    def _record_path(self, events: list[Event]) -> Path:
        if self._venue.settings is not None:
            return self._venue.settings.record_path
        path = self._plan.folder / "events.json"
        path.write_bytes(_EVENTS.dump_json(events, indent=1))
        return path

    def _kill_faults(self) -> list[str]:
        turn = self._plan.kill_worker_at_turn
        if turn is None or self._course.worker_killed_at is not None:
            return []
        return [f"the worker was to be killed at turn {turn}, and the interview did not get there"]

    def _since(self, at: float | None) -> float | None:
        return None if at is None else round(at - self._course.zero, 3)


def _first_question_at(events: list[Event], witness: Witness) -> float | None:
    speeches = (event for event in events if isinstance(event, SpeechStarted) and event.speech == "question")
    first = next(speeches, None)
    return witness.onset(first) if first else None


def _absolute(url: str, place: str) -> str:
    return place if "://" in place else f"{url}/{place.removeprefix('/')}"
