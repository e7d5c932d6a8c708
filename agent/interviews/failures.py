"""Failures of a run: how far each piece of work came, and what becomes of a turn that fails."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from agent.interviews.failed_turn import FailedTurn
from agent.interviews.life_events import Called, Failed, Finished, GivenUp, Said, Stopped
from domain.events import ProblemNoticed, TurnVoided

if TYPE_CHECKING:
    from agent.interviews.run_state import RunState
    from domain.say import Say

_log = logging.getLogger(__name__)

_MAX_FAILURES = 3
"""Turns that may fail in a row before the interviewer gives up: a fourth apology helps nobody."""


async def despite_failure(run: RunState, says: AsyncIterator[Say]) -> AsyncGenerator[Say, None]:
    """The edge of the interview: whatever fails, the candidate must not sit in silence."""
    moved_on = False
    try:
        async with aclosing(followed(run, says)) as watched:
            async for say in watched:
                moved_on = moved_on or say.kind in ("question", "closing")
                yield say
    except Exception as error:  # noqa: BLE001 - see above
        failed = await fail(run, error, moved_on=moved_on)
        if failed.say is not None:
            run.on(Said(run.life.work, failed.say.kind))
            yield failed.say


async def followed(run: RunState, says: AsyncIterator[Say]) -> AsyncGenerator[Say, None]:
    """Pass on what is said, and keep what becomes of it."""
    run.on(Called())
    work = run.life.work
    try:
        async with aclosing(says) as each:  # type: ignore[type-var]
            async for say in each:
                run.on(Said(work, say.kind))
                yield say
    except Exception:
        raise
    except BaseException:
        run.on(Stopped(work))
        raise
    run.on(Finished(work))


async def fail(run: RunState, error: Exception, *, again: bool = True, moved_on: bool = False) -> FailedTurn:
    """A turn failed: it is recorded, not scored, and given up where it cannot be tried again.

    Args:
        run: the interview.
        error: what was raised.
        again: it was tried before.
        moved_on: the next question or the goodbye was said before it failed.
    """
    _log.error("turn %d failed", run.turn, exc_info=error)
    was_open = run.life.turn.is_open
    run.on(Failed())
    failed = FailedTurn(run.turn, error, retry=True)
    if again or not run.driver.manners.retries:
        failed = await _give_up(run, error, was_open=was_open, moved_on=moved_on)
    account = run.driver.tell(failed)
    run.record(ProblemNoticed(at=run.driver.clock(), what=account.what, advice=account.advice))
    return failed


async def _give_up(run: RunState, error: Exception, *, was_open: bool, moved_on: bool) -> FailedTurn:
    """Take the turn back, and find what to say; nothing when what follows it was said before it failed."""
    turn, stuck, waits = run.turn, None, run.driver.manners.retries
    try:
        lost = await run.interview.give_up_turn(turn)
        progress = await run.interview.progress()
        if lost is None and was_open and (progress.cut_off or progress.waits_for_review):
            # The greeting had failed as well: there is no finished turn to go back to, only what was before this.
            await run.interview.take_back(run.life.turn.before)
            lost = turn
    except Exception as second:  # noqa: BLE001 - whatever fails, the candidate must be told
        _log.exception("turn %d could not be taken back", turn)
        stuck, lost = second, turn if was_open and not (moved_on or waits) else None
    if not (stuck and waits):
        run.on(GivenUp(lost))
    if lost is not None:
        run.record(TurnVoided(at=run.driver.clock(), turn=lost))
    say = None
    if not waits and not (moved_on and lost is None):
        # Where it could not be taken back, what comes next would be judged by a question that nobody heard.
        # Whoever wants to go may go.
        hopeless = stuck is not None or run.life.failures >= _MAX_FAILURES or run.life.ends is not None
        say = await run.interview.after_trouble(give_up=hopeless)
    return FailedTurn(turn, error, lost=lost, stuck=stuck, say=say)
