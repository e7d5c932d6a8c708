"""Release of a turn that a person was asked to look at: another process records it, and the interview goes on."""

from __future__ import annotations

import asyncio

from domain.events import ReviewReleased
from review import RecordStore

_POLL_S = 1.0


async def wait_for_release(store: RecordStore, interview_id: str, turn: int) -> None:
    """Wait until the record says that a person has looked at this turn."""
    seen, released = 0, False
    while not released:
        # Another process writes it, so there is nothing to be told by.
        await asyncio.sleep(_POLL_S)
        new = await asyncio.to_thread(store.events, interview_id, seen)
        seen = new[-1].seq if new else seen
        released = any(isinstance(each.event, ReviewReleased) and each.event.turn == turn for each in new)
