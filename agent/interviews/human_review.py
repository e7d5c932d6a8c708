"""Human review: an interview waits until a person has looked at a turn; another process records their release."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from agent.interviews.life_events import Released, Waits
from domain.events import ReviewReleased
from review import RecordStore

if TYPE_CHECKING:
    from agent.interviews.run_state import RunState
    from domain.say import Say

_POLL_S = 1.0


async def after_review(run: RunState) -> AsyncGenerator[Say, None]:
    """Ask for patience, and go on when a person has looked at the turn."""
    run.on(Waits())
    if run.hooks.ask_patience is None or run.hooks.released is None:
        return
    yield run.hooks.ask_patience(run.turn)
    await run.hooks.released(run.turn)
    run.on(Released())
    async for say in run.interview.resume(released=True):
        yield say


async def wait_for_release(store: RecordStore, interview_id: str, turn: int) -> None:
    """Wait until the record says that a person has looked at this turn."""
    seen, released = 0, False
    while not released:
        # Another process writes it, so there is nothing to be told by.
        await asyncio.sleep(_POLL_S)
        new = await asyncio.to_thread(store.events, interview_id, seen)
        seen = new[-1].seq if new else seen
        released = any(isinstance(each.event, ReviewReleased) and each.event.turn == turn for each in new)
