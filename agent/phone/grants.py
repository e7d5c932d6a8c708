"""Grants: what a PIN stands for, which is a wish for an interview, and for how long it does."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from agent.interviews.creation import Wish

GrantState = Literal["early", "valid", "used", "expired"]
"""Whether a PIN counts: not yet, now, no more since an interview was begun with it, or since its time is over."""

_WISH = TypeAdapter(Wish)


@dataclass(frozen=True, slots=True)
class PinGrant:
    """What a PIN stands for. Times are in seconds since the epoch."""

    id: str
    """Of the grant; nobody gets in by it."""
    wish: Wish
    """What the interview is to be like."""
    once: bool
    """It is good for one interview."""
    valid_from: float | None
    valid_until: float | None
    """None: for as long as it is not revoked."""
    issued_at: float
    used_at: float | None = None
    """When the last interview was begun with it."""
    interview_id: str | None = None
    """The last interview that was begun with it."""

    def state(self, now: float) -> GrantState:
        """Whether the PIN counts now, for a new interview."""
        if self.once and self.used_at is not None:
            return "used"
        if self.valid_until is not None and now >= self.valid_until:
            return "expired"
        return "early" if self.valid_from is not None and now < self.valid_from else "valid"


def grant_of(row: sqlite3.Row) -> PinGrant:
    """A grant as it lies in the database."""
    return PinGrant(
        id=row["id"],
        wish=_WISH.validate_json(row["wish"]),
        once=bool(row["once"]),
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        issued_at=row["issued_at"],
        used_at=row["used_at"],
        interview_id=row["interview_id"],
    )


def wish_as_json(wish: Wish) -> str:
    """A wish as it lies in the database."""
    return _WISH.dump_json(wish).decode()
