"""The interview's record, followed from outside while it grows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.rehearsal.viva_api import VivaApi, VivaApiError
from review.events import Event

LOOK_S = 1.0
MOST_FAILURES = 20
"""Polls in a row that may fail: the web process may be starting again."""


class FollowedRecord:
    """What an interview's record held at the last look."""

    def __init__(self, api: VivaApi, interview_id: str) -> None:
        self.events: list[Event] = []
        self._api = api
        self._interview_id = interview_id
        self._last_seq = 0
        self._failures = 0

    def last(self, kind: str) -> Event | None:
        """The latest event of a kind."""
        return next((event for event in reversed(self.events) if event.kind == kind), None)

    async def look(self) -> None:
        """Read what is new.

        Raises:
            VivaApiError: the record could not be read for a while.

        """
        try:
            new = await self._api.events(self._interview_id, after=self._last_seq)
        except VivaApiError:
            self._failures += 1
            if self._failures > MOST_FAILURES:
                raise
            return
        self._failures = 0
        self.events += [stored.event for stored in new]
        self._last_seq = max([self._last_seq, *(stored.seq for stored in new)])

    async def wait_for(self, kind: str, on_new: Callable[[Event], None] = lambda _event: None) -> None:
        """Look once a second until an event of a kind is there; use it with a timeout."""
        while self.last(kind) is None:
            known = len(self.events)
            await self.look()
            for event in self.events[known:]:
                on_new(event)
            if self.last(kind) is None:
                await asyncio.sleep(LOOK_S)

    async def look_again(self) -> None:
        """Read everything once more: how answers were judged is told only when the interview has ended.

        Raises:
            VivaApiError: the record could not be read.

        """
        self.events[:] = [stored.event for stored in await self._api.events(self._interview_id)]
