"""Abandoned interviews: nobody will ever end them, so they are ended here, each after its medium's time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass

from domain.events import InterviewEnded
from domain.vocabulary import EndReason, Medium
from review import RecordError, RecordStore

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Abandonment:
    """When an interview of a medium counts as abandoned."""

    quiet_s: float
    """How long nothing must have happened in it, in seconds."""
    reason: EndReason
    """Why it ends then."""
    only_begun: bool
    """One that never began is left alone: its candidate may still come."""


ABANDONED: dict[Medium, Abandonment] = {
    # Everything was stopped while it ran, and nobody came back into its room.
    "voice": Abandonment(quiet_s=600.0, reason="failed", only_begun=True),
    # The line was lost, or they hung up, and they did not call again.
    "phone": Abandonment(quiet_s=900.0, reason="candidate_left", only_begun=False),
    # It has no room to be missed in: the candidate may come back the next morning.
    "text": Abandonment(quiet_s=24 * 3600.0, reason="candidate_left", only_begun=False),
}


def end_abandoned(
    store: RecordStore,
    medium: Medium,
    live: Collection[str],
    clock: Callable[[], float],
    *,
    quiet_s: float | None = None,
    on_ended: Callable[[str], None] = lambda _: None,
) -> int:
    """End the interviews of a medium that nobody went on with; how many there were.

    Args:
        store: the record.
        medium: another process looks after those of others.
        live: ids of interviews that go on.
        clock: seconds since the epoch.
        quiet_s: how long nothing must have happened in one, in seconds; None: as it is for the medium.
        on_ended: told the id of each that was ended.

    Raises:
        RecordError: the record could not be read.
    """
    limit = ABANDONED[medium]
    ended = 0
    for left in store.unended():
        if left.medium != medium or left.id in live or (limit.only_begun and left.status != "running"):
            continue
        if clock() - left.last_at > (limit.quiet_s if quiet_s is None else quiet_s):
            end = InterviewEnded(at=left.last_at if left.is_virtual else clock(), reason=limit.reason)
            if _ended(store, left.id, end):
                ended += 1
                on_ended(left.id)
    return ended


def _ended(store: RecordStore, interview_id: str, end: InterviewEnded) -> bool:
    """End an interview; False when that failed, which keeps no other from being ended."""
    try:
        store.append(interview_id, end)
    except RecordError as error:
        _log.error("an interview that was left could not be ended, and is tried again later: %s", error)
        return False
    return True
