"""One interview that is going on: one answer at a time, finished whether or not its sender waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from agent.http.text.clock import SessionClock
from agent.http.text.problems import PREFIX, ProblemError, ended, is_storage_fault, problem_of
from agent.http.text.record import TextRecord
from agent.http.text.schemas import QuestionOut, Reply, TurnResponse
from agent.http.text.snapshot import Facts, Said
from agent.http.text.turn_events import TurnLog
from agent.http.text.views import progress_out, replies, spoken
from agent.observability.logs import bind, bound_fields
from domain.events import (
    Event,
    FeedbackReady,
    InterviewEnded,
    InterviewStarted,
    ProblemNoticed,
    QuestionSelected,
    TurnVoided,
)
from domain.vocabulary import EndReason

if TYPE_CHECKING:
    from agent.http.text.host import Opened
    from domain.progress import Progress
    from domain.question import Question
    from domain.say import Say
    from graph import Interview

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
        self._opened: Opened | None = None
        self._lock = asyncio.Lock()
        self._answer = facts.answer
        self._said = list(facts.said)
        """What the interviewer said in the last turn."""
        self._said_before = 0
        """How much of that was said before the turn was cut off."""
        self._asked = dict(facts.asked)
        self._questions: dict[str, QuestionOut] = {}
        self._log = TurnLog(facts.turn)
        self._task: asyncio.Task[None] | None = None
        self._end = facts.ended

    def attach(self, opened: Opened) -> None:
        """Set the graph's thread, which is made with this session as its listener."""
        self._opened = opened
        self.record.watched_by(opened.watch.event)

    @property
    def interview(self) -> Interview:
        """The graph's thread."""
        return self._attached.interview

    @property
    def _attached(self) -> Opened:
        assert self._opened is not None, "a session is attached as soon as it is opened"
        return self._opened

    @property
    def busy(self) -> bool:
        """True while an answer is being handled."""
        return self._lock.locked()

    @property
    def over(self) -> bool:
        """True when the interview has ended."""
        return self._end is not None

    @property
    def turn(self) -> int:
        """Number of the last turn."""
        return self._answer.turn if self._answer else 0

    # what the graph does while it works

    def event(self, event: Event) -> None:
        """Record an event of the graph's, and tell a client what it may know at once."""
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
        self.record.put(InterviewStarted(at=self.clock(), judge=self._attached.judge))
        await self._claim()
        return await self._run(TurnLog(0), self.interview.begin()).response()

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
            turn = max(self.turn, progress.turn) + 1
            question_id = progress.question.id if progress.question else ""
            self._answer = await self.record.take(turn, question_id, text, at)
            self.clock.advance(elapsed_s)
        except BaseException:
            self._lock.release()
            raise
        if progress.question:
            self._questions[question_id] = self.question_out(progress.question)
        self._said, self._said_before = [], 0
        return self._run(TurnLog(turn), self.interview.answer(text, turn))

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
            says = await self._unfinished(released=released, asked_for=asked_for)
            if says is None:
                progress = await self.progress()
                self._note_asked(progress.question)
                await self.record.flush()
                response = self._response(progress)
                self._lock.release()
                return response
        except BaseException:
            self._lock.release()
            raise
        self._said_before = len(self._said)
        return await self._run(TurnLog(self.turn), says, again=True).response()

    async def end(self) -> None:
        """End the interview at the candidate's wish. A turn that was cut off is finished first, if that is possible.

        Raises:
            ProblemError: an answer is being handled.
        """
        try:
            await self.resume(released=False, asked_for=True)
            if self._end is None:
                await self._claim()
                await self._run(TurnLog(self.turn), self.interview.end(), ends="stopped").response()
        except ProblemError as problem:
            if problem.kind == "answer-under-way":
                raise
            # Whoever wants to go may go, whatever else fails.
            self._finish("stopped")
            await self.record.flush()

    async def progress(self) -> Progress:
        """How far it is."""
        return await self.interview.progress()

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
        self._finish("failed")

    async def close(self, patience_s: float) -> None:
        """Let a turn that is going on finish, for a while, and write what is waiting."""
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=patience_s)
            self._task.cancel()
            await asyncio.wait({self._task})
        await self.record.close()
        if self._opened is not None:
            await asyncio.to_thread(self._opened.watch.close)

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
        progress = await self.progress()
        if self._end is not None:
            raise ended(self.id)
        if progress.waits_for_review:
            raise ProblemError(
                "waiting-for-review",
                f"A person has to release the last turn first. Then POST {self._path}/resume.",
            )
        if progress.cut_off or self.turn > progress.turn or progress.is_over:
            raise ProblemError(
                "unfinished-turn",
                f"The last answer is not lost, but its turn was cut off. POST {self._path}/resume finishes "
                "it and returns what you missed.",
            )
        return progress

    async def _unfinished(self, *, released: bool, asked_for: bool) -> AsyncIterator[Say] | None:
        """What is left to do of the last turn; None when nothing is."""
        progress = await self.progress()
        if self._end is not None or (progress.waits_for_review and asked_for and not released):
            return None
        if progress.waits_for_review:
            return self.interview.resume(released=released)
        if progress.cut_off:
            self._note_resumed()
            return self.interview.resume()
        if self._answer is not None and self._answer.turn > progress.turn:
            # It was recorded, and the process was killed before the graph had it.
            self._note_resumed()
            return self.interview.answer(self._answer.text, self._answer.turn)
        if progress.is_over:
            # Decided and spoken; only the record does not have it yet.
            self._finish(progress.end_reason or "failed")
        return None

    def _run(
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
            problem = await self._trouble(error, log.turn, again=again)
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
            self._finish(progress.end_reason or ends or "failed")
        if not await self.record.flush():
            _log.error("the record of interview %s lags behind: it cannot be written at the moment", self.id)
        return self._response(progress)

    async def _deliver(self, log: TurnLog, say: Say) -> None:
        """Record what is said and tell it; what was said before the turn was cut off is not said twice."""
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

    def _finish(self, reason: EndReason) -> None:
        self._end = InterviewEnded(at=self.clock(), reason=reason)
        self.record.put(self._end)

    def _note_asked(self, question: Question | None) -> None:
        """Record a question that the graph asked in the very moment in which the process was killed."""
        if question is not None and question.id not in self._asked:
            self._asked[question.id] = question.spoken
            self._said.append(Said("question", question.spoken, question.id))
            self.record.said("question", question.spoken, self.turn, question.id)

    def _note_resumed(self) -> None:
        self.record.put(InterviewStarted(at=self.clock(), judge=self._attached.judge, resumed=True))

    def _response(self, progress: Progress) -> TurnResponse:
        going_on = self._end is None
        open_question = progress.question if going_on and not progress.waits_for_review else None
        return TurnResponse(
            session_id=self.id,
            turn=self.turn,
            feedback=spoken(self._said, "feedback"),
            replies=replies(self._said),
            next_question=self.question_out(open_question) if open_question else None,
            progress=progress_out(progress),
            continue_interview=going_on,
            end_reason=self._end.reason if self._end else None,
            waits_for_review=going_on and progress.waits_for_review,
        )

    async def _trouble(self, error: Exception, turn: int, *, again: bool) -> ProblemError:
        _log.exception("turn %d of interview %s failed", turn, self.id)
        what = f"Turn {turn} could not be finished ({type(error).__name__}: {error})."
        advice = await self._give_up(turn) if again else f"Nothing is lost: POST {self._path}/resume tries again."
        self.record.put(ProblemNoticed(at=self.clock(), what=what, advice=advice))
        return ProblemError("storage-failed" if is_storage_fault(error) else "turn-failed", f"{what} {advice}")

    async def _give_up(self, turn: int) -> str:
        """Take a turn back that could not be finished by a second try either; what the candidate can do now."""
        try:
            lost = await self.interview.give_up_turn(turn)
        except Exception as error:  # noqa: BLE001 - as in `_perform`: the client is told, and no answer is taken
            _log.exception("turn %d of interview %s could not be taken back", turn, self.id)
            return (
                f"It could not be taken back either ({type(error).__name__}: {error}), so no other answer is taken: "
                f"POST {self._path}/resume tries again."
            )
        if lost is None:
            return f"Nothing is lost: POST {self._path}/resume returns what came of it."
        self.record.put(TurnVoided(at=self.clock(), turn=lost))
        await self.record.flush()
        return "Its question is open again: send another answer to go on; this turn is not scored."

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
