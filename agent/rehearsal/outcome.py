"""Outcome of a rehearsal: record, recording, report, and what the candidate said and heard, in one result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from agent.rehearsal.alignment import Witness, assemble, barge_ins, latencies, overall_word_accuracy, since
from agent.rehearsal.checks import UnplayableError, faults_of, interview_length_s, recording_length_s
from agent.rehearsal.client import Created, VivaApi, VivaApiError
from agent.rehearsal.hearing import HeardFile, onsets
from agent.rehearsal.matching import percentile
from agent.rehearsal.plan import Course, Plan, Venue
from agent.rehearsal.result import RehearsalResult
from domain.events import Event, InterviewEnded, ProblemNoticed, RecordingFinished, SpeechStarted
from review.report.models import Report

_EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])


@dataclass(frozen=True, slots=True)
class RehearsalOutcome:
    """Everything that is known once the interview is over."""

    plan: Plan
    venue: Venue
    course: Course
    created: Created
    events: list[Event]

    async def result(self, api: VivaApi, witness: Witness, heard: HeardFile) -> RehearsalResult:
        """Bring it together. What cannot be fetched or played any more becomes a fault of the rehearsal."""
        recording, recording_s = await self._recording(api)
        report = await self._report(api)
        turns, lost = assemble(self.events, witness, self.course.zero)
        found = faults_of(self.plan.persona, self.events, recording_s, witness.said)
        faults = [*self.course.faults, *found, *self._kill_faults()]
        ended = next((event for event in reversed(self.events) if isinstance(event, InterviewEnded)), None)
        waits = latencies(turns)
        after_zero: Callable[[float | None], float | None] = since(self.course.zero)
        return RehearsalResult(
            ok=not faults,
            faults=faults,
            persona=self.plan.persona.name,
            pack=self.plan.pack.id,
            minutes=self.plan.wanted.minutes,
            feedback_mode=self.plan.wanted.feedback,
            url=self.venue.url,
            interview_id=self.created.interview_id,
            started_at=self.course.zero,
            joined_s=after_zero(self.course.joined_at),
            first_sound_s=after_zero(next(iter(onsets(witness.heard)), None)),
            first_question_s=after_zero(_first_question_at(self.events, witness)),
            ended_s=after_zero(ended.at if ended else None),
            worker_killed_s=after_zero(self.course.worker_killed_at),
            end_reason=ended.reason if ended else None,
            interview_s=interview_length_s(self.events),
            recording_s=recording_s,
            latency_p50_s=percentile(waits, 0.5),
            latency_p95_s=percentile(waits, 0.95),
            word_accuracy=overall_word_accuracy(turns),
            turns=turns,
            barge_ins=barge_ins(witness, self.course.zero),
            lost=lost,
            problems=[event.what for event in self.events if isinstance(event, ProblemNoticed)],
            record=str(self._record_path()),
            recording=None if recording is None else str(recording),
            heard=str(heard.path),
            heard_started_s=after_zero(heard.started_at),
            report_url=_absolute(self.venue.url, self.created.report_url),
            report=report,
        )

    async def _recording(self, api: VivaApi) -> tuple[Path | None, float | None]:
        """Path and length."""
        finished = next((event for event in reversed(self.events) if isinstance(event, RecordingFinished)), None)
        if finished is None:
            return None, None
        try:
            if self.venue.settings is not None:
                path = self.venue.settings.interview_dir(self.created.interview_id) / finished.path
            else:
                path = self.plan.folder / "recording.ogg"
                path.write_bytes(await api.recording(self.created.interview_id))
            return path, await asyncio.to_thread(recording_length_s, path)
        except (VivaApiError, UnplayableError) as error:
            self.course.faults.append(str(error))
            return None, None

    async def _report(self, api: VivaApi) -> Report | None:
        try:
            return await api.report(self.created.interview_id)
        except VivaApiError as error:
            self.course.faults.append(str(error))
            return None

    def _record_path(self) -> Path:
        if self.venue.settings is not None:
            return self.venue.settings.record_path
        path = self.plan.folder / "events.json"
        path.write_bytes(_EVENTS.dump_json(self.events, indent=1))
        return path

    def _kill_faults(self) -> list[str]:
        turn = self.plan.kill_worker_at_turn
        if turn is None or self.course.worker_killed_at is not None:
            return []
        return [f"the worker was to be killed at turn {turn}, and the interview did not get there"]


def _first_question_at(events: Sequence[Event], witness: Witness) -> float | None:
    speeches = (event for event in events if isinstance(event, SpeechStarted) and event.speech == "question")
    first = next(speeches, None)
    return witness.onset(first) if first else None


def _absolute(url: str, place: str) -> str:
    return place if "://" in place else f"{url}/{place.removeprefix('/')}"
