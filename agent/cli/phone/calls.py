"""Booked calls on the command line, `viva call` and `viva booking`."""

from __future__ import annotations

import json
import sys
from datetime import datetime

from rich.console import Console
from rich.table import Table

from agent.cli.errors import FAILED
from agent.cli.phone.pins import described
from agent.cli.phone.times import shown
from agent.interviews.creation import Wish
from agent.phone.booking_wishes import CallWish, book, book_with_pin
from agent.phone.bookings import BookingStore
from agent.phone.grants import PinGrant
from agent.phone.schedule import Booking
from agent.settings import Settings


def book_call(settings: Settings, call: CallWish, of: Wish | str, *, now: datetime, as_json: bool) -> int:
    """Book a call and print what was booked; the exit code.

    Args:
        settings: the settings in force.
        call: whom, and when.
        of: what the interview is to be, or the PIN that stands for it.
        now: with the zone in which times are printed.
        as_json: for programs.

    Raises:
        BookingError, PinError: it cannot be booked.
        PhoneStoreError: it cannot be kept.
    """
    if isinstance(of, Wish):
        pin, booking, grant = book(settings, of, call, now.timestamp())
    else:
        pin, (booking, grant) = "", book_with_pin(settings, of, call, now.timestamp())
    if as_json:
        made = _as_json(booking, grant) | ({"pin": pin} if pin else {})
        sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
        return 0
    when, what = shown(booking.at, now), described(grant.wish)
    sys.stdout.write(f"Booked ({booking.id}): Viva calls {booking.number} at {when}, for {what}.\n")
    if pin:
        sys.stdout.write(
            f"PIN {pin}: if the line breaks, or the call is missed, call Viva and type it, until "
            f"{shown(grant.valid_until, now)}. It is not shown again.\n"
        )
    if not settings.phone:
        sys.stdout.write("The phone line is off. Set phone = true and start Viva, or nobody is called.\n")
    return 0


def list_bookings(settings: Settings, *, now: datetime, as_json: bool) -> int:
    """Print the booked calls and what became of them; the exit code.

    Raises:
        PhoneStoreError: they cannot be read.
    """
    found = BookingStore(settings.phone_path).bookings()
    if as_json:
        listed = [_as_json(booking, grant) for booking, grant in found]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False, indent=2) + "\n")
        return 0
    if not found:
        sys.stdout.write("No call is booked. 'viva call NUMBER --at TIME' books one.\n")
        return 0
    table = Table("id", "number", "at", "for", "state", "what became of it", box=None, pad_edge=False)
    for booking, grant in found:
        about = described(grant.wish) if grant else "-"
        table.add_row(booking.id, booking.number, shown(booking.at, now), about, booking.state, booking.why)
    Console(highlight=False, markup=False).print(table)
    return 0


def cancel_booking(settings: Settings, booking_id: str) -> int:
    """Cancel a booked call; the exit code.

    Raises:
        PhoneStoreError: it cannot be written.
    """
    if not BookingStore(settings.phone_path).cancel(booking_id):
        sys.stderr.write(f"No call {booking_id!r} waits to be made. 'viva booking list' names those that do.\n")
        return FAILED
    sys.stdout.write("Cancelled. Nobody is called; its PIN still counts, and 'viva pin list' has it.\n")
    return 0


def _as_json(booking: Booking, grant: PinGrant | None) -> dict[str, object]:
    return {
        "id": booking.id,
        "state": booking.state,
        "number": booking.number,
        "account": booking.account,
        "at": booking.at,
        "candidate_name": grant.wish.candidate_name if grant else None,
        "pin_id": booking.grant_id,
        "tries": booking.tries,
        "why": booking.why,
    }
