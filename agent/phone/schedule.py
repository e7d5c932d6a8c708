"""Schedule of booked calls: which are to be made, when one is tried again, and what became of it. Pure.

waiting ──its time──▶ calling ──somebody picks up──▶ answered ──an interview begins──▶ held
   ▲ │                   │                               └──no key was pressed──▶ unheard
   │ └─ Viva was not running then ─▶ missed
   └──busy, nobody there─┘ ──three times, or half an hour later──▶ given-up

A call comes when it was booked or not at all: who booked half past eight does not want to be woken at night because
Viva was started then. Who picked up and pressed nothing, or declined, is not called again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from agent.phone.grants import PinGrant

BookingState = Literal["waiting", "calling", "answered", "held", "unheard", "missed", "given-up", "cancelled"]

LATE_S = 600.0
"""A first call may be so late; after that it is missed."""
TRIES = 3
AGAIN_AFTER_S = 300.0
"""Between two tries."""
LAST_S = 1800.0
"""No try is so long after the booked time."""
RINGS_S = 180.0
"""A call that is neither answered nor refused by then was cut off: its process is gone."""
SETTLED_S = 300.0
"""Who has picked up has an interview by then, or has pressed no key."""

_WORTH_ANOTHER_TRY = frozenset({"busy", "no-answer", "unreachable", "failed"})


@dataclass(frozen=True, slots=True)
class Booking:
    """A call that was booked. Times are in seconds since the epoch."""

    id: str
    number: str
    """What is dialled."""
    account: str
    """Extension by which it is called; empty: the first of the settings."""
    at: float
    grant_id: str
    """Of the PIN that it stands for."""
    booked_at: float
    state: BookingState = "waiting"
    tries: int = 0
    called_at: float = 0.0
    """When it was called last."""
    look_at: float = 0.0
    """When there is something to do about it, if nothing happens before."""
    why: str = ""
    """What became of it, in a sentence."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will come of it any more."""
        return self.state not in {"waiting", "calling", "answered"}


def is_due(booking: Booking, now: float) -> bool:
    """Whether somebody is to be called now."""
    return booking.state == "waiting" and now >= booking.look_at


def looked_at(booking: Booking, grant: PinGrant | None, now: float) -> Booking:
    """The booking as it stands now; the same one when nothing has become of it.

    Args:
        booking: as it was.
        grant: what its PIN stands for; None when that was revoked.
        now: seconds since the epoch.
    """
    match booking.state:
        case "waiting":
            return _waiting(booking, grant, now)
        case "calling" | "answered" if grant and (grant.used_at or 0.0) >= booking.called_at:
            return replace(booking, state="held", why="An interview was begun.")
        case "calling" if now >= booking.look_at:
            return after_call(booking, "failed", "Viva was stopped while it rang.", now)
        case "answered" if now >= booking.look_at:
            return replace(booking, state="unheard", why="It was answered, and no key was pressed.")
        case _:
            return booking


def begun(booking: Booking, now: float) -> Booking:
    """The booking while it rings."""
    return replace(booking, state="calling", tries=booking.tries + 1, called_at=now, look_at=now + RINGS_S)


def after_call(booking: Booking, outcome: str, sentence: str, now: float) -> Booking:
    """The booking after a try.

    Args:
        booking: while it rang.
        outcome: `answered`, or why not, in the words of the line.
        sentence: the same for people.
        now: seconds since the epoch.
    """
    if outcome == "answered":
        return replace(booking, state="answered", look_at=now + SETTLED_S, why="")
    again_at = now + AGAIN_AFTER_S
    if outcome in _WORTH_ANOTHER_TRY and booking.tries < TRIES and again_at <= booking.at + LAST_S:
        return replace(booking, state="waiting", look_at=again_at, why=sentence)
    return replace(booking, state="given-up", why=sentence)


def _waiting(booking: Booking, grant: PinGrant | None, now: float) -> Booking:
    if grant is None:
        return replace(booking, state="cancelled", why="Its PIN was revoked.")
    match grant.state(now):
        case "used":
            return replace(booking, state="cancelled", why="An interview was begun with its PIN before.")
        case "expired":
            return replace(booking, state="cancelled", why="Its PIN has expired.")
    if booking.tries == 0 and now > booking.at + LATE_S:
        return replace(booking, state="missed", why="Viva was not running at that time, and does not call later.")
    if booking.tries > 0 and now > booking.at + LAST_S:
        return replace(booking, state="given-up", why=booking.why)
    return booking
