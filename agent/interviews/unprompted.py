"""Unprompted speech: what the interviewer says of itself: the greeting, the way back after a break, the goodbye."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING

from agent.interviews.human_review import after_review
from agent.interviews.life import Waiting
from agent.interviews.steps import is_unsent
from domain.events import heard_unsurely

if TYPE_CHECKING:
    from agent.interviews.life_events import DueKind
    from agent.interviews.run_state import RunState
    from domain.progress import Progress
    from domain.say import Say


async def speech_due(run: RunState, kind: DueKind) -> AsyncGenerator[Say, None]:
    """What is said next whatever the candidate says."""
    await run.speculator.forget()
    match kind:
        case "begin":
            says = run.interview.begin()
        case "resume":
            says = _resumed(run)
        case "return":
            says = _returned(run)
        case "end":
            says = _farewell(run)
    async for say in says:
        yield say


async def _farewell(run: RunState) -> AsyncGenerator[Say, None]:
    """The goodbye; what was answered before it is judged, and not spoken about any more."""
    said, answer = False, run.life.turn.answer
    progress = await run.interview.progress()
    if answer is not None and is_unsent(run.life, progress):
        async for _ in run.interview.answer(answer.text, answer.turn, answer.pressed, heard_unsurely(answer.words)):
            pass
        progress = await run.interview.progress()
    if progress.turn > 0 or progress.question_id:
        # Before the first question there is nothing to close: the graph would begin.
        async for say in run.interview.end(run.turn):
            said = True
            yield say
    if not said:
        yield run.interview.goodbye()


async def _resumed(run: RunState) -> AsyncGenerator[Say, None]:
    """What is left of the last turn, else the open question or the goodbye again; not before a person's release."""
    has_moved_on = False
    progress = await run.interview.progress()
    async for say in rest_of(run, progress):
        has_moved_on = has_moved_on or say.kind != "feedback"
        yield say
    if has_moved_on or isinstance(run.life.state, Waiting):
        return
    if (await run.interview.progress()).question_id:
        # All of the turn was done but its last, silent step: nobody knows whether the question was heard.
        yield await run.interview.open_question()
        return
    # It was stopped before anything was planned.
    async for say in run.interview.begin():
        yield say


async def _returned(run: RunState) -> AsyncGenerator[Say, None]:
    """What is left of the last turn, else the open question: the candidate was away for a while, and nothing broke."""
    progress = await run.interview.progress()
    if progress.question is None or progress.waits_for_review or is_unsent(run.life, progress):
        async for say in _resumed(run):
            yield say
    else:
        yield await run.interview.back_to_question()


async def _after_feedback(run: RunState, says: AsyncIterator[Say]) -> AsyncGenerator[Say, None]:
    """What is left, and before it the feedback that was given and that nobody heard: a process died in between."""
    feedback = await unheard_feedback(run)
    if feedback is not None:
        yield feedback
    async for say in says:
        yield say


async def unheard_feedback(run: RunState) -> Say | None:
    """The feedback of the last turn, when it was given and the candidate did not hear it."""
    turn = run.life.turn
    return None if "feedback" in turn.heard else await run.interview.feedback_given(turn.number)


async def rest_of(run: RunState, progress: Progress, *, released: bool = False) -> AsyncGenerator[Say, None]:
    """What is left of the last turn.

    Args:
        run: the interview.
        progress: where it stands.
        released: a person let the turn go on.
    """
    answer = run.life.turn.answer
    if answer is not None and is_unsent(run.life, progress):
        says = run.interview.answer(answer.text, answer.turn, answer.pressed, heard_unsurely(answer.words))
    elif progress.turn < 0 and not progress.cut_off:
        says = run.interview.begin()
    else:
        says = _after_feedback(run, run.interview.resume(released=released))
    async for say in says:
        yield say
    if await run.interview.waits_for_review():
        async for say in after_review(run):
            yield say
