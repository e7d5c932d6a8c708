"""One interview that is going on: one answer at a time, finished whether or not its sender waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

from agent.http.problems import PREFIX, ProblemError, ended, is_storage_fault, problem_of
from agent.http.text.clock import SessionClock
from agent.http.text.record import TextRecord
from agent.http.text.schemas import QuestionOut, Reply, TurnResponse
from agent.http.text.snapshot import Facts, Said
from agent.http.text.turn_events import TurnLog
from agent.http.text.views import progress_out, replies, spoken
from agent.interviews.driver import Driver
from agent.interviews.failed_turn import tell_of_written
from agent.interviews.steps import TEXT, Step
from agent.observability.logs import bind, bound_fields
from domain.events import Event, FeedbackReady, QuestionSelected, Word
from domain.say import Say
from domain.vocabulary import EndReason

if TYPE_CHECKING:
    from agent.interviews.run import InterviewRun
    from domain.progress import Progress
    from domain.question import Question

_log = logging.getLogger(__name__)


class LiveSession:
    """A session with its graph open.

    Args:
        facts: what the record knew when it was opened.
        clock: the session's time.
        record: takes events.
    """

    def __init__(self, facts: Facts, clock: SessionClock, record: TextRecord) -> None:
        self.id = facts.session_id
        self.clock = clock
        self.record = record
        self.used_at = 0.0
        """When it was last asked for anything, by the machine's monotonic clock."""
        self._run_of: InterviewRun | None = None
        self._lock = asyncio.Lock()
        self._said = list(facts.said)
        """What the interviewer said in the last turn."""
        self._said_before = 0
        """How much of that was said before the turn was cut off."""
        self._asked = dict(facts.asked)
        self._questions: dict[str, QuestionOut] = {}
        self._log = TurnLog(facts.turn)
        self._task: asyncio.Task[None] | None = None

    def attach(self, run: InterviewRun) -> None:
        """Set the interview's run, which is opened with this session as its driver."""
        self._run_of = run
        if run.watch is not None:
            self.record.watched_by(run.watch.event)

    @property
    def run(self) -> InterviewRun:
        """The interview's run."""
        assert self._run_of is not None, "a session is attached as soon as it is opened"
        return self._run_of

    @property
    def busy(self) -> bool:
        """True while an answer is being handled."""
        return self._lock.locked()

    @property
    def driver(self) -> Driver:
        """What the interview's run needs of this session."""
        return Driver(
            manners=TEXT,
            record=self.event,
            clock=self.clock,
            tell=partial(tell_of_written, path=self._path),
            accept=self.record.take,
            topic_wish=self.record.topic_wish,
        )

    # what the graph does while it works

    def event(self, event: Event) -> None:
        """Record an event, and tell a client what it may know at once."""
        self.record.put(event)
        match event:
            case FeedbackReady(delivery="heard"):
                # Its words may still be on their way through the stream.
                self._log.expect_feedback(event.text)
            case QuestionSelected():
                self._questions[event.question_id] = _chosen(event)
                self._log.choose(event.question_id)
            case _:
                pass

    # what a client can ask for

    async def begin(self) -> TurnResponse:
        """Greet and ask the first question.

        Raises:
            ProblemError: the interview could not be begun.
        """
        self.run.note_started(resumed=False)
        await self._claim()
        return await self._start(TurnLog(0), self.run.opened()).response()

    async def submit(self, text: str, elapsed_s: float) -> TurnLog:
        """Hand over what the candidate said. The turn goes on by itself; its log tells what comes of it.

        Raises:
            ProblemError: another answer is being handled, the interview is over, or the last turn is unfinished.
            RecordError: the answer could not be recorded; it did not arrive.
        """
        await self._claim()
        try:
            progress = await self._may_answer()
            at = self.clock() + elapsed_s
            words = [Word(text=word, start_at=at, end_at=at, confidence=1.0) for word in text.split()]
            await self.run.accept(words, progress, at=at, text=text)
            self.clock.advance(elapsed_s)
        except BaseException:
            self._lock.release()
            raise
        if progress.question:
            self._questions[progress.question.id] = self.question_out(progress.question)
        self._said, self._said_before = [], 0
        return self._start(TurnLog(self.run.turn), self.run.answered())

    async def resume(self, *, released: bool, asked_for: bool) -> TurnResponse:
        """Finish a turn that was cut off, if there is one, and say what came of the last turn.

        Args:
            released: a person let the last turn go on.
            asked_for: a person was asked to look at the last turn.

        Raises:
            ProblemError: an answer is being handled, or the turn could not be finished.
        """
        await self._claim()
        try:
            progress = await self.progress()
            unfinished = self._is_unfinished(progress, released=released, asked_for=asked_for)
            if not unfinished:
                await self._note_unrecorded(progress.question)
                await self.record.flush()
                response = self._response(progress)
                self._lock.release()
                return response
        except BaseException:
            self._lock.release()
            raise
        self._said_before = len(self._said)
        says = self.run.finished(progress, released=released)
        return await self._start(TurnLog(self.run.turn), says, again=True).response()

    async def end(self) -> None:
        """End the interview at the candidate's wish. A turn that was cut off is finished first, if that is possible.

        Raises:
            ProblemError: an answer is being handled.
        """
        try:
            await self.resume(released=False, asked_for=True)
            if self.run.over is None:
                await self._claim()
                await self._start(TurnLog(self.run.turn), self.run.closed(), ends="stopped").response()
        except ProblemError as problem:
            if problem.kind == "answer-under-way":
                raise
            # Whoever wants to go may go, whatever else fails.
            self.run.end("stopped")
            await self.record.flush()

    async def progress(self) -> Progress:
        """How far it is."""
        return await self.run.interview.progress()

    def question_out(self, question: Question) -> QuestionOut:
        """A question, as it was asked last."""
        return QuestionOut(
            id=question.id,
            text=question.text,
            topic=question.topic,
            estimated_time_minutes=question.minutes,
            kind=question.kind,
            as_asked=self._asked.get(question.id, question.spoken),
        )

    def fail(self) -> None:
        """End an interview that never began."""
        self.run.end("failed")

    async def close(self, patience_s: float) -> None:
        """Let a turn that is going on finish, for a while, and write what is waiting."""
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=patience_s)
            self._task.cancel()
            await asyncio.wait({self._task})
        await self.record.close()
        if self._run_of is not None:
            await self._run_of.close()

    # inside

    async def _claim(self) -> None:
        """Take the session, or say that somebody else has it; never wait."""
        if self._lock.locked():
            raise ProblemError(
                "answer-under-way",
                "The answer before this one is still being handled. Send this one when it is answered.",
            )
        await self._lock.acquire()

    async def _may_answer(self) -> Progress:
        what, progress = await self.run.weigh()
        match what:
            case Step.NOTHING:
                raise ended(self.id)
            case Step.FINISH if progress.waits_for_review:
                raise ProblemError(
                    "waiting-for-review",
                    f"A person has to release the last turn first. Then POST {self._path}/resume.",
                )
            case Step.FINISH:
                raise ProblemError(
                    "unfinished-turn",
                    f"The last answer is not lost, but its turn was cut off. POST {self._path}/resume finishes "
                    "it and returns what you missed.",
                )
            case _:
                return progress

    def _is_unfinished(self, progress: Progress, *, released: bool, asked_for: bool) -> bool:
        """Whether something is left to do of the last turn."""
        if self.run.over is not None:
            return False
        if self.run.left(progress, released=released, asked_for=asked_for):
            if not progress.waits_for_review:
                self.run.note_started(resumed=True)
            return True
        if progress.is_over:
            # Decided and spoken; only the record does not have it yet.
            self.run.end(progress.end_reason or "failed")
        return False

    def _start(
        self, log: TurnLog, says: AsyncIterator[Say], *, again: bool = False, ends: EndReason | None = None
    ) -> TurnLog:
        """Carry a turn out in a task of its own. The session is claimed; the task lets it go."""
        self._log = log
        self._task = asyncio.create_task(self._perform(log, says, again=again, ends=ends))
        return log

    async def _perform(self, log: TurnLog, says: AsyncIterator[Say], *, again: bool, ends: EndReason | None) -> None:
        try:
            with bind(interview_id=self.id, turn=log.turn):
                log.complete(await self._carry_out(log, says, ends))
        except Exception as error:  # noqa: BLE001 - the edge of the interview: whatever fails, the client is told
            problem = await self._failed(error, again=again)
            log.fail(problem, problem_of(problem, self._path, str(bound_fields().get("request_id", ""))))
        finally:
            # Nothing is awaited between the last event and this, so nobody can see the one without the other.
            self._lock.release()
            log.close()

    async def _carry_out(self, log: TurnLog, says: AsyncIterator[Say], ends: EndReason | None) -> TurnResponse:
        async for say in says:
            await self._deliver(log, say)
        log.finish_feedback()
        progress = await self.progress()
        if progress.is_over or ends:
            self.run.end(progress.end_reason or ends or "failed")
        if not await self.record.flush():
            _log.error("the record of interview %s lags behind: it cannot be written at the moment", self.id)
        return self._response(progress)

    async def _deliver(self, log: TurnLog, say: Say) -> None:
        """Record what is said and tell it; what was said before the turn was cut off is not said twice."""
        self.run.heard(say, log.turn)
        said = Said(say.kind, say.text, say.question_id)
        if said not in self._said[: self._said_before]:
            self.record.said(say.kind, say.text, log.turn, say.question_id)
            if say.kind == "feedback" and self._said_before:
                # The feedback is given anew, in other words: what there was of it before does not count.
                self._said = [each for each in self._said if each.kind != "feedback"]
                self._said_before = 0
            self._said.append(said)
        match say.kind:
            case "feedback":
                log.feedback(say.text)
            case "question":
                log.finish_feedback()
                self._asked[say.question_id] = say.text
                if question := self._questions.get(say.question_id):
                    log.put("question", question.model_copy(update={"as_asked": say.text}))
                elif open_question := (await self.progress()).question:
                    log.put("question", self.question_out(open_question))
            case "greeting" | "reply" | "closing":
                log.put("reply", Reply(kind=say.kind, text=say.text))

    async def _note_unrecorded(self, question: Question | None) -> None:
        """Record what the graph said in the very moment in which the process was killed."""
        if feedback := await self.run.unheard_feedback():
            self._note(feedback)
        if question is not None and question.id not in self._asked:
            self._asked[question.id] = question.spoken
            self._note(Say("question", question.spoken, question.id))

    def _note(self, say: Say) -> None:
        self.run.heard(say, self.run.turn)
        self._said.append(Said(say.kind, say.text, say.question_id))
        self.record.said(say.kind, say.text, self.run.turn, say.question_id)

    def _response(self, progress: Progress) -> TurnResponse:
        going_on = self.run.over is None
        open_question = progress.question if going_on and not progress.waits_for_review else None
        return TurnResponse(
            session_id=self.id,
            turn=self.run.turn,
            feedback=spoken(self._said, "feedback"),
            replies=replies(self._said),
            next_question=self.question_out(open_question) if open_question else None,
            progress=progress_out(progress),
            continue_interview=going_on,
            end_reason=self.run.over,
            waits_for_review=going_on and progress.waits_for_review,
        )

    async def _failed(self, error: Exception, *, again: bool) -> ProblemError:
        failed = await self.run.fail(error, again=again)
        if failed.lost is not None:
            await self.record.flush()
        account = tell_of_written(failed, self._path)
        kind = "storage-failed" if is_storage_fault(error) else "turn-failed"
        return ProblemError(kind, f"{account.what} {account.advice}")

    @property
    def _path(self) -> str:
        return f"{PREFIX}/interview/{self.id}"


def _chosen(event: QuestionSelected) -> QuestionOut:
    return QuestionOut(
        id=event.question_id,
        text=event.text,
        topic=event.topic,
        estimated_time_minutes=event.minutes,
        kind=event.question_kind,
        as_asked=event.text,
    )
