"""Booking store: calls that Viva makes at a time that somebody booked."""

from __future__ import annotations

import re
import secrets
import sqlite3
from dataclasses import asdict
from pathlib import Path

from agent.phone.database import PhoneDatabase
from agent.phone.grants import PinGrant, grant_of
from agent.phone.schedule import Booking, begun, is_due, looked_at

MOST_WAITING = 100
FARTHEST_S = 366 * 24 * 3600.0
_KEPT_S = 7 * 24 * 3600.0
"""How long it is listed what became of a booking."""
_NUMBER = re.compile(r"[0-9A-Za-z*#+][0-9A-Za-z*#+._-]{0,63}")
_BETWEEN_DIGITS = re.compile(r"[\s()/.-]")


class BookingError(ValueError):
    """A call that cannot be booked; the sentence says why."""


class BookingStore:
    """All booked calls of this installation. Any thread may use it.

    Args:
        path: the SQLite file, the same as of the PINs.

    Raises:
        PhoneStoreError: by every call, when the file cannot be used; then nothing was changed.
    """

    def __init__(self, path: Path) -> None:
        self._database = PhoneDatabase(path)

    def book(self, number: str, account: str, at: float, grant_id: str, *, now: float) -> Booking:
        """Book a call.

        Args:
            number: as people write it.
            account: extension by which it is called; empty: the first of the settings.
            at: when, in seconds since the epoch.
            grant_id: of the PIN that it stands for.
            now: seconds since the epoch.

        Raises:
            BookingError: its time has passed or is too far off, or too many are booked.
        """
        check_time(at, now)
        booking = Booking(secrets.token_hex(4), dialled(number), account, at, grant_id, booked_at=now, look_at=at)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM bookings WHERE at < ?", (now - _KEPT_S,))
            waiting = connection.execute("SELECT count(*) FROM bookings WHERE state = 'waiting'").fetchone()[0]
            if waiting >= MOST_WAITING:
                raise BookingError(f"{MOST_WAITING} calls are booked already. Cancel some first.")
            _keep(connection, booking)
        return booking

    def bookings(self) -> list[tuple[Booking, PinGrant | None]]:
        """All of them, the soonest first, each with what its PIN stands for; None where that is gone."""
        with self._database.reading() as connection:
            return _all(connection)

    def cancel(self, booking_id: str) -> bool:
        """Cancel a call; False when there is none of that id that could still be made."""
        with self._database.writing() as connection:
            done = connection.execute(
                "UPDATE bookings SET state = 'cancelled', why = 'It was cancelled.' WHERE id = ? AND state = 'waiting'",
                (booking_id,),
            )
            return done.rowcount > 0

    def look(self, now: float) -> tuple[list[Booking], list[Booking]]:
        """Bring all of them up to date.

        Returns:
            Those that are to be called now, which count as being called from here on; and those that came to nothing
            since the last look: missed, given up, or not heard.
        """
        due, came_to_nothing = [], []
        with self._database.writing() as connection:
            for before, grant in _all(connection):
                after = looked_at(before, grant, now)
                if is_due(after, now):
                    after = begun(after, now)
                    due.append(after)
                elif after != before and after.state in {"missed", "given-up", "unheard"}:
                    came_to_nothing.append(after)
                if after != before:
                    _keep(connection, after)
        return due, came_to_nothing

    def keep(self, booking: Booking) -> None:
        """Write down what became of a call that was being made; not when the booking is gone meanwhile."""
        with self._database.writing() as connection:
            if connection.execute(
                "SELECT 1 FROM bookings WHERE id = ? AND state = 'calling'", (booking.id,)
            ).fetchone():
                _keep(connection, booking)


def dialled(number: str) -> str:
    """What is dialled for a number as people write it: without what stands between its digits.

    Raises:
        BookingError: nothing that can be dialled.
    """
    plain = _BETWEEN_DIGITS.sub("", number.strip())
    if not re.fullmatch(r"\+?[0-9*#]{1,63}", plain):
        plain = number.strip()
    if not _NUMBER.fullmatch(plain):
        raise BookingError("A number may have digits, letters, * # + . _ and -, such as +49 30 1234 or an extension.")
    return plain


def check_time(at: float, now: float) -> None:
    """Make sure that a call can be booked for a time.

    Raises:
        BookingError: it has passed, or is too far off.
    """
    if at <= now:
        raise BookingError("That time has passed. Book a later one.")
    if at > now + FARTHEST_S:
        raise BookingError("That is more than a year off. Book an earlier time.")


def _all(connection: sqlite3.Connection) -> list[tuple[Booking, PinGrant | None]]:
    grants = {row["id"]: grant_of(row) for row in connection.execute("SELECT * FROM grants")}
    found = [Booking(**dict(row)) for row in connection.execute("SELECT * FROM bookings ORDER BY at, id")]
    return [(each, grants.get(each.grant_id)) for each in found]


def _keep(connection: sqlite3.Connection, booking: Booking) -> None:
    values = asdict(booking)
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT OR REPLACE INTO bookings ({names}) VALUES ({places})", values)  # noqa: S608 (ours)
