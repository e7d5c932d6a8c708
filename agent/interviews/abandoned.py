"""What is done regularly for all interviews by text."""

from __future__ import annotations

from collections.abc import Callable, Collection

from domain.events import InterviewEnded
from review import RecordStore

ABANDONED_S = 24 * 3600.0
"""An interview by text that nobody went on with for so long has been left by its candidate."""


def end_left_interviews(store: RecordStore, live: Collection[str], clock: Callable[[], float]) -> int:
    """End interviews by text that nobody went on with for a day; how many there were.

    Raises:
        RecordError: the record could not be read or written.
    """
    ended_now = 0
    for left in store.unended():
        if left.medium == "text" and left.id not in live and clock() - left.last_at > ABANDONED_S:
            at = left.last_at if left.is_virtual else clock()
            store.append(left.id, InterviewEnded(at=at, reason="candidate_left"))
            ended_now += 1
    return ended_now
