"""Sessions: interviews by text that are going on, each opened when it is asked for, from its record and checkpoints."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING

from agent.access import interview_token
from agent.http.problems import PREFIX, ProblemError, ended, too_long
from agent.http.text.clock import SessionClock
from agent.http.text.host_loading import HostLoader
from agent.http.text.record import TextRecord
from agent.http.text.report import final_report
from agent.http.text.schemas import (
    EndResponse,
    FinalReport,
    SessionState,
    StartRequest,
    StartResponse,
    SubmitRequest,
    TurnResponse,
)
from agent.http.text.session import LiveSession
from agent.http.text.snapshot import Facts, read_facts
from agent.http.text.turn_events import TurnLog
from agent.http.text.views import final_progress, last_words, progress_out, session_state, spoken
from agent.http.wishes import granted
from agent.interviews.abandoned import end_abandoned
from agent.interviews.admission import with_profile
from agent.interviews.checkpoints import tidy_checkpoints
from agent.interviews.creation import new_interview_id
from agent.interviews.earlier_interviews import with_asked_before
from agent.interviews.profiles import keep_outcome, keep_outcomes
from agent.settings import Settings
from rag import Pack
from review import RecordError, RecordStore

if TYPE_CHECKING:
    from agent.interviews.host import InterviewHost

_log = logging.getLogger(__name__)

IDLE_S = 30 * 60.0
"""A session that nobody asked for anything for so long is closed; it is opened again when it is."""
TIDY_EVERY_S = 15 * 60.0
_STOP_PATIENCE_S = 2.0


class Sessions:
    """All sessions of a process.

    Args:
        settings: the settings in force.
        store: the record.
        packs: the question packs by id.
        loader: makes interviews possible.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        settings: Settings,
        store: RecordStore,
        packs: Mapping[str, Pack],
        loader: HostLoader,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._store = store
        self._packs = packs
        self._loader = loader
        self._clock = clock
        self._live: dict[str, LiveSession] = {}
        self._opening: dict[str, asyncio.Task[LiveSession]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._saving: set[asyncio.Task[bool]] = set()

    # what a client can ask for

    async def start(self, wanted: StartRequest, *, is_host: bool) -> StartResponse:
        """Begin an interview.

        Args:
            wanted: what it is to be like.
            is_host: whoever hosts Viva asks for it.

        Raises:
            ProblemError: what is wanted is not there, or the interview could not be begun.
            RecordError: it could not be recorded.
        """
        feedback = self._settings.feedback
        created = granted(wanted.wish(), self._packs, medium="text", room="", at=self._clock(), feedback=feedback)
        host = await self._loader.host()
        created = await asyncio.to_thread(with_profile, self._settings, created, is_host=is_host)
        created = await asyncio.to_thread(with_asked_before, self._store, created, is_host=is_host)
        session_id = new_interview_id()
        await asyncio.to_thread(self._store.append, session_id, created)
        facts = read_facts(session_id, [created])
        assert facts is not None, "a text interview was created"
        live = self._live[session_id] = await self._made(facts, host)
        begun = await self._begun(live)
        question = begun.next_question
        assert question is not None, "an interview begins with a question"
        return StartResponse(
            session_id=session_id,
            token=interview_token(self._settings, session_id),
            greeting=" ".join(reply.text for reply in begun.replies),
            question=question,
            time_budget_minutes=wanted.time_budget_minutes,
            target_questions=begun.progress.target_questions,
            report_url=f"{PREFIX}/interview/{session_id}/report",
            replay_url=f"/replay/{session_id}",
        )

    async def submit(self, said: SubmitRequest) -> TurnLog:
        """Hand over what the candidate said; the turn is handled whether or not somebody follows its log.

        Raises:
            ProblemError: the session is unknown or over, the answer is empty or too long, or another is being handled.
            RecordError: the answer could not be recorded; it did not arrive.
        """
        facts = await self.facts(said.session_id)
        if facts.ended:
            raise ended(facts.session_id)
        if len(said.response) > self._settings.max_answer_chars:
            raise too_long("The response", len(said.response), self._settings.max_answer_chars)
        if not said.response.strip():
            raise ProblemError(
                "empty-answer", "The response is empty. Send what the candidate says, if only that they do not know."
            )
        if said.elapsed_s is not None and not facts.virtual:
            raise ProblemError(
                "invalid-request", "elapsed_s: this interview goes by real time. Start one with time=virtual to say it."
            )
        live = await self._session(facts)
        log = await live.submit(said.response.strip(), said.elapsed_s or 0.0)
        self._in_background(self._after(live, log))
        return log

    async def prewarm(self, session_id: str) -> None:
        """Search for the next topics' questions, while the candidate thinks about the first."""
        if live := self._live.get(session_id):
            await live.run.interview.look_ahead()

    async def resume(self, session_id: str) -> TurnResponse:
        """Finish a turn that was cut off, and say what came of the last one, whether or not it was told before.

        Raises:
            ProblemError: the session is unknown, an answer is being handled, or the turn could not be finished.
        """
        facts = await self.facts(session_id)
        if facts.ended and session_id not in self._live:
            return last_words(facts)
        live = await self._session(facts)
        response = await live.resume(released=facts.turn in facts.released, asked_for=facts.turn in facts.reviews)
        await self._drop_if_over(live)
        return response

    async def end(self, session_id: str) -> EndResponse:
        """End the interview, unless it is over already, and give its report.

        Raises:
            ProblemError: the session is unknown, or an answer is being handled.
            RecordError: the record could not be read or written.
        """
        facts = await self.facts(session_id)
        if facts.ended is None:
            live = await self._session(facts)
            await live.end()
            await self._drop_if_over(live)
            facts = await self.facts(session_id)
        return EndResponse(closing=spoken(facts.said, "closing"), final_report=await self.report(session_id))

    async def state(self, session_id: str) -> SessionState:
        """How the session stands.

        Raises:
            ProblemError: the session is unknown.
        """
        facts = await self.facts(session_id)
        if facts.ended:
            return session_state(facts, final_progress(facts))
        live = await self._session(facts)
        progress = await live.progress()
        open_question = progress.question if not (live.run.over or live.busy) else None
        return session_state(facts, progress_out(progress)).model_copy(
            update={
                "turn": live.run.turn,
                "question": live.question_out(open_question) if open_question else None,
                "waits_for_review": progress.waits_for_review and not live.busy,
                "needs_resume": not live.busy and (progress.cut_off or progress.turn < live.run.turn),
                "answer_under_way": live.busy,
            }
        )

    async def report(self, session_id: str) -> FinalReport:
        """What came of an ended interview.

        Raises:
            ProblemError: the session is unknown, or the interview is not over.
        """
        events = [stored.event for stored in await asyncio.to_thread(self._store.events, session_id)]
        facts = read_facts(session_id, events)
        if facts is None:
            raise _unknown(session_id)
        if facts.ended is None:
            raise ProblemError(
                "not-over",
                "The interview is not over yet. Its report is ready as soon as it has ended; "
                f"POST {PREFIX}/interview/end ends it.",
            )
        return await asyncio.to_thread(final_report, session_id, events)

    async def facts(self, session_id: str) -> Facts:
        """What the record knows of a session.

        Raises:
            ProblemError: it does not know it.
        """
        events = await asyncio.to_thread(self._store.events, session_id)
        facts = read_facts(session_id, [stored.event for stored in events])
        if facts is None:
            raise _unknown(session_id)
        return facts

    # what is done for all of them

    async def tidy(self) -> None:
        """Close sessions that nobody asks for, end interviews that were left, remove checkpoints of no use, and add to
        profiles what is missing in them.

        Raises:
            RecordError: the record could not be read or written, or the checkpoints could not be removed.
        """
        now = time.monotonic()
        idle = [live for live in self._live.values() if not live.busy and now - live.used_at > IDLE_S]
        for live in idle:
            await self._close(live)
        left = await asyncio.to_thread(end_abandoned, self._store, "text", set(self._live), self._clock)
        if left:
            _log.info("ended %d interviews by text that nobody came back to", left)
        await tidy_checkpoints(self._settings, self._store)
        await asyncio.to_thread(keep_outcomes, self._settings, self._store)

    async def close(self) -> None:
        """Let turns that are going on finish, for a moment, and close everything."""
        await asyncio.gather(*(self._close(live) for live in list(self._live.values())))
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._saving, return_exceptions=True)

    # inside

    async def _session(self, facts: Facts) -> LiveSession:
        """The session, opened if it is not; two requests at once open it once."""
        live = self._live.get(facts.session_id)
        if live is None:
            task = self._opening.get(facts.session_id)
            if task is None:
                task = self._opening[facts.session_id] = asyncio.create_task(self._opened(facts))
                task.add_done_callback(lambda _: self._opening.pop(facts.session_id, None))
            live = await asyncio.shield(task)
        live.used_at = time.monotonic()
        return live

    async def _opened(self, facts: Facts) -> LiveSession:
        live = await self._made(facts, await self._loader.host())
        if not await live.run.restore():
            # The process was killed before the greeting, so nobody ever got this session's token.
            live.fail()
            await live.close(_STOP_PATIENCE_S)
            raise ended(facts.session_id)
        self._live[facts.session_id] = live
        return live

    async def _made(self, facts: Facts, host: InterviewHost) -> LiveSession:
        clock = SessionClock(self._clock, facts.last_at if facts.virtual else None)
        record = TextRecord(self._store, facts.session_id, clock)
        live = LiveSession(facts, clock, record)
        try:
            run = await host.open(facts.session_id, facts.past, live.driver)
        except BaseException as error:
            await record.close()
            if isinstance(error, LookupError):
                raise ProblemError("unknown-pack", str(error), status=409) from error
            raise
        live.attach(run)
        live.used_at = time.monotonic()
        return live

    async def _begun(self, live: LiveSession) -> TurnResponse:
        try:
            return await live.begin()
        except ProblemError:
            live.fail()
            await self._close(live)
            raise

    async def _drop_if_over(self, live: LiveSession) -> None:
        if live.run.over:
            live.run.interview.forget()
            await self._close(live)
            if (host := self._loader.loaded) is not None:
                await host.compact(live.id)
            saving = asyncio.create_task(asyncio.to_thread(keep_outcome, self._settings, self._store, live.id))
            self._saving.add(saving)
            saving.add_done_callback(self._saving.discard)

    async def _close(self, live: LiveSession) -> None:
        self._live.pop(live.id, None)
        await live.close(_STOP_PATIENCE_S)

    async def _after(self, live: LiveSession, log: TurnLog) -> None:
        async for _ in log.follow():
            pass
        await self._drop_if_over(live)

    def _in_background(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def tidy_regularly(sessions: Sessions, every_s: float = TIDY_EVERY_S) -> None:
    """Tidy up until cancelled."""
    while True:
        await asyncio.sleep(every_s)
        try:
            await sessions.tidy()
        except RecordError as error:
            _log.error("tidying up failed and is tried again later: %s", error)


def _unknown(session_id: str) -> ProblemError:
    return ProblemError(
        "unknown-session",
        f"There is no interview by text with the id {session_id!r}. It may have been deleted; "
        f"POST {PREFIX}/interview/start begins one.",
    )
