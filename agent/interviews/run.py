"""Run of an interview: its one life, under every driver, by voice, by text or by phone.

A driver translates: what it hears and what is played into `take`, `paused` and `heard`, and the `Say`s that come back
into sound or text. Everything else is decided in `life` and `steps`, and carried out by `turns` (words of the
candidate's), `unprompted` (greeting, way back, goodbye), `human_review` and `failures`, all on one `RunState`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING

from agent.interviews import failures
from agent.interviews.driver import Driver, Hooks
from agent.interviews.failures import despite_failure, followed
from agent.interviews.life import Life, Over
from agent.interviews.life_events import (
    AskedToEnd,
    Began,
    CutShort,
    Due,
    DueKind,
    Ended,
    Heard,
    Paused,
    Restored,
    Turn,
)
from agent.interviews.past import Past
from agent.interviews.run_state import RunState
from agent.interviews.steps import Step, is_unsent
from agent.interviews.turns import begin_turn, judged, replies, weigh
from agent.interviews.unprompted import rest_of, speech_due, unheard_feedback
from agent.observability.watch import InterviewWatch
from domain.events import InterviewEnded, InterviewStarted, Word
from domain.progress import Progress
from domain.say import Say
from domain.vocabulary import EndReason, Request
from graph import Interview

if TYPE_CHECKING:
    from agent.interviews.failed_turn import FailedTurn

_log = logging.getLogger(__name__)


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
        self.has_model_judge = has_model_judge
        self.watch = watch
        self._state = RunState(interview, driver)
        self._past = past or Past()
        self._judge = judge

    @property
    def interview(self) -> Interview:
        """The graph's thread."""
        return self._state.interview

    @property
    def hooks(self) -> Hooks:
        """What the driver has done on the way."""
        return self._state.hooks

    @hooks.setter
    def hooks(self, hooks: Hooks) -> None:
        self._state.hooks = hooks

    @property
    def life(self) -> Life:
        """Where it is."""
        return self._state.life

    @property
    def turn(self) -> int:
        """Number of the candidate's turn that is going on or was last; 0 before the first."""
        return self._state.turn

    @property
    def over(self) -> EndReason | None:
        """Why it has ended; None while it goes on."""
        return self.life.state.reason if isinstance(self.life.state, Over) else None

    # how it is opened

    async def enter(self) -> None:
        """Begin, or go on where a process stopped: either is due then."""
        resumed = await self.restore()
        self.note_started(resumed=resumed)
        self._state.on(Due("resume" if resumed else "begin"))

    async def restore(self) -> bool:
        """Read where it stands; False when it was never begun."""
        if not await self.interview.has_begun():
            return False
        progress = await self.interview.progress()
        answer = self._past.unanswered
        unsent = answer if answer and answer.turn > progress.turn else None
        known = self._past.answer.turn if self._past.answer else 0
        number = max(progress.turn, known, 0)
        heard = self._past.heard if number == known else frozenset()
        turn = Turn(number, answer=unsent, is_open=unsent is not None, heard=heard)
        self._state.on(Restored(turn))
        return True

    def note_started(self, *, resumed: bool) -> None:
        """Record that a process takes it up."""
        self._state.record(InterviewStarted(at=self._state.driver.clock(), judge=self._judge, resumed=resumed))

    # what a driver tells

    def say_next(self, kind: DueKind) -> None:
        """Have something said before anything else: the greeting, the way back after a break, the goodbye."""
        self._state.on(Due(kind))

    def ask_to_end(self, reason: EndReason) -> bool:
        """Goodbye will be said for this reason, whatever the graph decides; False when it was asked for before."""
        if self.life.ends is not None:
            return False
        self._state.on(AskedToEnd(reason))
        return True

    def heard(self, say: Say, turn: int) -> None:
        """The candidate hears the beginning of what was said in a turn."""
        self._state.on(Heard(say.kind, turn))

    def paused(self, text: str, unsure: Sequence[int] = ()) -> None:
        """The candidate fell silent: work on the words so far, in case this is the end of the answer.

        Args:
            text: these words.
            unsure: places of those, from 0, that may not be what was said.
        """
        if text and self.life.may_speculate:
            self._state.speculator.start(text, self.turn + 1, unsure)
            self._state.on(Paused(text))

    async def touched(self, text: str) -> float | None:
        """How much of what was asked the answer has touched with these words, 0 to 1; None when nobody can say."""
        turn, words = self.life.turn, text.split()
        if not words or not self.life.asked:
            return None
        if turn.can_go_on and turn.answer:
            return await self.interview.touched([*turn.answer.text.split(), *words], goes_on_from=turn.number)
        return await self.interview.touched(words)

    def stop_candidate(self) -> None:
        """The candidate has spoken for too long: what they said so far is their turn."""
        self._state.on(CutShort())

    # what is said

    def due(self) -> AsyncGenerator[Say, None] | None:
        """What has to be said now whatever the candidate says; None when there is nothing."""
        kind = self.life.due
        if kind is None:
            return None
        self._state.on(Began())
        return despite_failure(self._state, speech_due(self._state, kind))

    def take(
        self, words: Sequence[Word], ended_at: float | None = None, pressed: Request | None = None
    ) -> AsyncGenerator[Say, None]:
        """What is said to words of the candidate's; a turn that fails is given up, and its question asked again.

        Args:
            words: all since the turn before.
            ended_at: when the voice ended, in seconds since the epoch; by default with the last word.
            pressed: what a key asked for behind these words, if there are any.
        """
        if not words and pressed is None:
            return _silence()
        return despite_failure(self._state, replies(self._state, list(words), ended_at, pressed))

    async def weigh(self) -> tuple[Step, Progress]:
        """What an answer would lead to now, and where the interview stands."""
        return await weigh(self._state)

    async def accept(self, words: Sequence[Word], progress: Progress, *, at: float, text: str) -> None:
        """Take an answer as a turn of its own; then `answered` says what comes of it.

        Raises:
            RecordError: it could not be recorded, so it was not taken.
        """
        await begin_turn(self._state, list(words), progress, Step.BEGIN, ended_at=at, at=at, text=text)

    def answered(self) -> AsyncGenerator[Say, None]:
        """What is said to the answer that was accepted. What fails is raised; `fail` is to be told of it."""
        return followed(self._state, judged(self._state))

    def left(self, progress: Progress, *, released: bool = False, asked_for: bool = False) -> bool:
        """Whether anything is left to do of the last turn.

        Args:
            progress: where the interview stands.
            released: a person let the last turn go on.
            asked_for: a person was asked to look at the last turn.
        """
        if progress.waits_for_review:
            return released or not asked_for
        return progress.cut_off or is_unsent(self.life, progress)

    def finished(self, progress: Progress, *, released: bool = False) -> AsyncGenerator[Say, None]:
        """Do what is left of the last turn. What fails is raised; `fail` is to be told of it."""
        self._state.on(Began())
        return followed(self._state, rest_of(self._state, progress, released=released))

    async def unheard_feedback(self) -> Say | None:
        """The feedback of the last turn, when it was given and the candidate did not hear it."""
        return await unheard_feedback(self._state)

    def opened(self) -> AsyncGenerator[Say, None]:
        """The greeting and the first question. What fails is raised; `fail` is to be told of it."""
        self._state.on(Began())
        return followed(self._state, self.interview.begin())

    def closed(self) -> AsyncGenerator[Say, None]:
        """The goodbye at the candidate's wish. What fails is raised; `fail` is to be told of it."""
        self._state.on(Began())
        return followed(self._state, self.interview.end(self.turn))

    # how it ends

    async def decided(self) -> EndReason:
        """Why it ends, now that goodbye was said."""
        try:
            return self.life.ends or (await self.interview.progress()).end_reason or "failed"
        except Exception:  # noqa: BLE001 - the edge of the interview: goodbye was said, so it ends in any case
            _log.exception("why the interview ended could not be read")
            return "failed"

    def end(self, reason: EndReason) -> bool:
        """Record that it is over; False when it was before."""
        if self.over is not None:
            return False
        self._state.on(Ended(reason))
        self._state.record(InterviewEnded(at=self._state.driver.clock(), reason=reason))
        return True

    async def close(self) -> None:
        """Let go of what was begun ahead, and of who watches."""
        await self._state.speculator.forget()
        if self.watch is not None:
            await asyncio.to_thread(self.watch.close)

    # what fails

    async def fail(self, error: Exception, *, again: bool = True, moved_on: bool = False) -> FailedTurn:
        """A turn failed: it is recorded, not scored, and given up where it cannot be tried again.

        Args:
            error: what was raised.
            again: it was tried before.
            moved_on: the next question or the goodbye was said before it failed.
        """
        return await failures.fail(self._state, error, again=again, moved_on=moved_on)


async def _silence() -> AsyncGenerator[Say, None]:
    """Nothing to say."""
    nothing: tuple[Say, ...] = ()
    for say in nothing:
        yield say
