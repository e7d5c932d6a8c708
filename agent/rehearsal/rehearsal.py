"""Rehearsal: create an interview, and let the synthetic candidate go through it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from livekit import rtc
from rich.console import Console

from agent.rehearsal.alignment import Witness
from agent.rehearsal.candidate import SyntheticCandidate
from agent.rehearsal.client import Created, FollowedRecord, VivaApi, VivaApiError
from agent.rehearsal.console import Narrator
from agent.rehearsal.conversation import Conversation
from agent.rehearsal.hearing import HeardAudio, HeardFile
from agent.rehearsal.matching import QuestionFinder
from agent.rehearsal.outcome import RehearsalOutcome
from agent.rehearsal.plan import Course, Plan, Venue
from agent.rehearsal.result import RehearsalResult
from agent.rehearsal.voice import CandidateVoice
from domain.events import Event, ProblemNoticed

# What has happened is gone on from at once: these only bound how long one waits for what never comes.
MARGIN_S = 300.0
"""How much longer than asked an interview may take before the rehearsal gives up."""
GOODBYE_S = 60.0
"""How long the candidate stays in a room that should close."""
RECORDING_S = 120.0
"""How long a recording may take to be finished after the end."""


class RehearsalError(RuntimeError):
    """The rehearsal could not be held; the message says why and what to do."""


class Rehearsal:
    """Holds one rehearsal. `clock` gives seconds since the epoch."""

    def __init__(
        self, plan: Plan, venue: Venue, *, voice: CandidateVoice, console: Console, clock: Callable[[], float]
    ) -> None:
        self._plan = plan
        self._venue = venue
        self._voice = voice
        self._clock = clock
        self._course = Course(zero=clock())
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
        created = await api.create(plan.wanted)
        self._narrator.say("viva", f"interview {created.interview_id} in room {created.room}")
        record = FollowedRecord(api, created.interview_id)
        heard_file = HeardFile(plan.folder / "heard.wav")
        candidate = SyntheticCandidate(HeardAudio(heard_file), self._clock)
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
        outcome = RehearsalOutcome(plan, self._venue, self._course, created, record.events)
        witness = Witness(conversation.said, candidate.captions.interviewer, candidate.heard_audio.heard())
        return await outcome.result(api, witness, heard_file)

    def _conversation(self, candidate: SyntheticCandidate) -> Conversation:
        return Conversation(
            self._plan.persona,
            finder=QuestionFinder(self._plan.pack),
            voice=self._voice,
            candidate=candidate,
            clock=self._clock,
            on_said=self._narrator.said,
            in_mid_answer=self._in_mid_answer,
        )

    async def _join(self, candidate: SyntheticCandidate, created: Created) -> None:
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

    async def _converse(
        self, candidate: SyntheticCandidate, conversation: Conversation, record: FollowedRecord
    ) -> None:
        narration = asyncio.create_task(self._narrator.follow(candidate))
        talk = asyncio.create_task(conversation.run())
        end = asyncio.create_task(record.wait_for("interview_ended", on_new=self._tell_problem))
        limit_s = self._plan.wanted.minutes * 60 + MARGIN_S
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
        await record.look_again()
