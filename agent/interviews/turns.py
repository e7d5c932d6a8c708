"""Turns of the candidate: what their words are taken for, and what is said to them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from agent.interviews.human_review import after_review
from agent.interviews.life_events import Began, Took, Turn
from agent.interviews.steps import Step, step
from agent.interviews.unprompted import speech_due
from agent.observability.logs import bind
from domain.events import AnswerTaken, Word, heard_unsurely

if TYPE_CHECKING:
    from agent.interviews.run_state import RunState
    from domain.progress import Progress
    from domain.say import Say
    from domain.vocabulary import Request


async def weigh(run: RunState) -> tuple[Step, Progress]:
    """What an answer would lead to now, and where the interview stands."""
    progress = await run.interview.progress()
    return step(run.life, progress, run.driver.manners), progress


async def replies(
    run: RunState, words: list[Word], ended_at: float | None, pressed: Request | None = None
) -> AsyncGenerator[Say, None]:
    """What is said to words of the candidate's, or to a key that they pressed.

    Args:
        run: the interview.
        words: all since the turn before; none when nothing was said before a key.
        ended_at: when the voice ended, in seconds since the epoch; None when it ended with the last word.
        pressed: what a key asked for behind these words.
    """
    what, progress = await weigh(run)
    match what:
        case Step.NOTHING:
            return
        case Step.FINISH:
            # Words in between are on the record; the turn they would belong to has not begun, or never will.
            run.on(Began())
            says = speech_due(run, "end" if run.life.ends else "resume")
        case Step.ASK:
            yield await run.interview.open_question()
            return
        case Step.JOIN | Step.BEGIN:
            await begin_turn(run, words, progress, what, ended_at=ended_at, pressed=pressed)
            says = judged(run)
    async for say in says:
        yield say


async def begin_turn(
    run: RunState,
    words: list[Word],
    progress: Progress,
    how: Step,
    *,
    ended_at: float | None,
    at: float | None = None,
    text: str = "",
    pressed: Request | None = None,
) -> None:
    """Take these words as a turn; together with those before them, when the turn before was not over.

    Args:
        run: the interview.
        words: all since the turn before.
        progress: where it stands.
        how: `JOIN` to go on with the turn before, else `BEGIN`.
        ended_at: when the voice ended, in seconds since the epoch; None when it ended with the last word.
        at: when the turn was taken, likewise; None: now.
        text: what was written; empty: the words.
        pressed: what a key asked for behind the words.
    """
    last = run.life.turn
    before = progress.checkpoint
    number = max(last.number, progress.turn) + 1
    if how is Step.JOIN:
        await run.speculator.forget()
        await run.interview.take_back(last.before)
        first = last.answer.words if last.answer else []
        if first and words:
            run.hooks.went_on(first, words)
        words, before = [*first, *words], last.before
        pressed = pressed or (last.answer.pressed if last.answer else None)
        progress = await run.interview.progress()
    taken_at = run.driver.clock() if at is None else at
    answer = AnswerTaken(
        at=taken_at,
        turn=number,
        question_id=progress.question_id,
        text=text or " ".join(word.text for word in words),
        words=words,
        speech_ended_at=ended_at or (words[-1].end_at if words else taken_at),
        pressed=pressed,
        continues=how is Step.JOIN,
    )
    if run.driver.accept is None:
        run.record(answer)
    else:
        await run.driver.accept(answer)
    run.on(Took(Turn(number, answer, before)))


async def judged(run: RunState) -> AsyncGenerator[Say, None]:
    """What is said to the turn that was taken."""
    turn = run.life.turn
    assert turn.answer is not None, "a turn was taken"
    with bind(turn=turn.number):
        answer = turn.answer
        unsure = heard_unsurely(answer.words)
        says = run.speculator.adopt_or_answer(answer.text, turn.number, answer.pressed, unsure)
        async for say in run.hooks.around(says, turn.answer):
            yield say
    if await run.interview.waits_for_review():
        async for say in after_review(run):
            yield say
