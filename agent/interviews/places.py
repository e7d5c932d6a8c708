"""Places: whether there is a place for one more interview by voice, in a browser or on the phone.

On two cores two interviews at once answer as soon as one (1.06 times its 95th percentile), and four take 2.5 times as
long (docs/voice.md): who would make everybody wait is told so before they have begun.
"""

from __future__ import annotations

import os

from agent.settings import Settings
from review import RecordStore

GONE_AFTER_S = 150.0
"""An interview in which nothing has happened for so long has lost its interviewer, and takes no place. Silence is
broken sooner, and whoever left the room has ended it after `away_timeout_s`."""


def places(settings: Settings) -> int:
    """How many interviews by voice may go on at once."""
    return settings.interviews_at_once or os.cpu_count() or 1


def taken_places(store: RecordStore, now: float) -> int:
    """How many go on.

    Args:
        store: the record.
        now: seconds since the epoch.

    Raises:
        RecordError: the record cannot be read.
    """
    return sum(
        each.medium != "text" and each.status == "running" and now - each.last_at < GONE_AFTER_S
        for each in store.unended()
    )
