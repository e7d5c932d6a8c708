"""Run of an interview: its one life, under every driver, by voice, by text or by phone.

A driver translates: what it hears and what is played into `take`, `paused` and `heard`, and the `Say`s that come back
into sound or text. Everything else is decided in `life` and carried out here.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

from agent.interviews.driver import Driver, Hooks
from agent.interviews.life import Life, Over, Waiting, after
from agent.interviews.life_events import (
    AskedToEnd,
    Began,
    Called,
    CutShort,
    Due,
    DueKind,
    Ended,
    Failed,
    Finished,
    GivenUp,
    Heard,
    LifeEvent,
    Paused,
    Released,
    Said,
    Stopped,
    Took,
    Turn,
    Waits,
)
from agent.interviews.past import Past
from agent.interviews.speculation import Guesses
from agent.interviews.steps import Step, is_unsent, step
from agent.interviews.trouble import Trouble
from agent.observability.logs import bind
from agent.observability.watch import InterviewWatch
from domain.events import (
    AnswerTaken,
    Event,
    InterviewEnded,
    InterviewStarted,
    ProblemNoticed,
    TurnVoided,
    Word,
)
from domain.progress import Progress
from domain.say import Say
from domain.vocabulary import EndReason
from graph import Interview

_log = logging.getLogger(__name__)

_MAX_FAILURES = 3
"""Turns that may fail in a row before the interviewer gives up: a fourth apology helps nobody."""


class InterviewRun:
    """The life of one interview in one process.

    Not for concurrent use: one iterator of `Say`s at a time. Closing it half-way leaves the turn unfinished; what
    comes next joins it, finishes it or leaves it, as the candidate goes on.

    Args:
        interview: the graph's thread.
        driver: who drives it.
        past: what the record knows.
        judge: which judge is in force.
        has_model_judge: it is a language model, so it takes seconds.
        watch: counts and traces; None to be watched by nobody.
    """

    def __init__(
        self,
        interview: Interview,
        driver: Driver,
        past: Past | None = None,
        *,
        judge: str = "",
        has_model_judge: bool = False,
        watch: InterviewWatch | None = None,
    ) -> None:
        self.interview = interview
        self.hooks = Hooks()
        self.has_model_judge = has_model_judge
        self.watch = watch
        self._driver = driver
        self._past = past or Past()
        self._judge = judge
        self._guesses = Guesses(interview, self._prepare)
        self._life = Life(asked=not driver.manners.barge_in)

    @property
    def life(self) -> Life:
        """Where it is."""
        return self._life

    @property
    def turn(self) -> int:
        """Number of the candidate's turn that is going on or was last; 0 before the first."""
        return self._life.turn.number

    @property
    def over(self) -> EndReason | None:
        """Why it has ended; None while it goes on."""
        return self._life.state.reason if isinstance(self._life.state, Over) else None

    # how it is opened

    async def enter(self) -> None:
        """Begin, or go on where a process stopped: either is due then."""
        resumed = await self.restore()
        self.note_started(resumed=resumed)
        self._on(Due("resume" if resumed else "begin"))

    async def restore(self) -> bool:
        """Read where it stands; False when it was never begun."""
        if not await self.interview.has_begun():
            return False
        progress = await self.interview.progress()
        answer = self._past.unanswered
        unsent = answer if answer and answer.turn > progress.turn else None
        known = self._past.answer.turn if self._past.answer else 0
        turn = Turn(max(progress.turn, known, 0), answer=unsent, is_open=unsent is not None)
        self._life = dataclasses.replace(self._life, turn=turn)
        return True

    def note_started(self, *, resumed: bool) -> None:
        """Record that a process takes it up."""
        self._record(InterviewStarted(at=self._driver.clock(), judge=self._judge, resumed=resumed))

    # what a driver tells

    def say_next(self, kind: DueKind) -> None:
        """Have something said before anything else: the greeting, the way back after a break, the goodbye."""
        self._on(Due(kind))

    def ask_to_end(self, reason: EndReason) -> bool:
        """Goodbye will be said for this reason, whatever the graph decides; False when it was asked for before."""
        if self._life.ends is not None:
            return False
        self._on(AskedToEnd(reason))
        return True

    def heard(self, say: Say, turn: int) -> None:
        """The candidate hears the beginning of what was said in a turn."""
        self._on(Heard(say.kind, turn))

    def paused(self, text: str) -> None:
        """The candidate fell silent: work on the words so far, in case this is the end of the answer."""
        if text and self._life.may_guess:
            self._guesses.make(text, self.turn + 1)
            self._on(Paused(text))

    def stop_candidate(self) -> None:
        """The candidate has spoken for too long: what they said so far is their turn."""
        self._on(CutShort())

    # what is said

    def due(self) -> AsyncGenerator[Say, None] | None:
        """What has to be said now whatever the candidate says; None when there is nothing."""
        kind = self._life.due
        if kind is None:
            return None
        self._on(Began())
        return self._despite_failure(self._of_itself(kind))

    def take(self, words: Sequence[Word], ended_at: float | None = None) -> AsyncGenerator[Say, None]:
        """What is said to words of the candidate's; a turn that fails is given up, and its question asked again.

        Args:
            words: all since the turn before.
            ended_at: when the voice ended, in seconds since the epoch; by default with the last word.
        """
        return self._despite_failure(self._replies(list(words), ended_at)) if words else _silence()

    async def weigh(self) -> tuple[Step, Progress]:
        """What an answer would lead to now, and where the interview stands."""
        progress = await self.interview.progress()
        return step(self._life, progress, self._driver.manners), progress

    async def accept(self, words: Sequence[Word], progress: Progress, *, at: float, text: str) -> None:
        """Take an answer as a turn of its own; then `answered` says what comes of it.

        Raises:
            RecordError: it could not be recorded, so it was not taken.
        """
        await self._begin_turn(list(words), progress, Step.BEGIN, ended_at=at, at=at, text=text)

    def answered(self) -> AsyncGenerator[Say, None]:
        """What is said to the answer that was accepted. What fails is raised; `fail` is to be told of it."""
        return self._followed(self._judged())

    def left(self, progress: Progress, *, released: bool = False, asked_for: bool = False) -> bool:
        """Whether anything is left to do of the last turn.

        Args:
            progress: where the interview stands.
            released: a person let the last turn go on.
            asked_for: a person was asked to look at the last turn.
        """
        if progress.waits_for_review:
            return released or not asked_for
        return progress.cut_off or is_unsent(self._life, progress)

    def finished(self, progress: Progress, *, released: bool = False) -> AsyncGenerator[Say, None]:
        """Do what is left of the last turn. What fails is raised; `fail` is to be told of it."""
        self._on(Began())
        return self._followed(self._rest_of(progress, released=released))

    def opened(self) -> AsyncGenerator[Say, None]:
        """The greeting and the first question. What fails is raised; `fail` is to be told of it."""
        self._on(Began())
        return self._followed(self.interview.begin())

    def closed(self) -> AsyncGenerator[Say, None]:
        """The goodbye at the candidate's wish. What fails is raised; `fail` is to be told of it."""
        self._on(Began())
        return self._followed(self.interview.end(self.turn))

    # how it ends

    async def decided(self) -> EndReason:
        """Why it ends, now that goodbye was said."""
        try:
            return self._life.ends or (await self.interview.progress()).end_reason or "failed"
        except Exception:  # noqa: BLE001 - the edge of the interview: goodbye was said, so it ends in any case
            _log.exception("why the interview ended could not be read")
            return "failed"

    def end(self, reason: EndReason) -> bool:
        """Record that it is over; False when it was before."""
        if self.over is not None:
            return False
        self._on(Ended(reason))
        self._record(InterviewEnded(at=self._driver.clock(), reason=reason))
        return True

    async def close(self) -> None:
        """Let go of what was begun on a guess, and of who watches."""
        await self._guesses.forget()
        if self.watch is not None:
            await asyncio.to_thread(self.watch.close)

    # what fails

    async def fail(self, error: Exception, *, again: bool = True, moved_on: bool = False) -> Trouble:
        """A turn failed: it is recorded, not scored, and given up where it cannot be tried again.

        Args:
            error: what was raised.
            again: it was tried before.
            moved_on: the next question or the goodbye was said before it failed.
        """
        _log.error("turn %d failed", self.turn, exc_info=error)
        was_open = self._life.turn.is_open
        self._on(Failed())
        trouble = Trouble(self.turn, error, retry=True)
        if again or not self._driver.manners.retries:
            trouble = await self._give_up(error, was_open=was_open, moved_on=moved_on)
        account = self._driver.tell(trouble)
        self._record(ProblemNoticed(at=self._driver.clock(), what=account.what, advice=account.advice))
        return trouble

    async def _give_up(self, error: Exception, *, was_open: bool, moved_on: bool) -> Trouble:
        """Take the turn back, and find what to say; nothing when what follows it was said before it failed."""
        turn, stuck, waits = self.turn, None, self._driver.manners.retries
        try:
            lost = await self.interview.give_up_turn(turn)
            if lost is None and was_open and (await self.interview.progress()).cut_off:
                # The greeting had failed as well: there is no finished turn to go back to, only what was before this.
                await self.interview.take_back(self._life.turn.before)
                lost = turn
        except Exception as second:  # noqa: BLE001 - whatever fails, the candidate must be told
            _log.exception("turn %d could not be taken back", turn)
            stuck, lost = second, turn if was_open and not (moved_on or waits) else None
        if not (stuck and waits):
            self._on(GivenUp(lost))
        if lost is not None:
            self._record(TurnVoided(at=self._driver.clock(), turn=lost))
        say = None
        if not waits and not (moved_on and lost is None):
            # Where it could not be taken back, what comes next would be judged by a question that nobody heard.
            # Whoever wants to go may go.
            hopeless = stuck is not None or self._life.failures >= _MAX_FAILURES or self._life.ends is not None
            say = await self.interview.after_trouble(give_up=hopeless)
        return Trouble(turn, error, lost=lost, stuck=stuck, say=say)

    # how it is carried out

    async def _despite_failure(self, says: AsyncIterator[Say]) -> AsyncGenerator[Say, None]:
        """The edge of the interview: whatever fails, the candidate must not sit in silence."""
        moved_on = False
        try:
            async with aclosing(self._followed(says)) as followed:
                async for say in followed:
                    moved_on = moved_on or say.kind in ("question", "closing")
                    yield say
        except Exception as error:  # noqa: BLE001 - see above
            trouble = await self.fail(error, moved_on=moved_on)
            if trouble.say is not None:
                self._on(Said(self._life.work, trouble.say.kind))
                yield trouble.say

    async def _followed(self, says: AsyncIterator[Say]) -> AsyncGenerator[Say, None]:
        """Pass on what is said, and keep what becomes of it."""
        self._on(Called())
        work = self._life.work
        try:
            async with aclosing(says) as each:  # type: ignore[type-var]
                async for say in each:
                    self._on(Said(work, say.kind))
                    yield say
        except Exception:
            raise
        except BaseException:
            self._on(Stopped(work))
            raise
        self._on(Finished(work))

    async def _replies(self, words: list[Word], ended_at: float | None) -> AsyncGenerator[Say, None]:
        what, progress = await self.weigh()
        match what:
            case Step.NOTHING:
                return
            case Step.FINISH:
                # Words in between are on the record; the turn they would belong to has not begun, or never will.
                self._on(Began())
                says = self._of_itself("end" if self._life.ends else "resume")
            case Step.ASK:
                yield await self.interview.open_question()
                return
            case Step.JOIN | Step.BEGIN:
                await self._begin_turn(words, progress, what, ended_at=ended_at)
                says = self._judged()
        async for say in says:
            yield say

    async def _begin_turn(
        self,
        words: list[Word],
        progress: Progress,
        how: Step,
        *,
        ended_at: float | None,
        at: float | None = None,
        text: str = "",
    ) -> None:
        """Take these words as a turn; together with those before them, when the turn before was not over."""
        last = self._life.turn
        before = progress.checkpoint
        number = max(last.number, progress.turn) + 1
        if how is Step.JOIN:
            await self._guesses.forget()
            await self.interview.take_back(last.before)
            first = last.answer.words if last.answer else []
            self.hooks.went_on(first, words)
            words, before = [*first, *words], last.before
            progress = await self.interview.progress()
        answer = AnswerTaken(
            at=self._driver.clock() if at is None else at,
            turn=number,
            question_id=progress.question_id,
            text=text or " ".join(word.text for word in words),
            words=words,
            speech_ended_at=ended_at or words[-1].end_at,
            continues=how is Step.JOIN,
        )
        if self._driver.accept is None:
            self._record(answer)
        else:
            await self._driver.accept(answer)
        self._on(Took(Turn(number, answer, before)))

    async def _judged(self) -> AsyncGenerator[Say, None]:
        """What is said to the turn that was taken."""
        turn = self._life.turn
        assert turn.answer is not None, "a turn was taken"
        with bind(turn=turn.number):
            says = self._guesses.come_true(turn.answer.text, turn.number)
            async for say in self.hooks.around(says, turn.answer):
                yield say
        if await self.interview.waits_for_review():
            async for say in self._after_review():
                yield say

    async def _of_itself(self, kind: DueKind) -> AsyncGenerator[Say, None]:
        await self._guesses.forget()
        match kind:
            case "begin":
                says = self.interview.begin()
            case "resume":
                says = self._resumed()
            case "end":
                says = self._farewell()
        async for say in says:
            yield say

    async def _farewell(self) -> AsyncGenerator[Say, None]:
        """The goodbye; what was answered before it is judged, and not spoken about any more."""
        said, answer = False, self._life.turn.answer
        progress = await self.interview.progress()
        if answer is not None and is_unsent(self._life, progress):
            async for _ in self.interview.answer(answer.text, answer.turn):
                pass
            progress = await self.interview.progress()
        if progress.turn > 0 or progress.question_id:
            # Before the first question there is nothing to close: the graph would begin.
            async for say in self.interview.end(self.turn):
                said = True
                yield say
        if not said:
            yield self.interview.goodbye()

    async def _resumed(self) -> AsyncGenerator[Say, None]:
        """What is left of the last turn, else the open question or the goodbye again; not before a person's release."""
        said = False
        progress = await self.interview.progress()
        async for say in self._rest_of(progress):
            said = True
            yield say
        if said or isinstance(self._life.state, Waiting):
            return
        if (await self.interview.progress()).question_id:
            # All of the turn was done but its last, silent step: nobody knows whether the question was heard.
            yield await self.interview.open_question()
            return
        # It was stopped before anything was planned.
        async for say in self.interview.begin():
            yield say

    async def _rest_of(self, progress: Progress, *, released: bool = False) -> AsyncGenerator[Say, None]:
        answer = self._life.turn.answer
        if answer is not None and is_unsent(self._life, progress):
            says = self.interview.answer(answer.text, answer.turn)
        elif progress.turn < 0 and not progress.cut_off:
            says = self.interview.begin()
        else:
            says = self.interview.resume(released=released)
        async for say in says:
            yield say
        if await self.interview.waits_for_review():
            async for say in self._after_review():
                yield say

    async def _after_review(self) -> AsyncGenerator[Say, None]:
        """Ask for patience, and go on when a person has looked at the turn."""
        self._on(Waits())
        if self.hooks.ask_patience is None or self.hooks.released is None:
            return
        yield self.hooks.ask_patience(self.turn)
        await self.hooks.released(self.turn)
        self._on(Released())
        async for say in self.interview.resume(released=True):
            yield say

    def _prepare(self, say: Say) -> None:
        self.hooks.prepare(say)

    def _record(self, event: Event) -> None:
        self._driver.record(event)

    def _on(self, event: LifeEvent) -> None:
        self._life = after(self._life, event)


async def _silence() -> AsyncGenerator[Say, None]:
    """Nothing to say."""
    nothing: tuple[Say, ...] = ()
    for say in nothing:
        yield say
