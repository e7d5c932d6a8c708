"""Booking of an interview: a call, and the PIN that stands for what the interview is to be.

Each booked call has a PIN: whoever is cut off, or missed the call, calls Viva themselves and types it.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.interviews.creation import Wish
from agent.phone.bookings import BookingError, BookingStore, check_time, dialled
from agent.phone.database import PhoneStoreError
from agent.phone.grants import PinGrant
from agent.phone.pins import open_pins
from agent.phone.schedule import Booking
from agent.settings import Settings

_AFTER_CALL_S = 24 * 3600.0
"""How long the PIN of a booked call counts after its time."""


@dataclass(frozen=True, slots=True)
class CallWish:
    """Whom to call, and when."""

    number: str
    """As people write it."""
    account: str
    """Extension by which they are called; empty: the first of the settings."""
    at: float
    """Seconds since the epoch."""


def book(settings: Settings, wish: Wish, call: CallWish, now: float) -> tuple[str, Booking, PinGrant]:
    """Book a call for an interview.

    Args:
        settings: the settings in force.
        wish: what the interview is to be, as `settled` returned it.
        call: whom to call, and when.
        now: seconds since the epoch.

    Returns:
        The PIN, which is told here and never again; the booking; and what the PIN stands for.

    Raises:
        BookingError, PinError: it cannot be booked; nothing was kept.
        PhoneStoreError, SettingsError: it cannot be kept.
    """
    dialled(call.number)
    check_time(call.at, now)
    pins = open_pins(settings)
    pin, grant = pins.issue(wish, once=True, valid_from=None, valid_until=call.at + _AFTER_CALL_S, now=now)
    try:
        booking = BookingStore(settings.phone_path).book(call.number, call.account, call.at, grant.id, now=now)
    except (BookingError, PhoneStoreError):
        pins.revoke(grant.id)
        raise
    return pin, booking, grant


def book_with_pin(settings: Settings, pin: str, call: CallWish, now: float) -> tuple[Booking, PinGrant]:
    """Book a call for what a PIN stands for. Only for whoever hosts Viva: no wrong PIN is counted.

    Raises:
        BookingError: there is no such PIN, it does not count then, or the call cannot be booked.
        PhoneStoreError, SettingsError: it cannot be kept.
    """
    grant = open_pins(settings).of_pin(pin)
    if grant is None:
        raise BookingError("There is no such PIN. 'viva pin list' names those there are, by their ids.")
    match grant.state(call.at):
        case "early":
            raise BookingError("The PIN does not count yet at that time.")
        case "expired":
            raise BookingError("The PIN does not count any more at that time.")
        case "used":
            raise BookingError("The PIN was used up before.")
    return BookingStore(settings.phone_path).book(call.number, call.account, call.at, grant.id, now=now), grant
