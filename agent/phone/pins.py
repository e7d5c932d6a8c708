"""PIN store: issues the PINs by which callers get their interviews, and tells what a typed one stands for.

A PIN is shown once, when it is issued. What is kept is a digest under the installation's secret: six digits could be
tried out by whoever has the file, and without the secret they cannot. No PIN, number or address is logged; those who
mistype are counted under digests as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.interviews.creation import Wish
from agent.phone.database import PhoneDatabase
from agent.phone.grants import PinGrant, grant_of, wish_as_json
from agent.phone.pin_tries import FORGOTTEN_AFTER_S, OF_ADDRESS, OF_CALLER, Allowance, Tries, counted, wait_s
from agent.settings import Settings
from domain.person import user_id_of
from review import RecordStore

_DAY_S = 24 * 3600.0
USUAL_LIFE_S = 7 * _DAY_S
"""How long a PIN counts when nothing else is said."""
_KEPT_S = _DAY_S
"""How long it is listed that a PIN was used up or has expired; then all of it is deleted."""
_GUESSES_A_PIN = 1000
"""There are at most as many PINs as make one guess in so many a hit."""
_DRAWS = 100

Doubt = Literal["wrong", "early", "late"]
"""Why a PIN does not count: there is none such, it is not valid yet, or it is used up or has expired."""
LastHeard = Callable[[str], float | None]
"""When something was last recorded of an interview, in seconds since the epoch; None when it is over or deleted."""


class PinError(ValueError):
    """A PIN that cannot be issued; the sentence says why."""


class PinsTakenError(PinError):
    """There are so many that one more could not be issued."""


@dataclass(frozen=True, slots=True)
class PinRefusal:
    """A PIN that does not count."""

    why: Doubt | Literal["barred"]
    """`barred`: it was not looked at, after too many wrong ones."""
    wait_s: float = 0.0
    """How long this caller's tries are refused from now on, in seconds; 0: another try may be made at once."""


class PinStore:
    """All PINs of this installation. Any thread may use it.

    Args:
        path: the SQLite file.
        secret: the installation's; with another one no PIN is right any more.
        last_heard: what the record says of an interview.
        digits: how many a new PIN has.
        again_s: for how long whoever was cut off may call again with a PIN that is used up, in seconds.

    Raises:
        PhoneStoreError: by every call, when the file cannot be used; then nothing was changed.
    """

    def __init__(
        self, path: Path, secret: str, *, last_heard: LastHeard, digits: int = 6, again_s: float = 900.0
    ) -> None:
        self._database = PhoneDatabase(path)
        self._secret = secret.encode()
        self._last_heard = last_heard
        self._digits = digits
        self._again_s = again_s

    def issue(
        self,
        wish: Wish,
        *,
        once: bool,
        valid_from: float | None,
        valid_until: float | None,
        now: float,
        by_host: bool = True,
    ) -> tuple[str, PinGrant]:
        """Make a PIN. It is told here and never again.

        Args:
            wish: what it stands for.
            once: for one interview; else for any number until it expires.
            valid_from: from when on it counts, in seconds since the epoch; None: from now on.
            valid_until: until when; None: until it is revoked.
            now: seconds since the epoch.
            by_host: whoever hosts Viva makes it. Others get half of all PINs, so that they leave the host some.

        Raises:
            PinError: it would never count, or there are so many that one could be guessed.
        """
        if valid_until is not None and valid_until <= max(now, valid_from or now):
            raise PinError("The PIN would never count: its end is before its beginning, or has passed.")
        grant = PinGrant(secrets.token_hex(4), wish, once, valid_from, valid_until, issued_at=now)
        with self._database.writing() as connection:
            _tidy(connection, now)
            most = 10**self._digits // _GUESSES_A_PIN // (1 if by_host else 2)
            if sum(each.state(now) in {"early", "valid"} for each in _all(connection)) >= most:
                raise PinsTakenError(
                    f"There are {most} PINs that count, and with more of them one could be guessed. Revoke some, or "
                    "set phone_pin_digits higher."
                )
            return self._drawn(connection, grant), grant

    def check(self, pin: str, *, caller: str, address: str, now: float) -> PinGrant | PinRefusal:
        """What a PIN stands for; a wrong one counts as a try.

        Args:
            pin: the digits.
            caller: the caller's number, as it says itself; empty when it is withheld.
            address: where the call came from; empty when that is not known.
            now: seconds since the epoch.
        """
        # Those who withhold their number are not one caller.
        counts = {self._digest("address", address): OF_ADDRESS}
        if caller:
            counts[self._digest("caller", caller)] = OF_CALLER
        with self._database.writing() as connection:
            _tidy(connection, now)
            if barred_s := _longest_wait_s(connection, counts, now):
                return PinRefusal("barred", barred_s)
            found = self._found(connection, pin, now)
            if isinstance(found, PinGrant):
                # Not the address's: whoever has one PIN could try on and on for another.
                connection.execute("DELETE FROM tries WHERE who = ?", (self._digest("caller", caller),))
                return found
            for who, allowance in counts.items():
                wrong = counted(_tries(connection, who), allowance, now)
                connection.execute("INSERT OR REPLACE INTO tries VALUES (?, ?, ?)", (who, wrong.wrong, wrong.last_at))
            return PinRefusal(found, _longest_wait_s(connection, counts, now))

    def take(self, grant_id: str, interview_id: str, now: float) -> bool:
        """Begin an interview with it. One for a single interview is gone then, except for calling again.

        False when another interview has taken it, or it was revoked, since it was looked at: of all who ask at once,
        one gets it.
        """
        with self._database.writing() as connection:
            taken = connection.execute(
                "UPDATE grants SET used_at = :now, interview_id = :interview_id WHERE id = :id "
                "AND (NOT once OR used_at IS NULL OR interview_id = :interview_id)",
                {"now": now, "interview_id": interview_id, "id": grant_id},
            )
            return taken.rowcount > 0

    def booked(self, booking_id: str) -> PinGrant | None:
        """What the interview is to be that somebody is being called for; None when the booking is gone."""
        query = (
            "SELECT grants.* FROM bookings JOIN grants ON grants.id = grant_id "
            "WHERE bookings.id = ? AND state IN ('calling', 'answered') AND NOT (once AND used_at IS NOT NULL)"
        )
        with self._database.reading() as connection:
            row = connection.execute(query, (booking_id,)).fetchone()
        return None if row is None else grant_of(row)

    def of_pin(self, pin: str) -> PinGrant | None:
        """What a PIN stood for when it was issued, whoever asks: only for whoever hosts Viva."""
        with self._database.reading() as connection:
            row = self._row(connection, pin)
        return None if row is None else grant_of(row)

    def grants(self, now: float) -> list[PinGrant]:
        """All that PINs stand for, the newest first."""
        with self._database.writing() as connection:
            _tidy(connection, now)
            return sorted(_all(connection), key=lambda each: each.issued_at, reverse=True)

    def revoke(self, grant_id: str) -> bool:
        """Delete a PIN; False when there is none of that id. Calls that are booked with it are not made any more."""
        with self._database.writing() as connection:
            return connection.execute("DELETE FROM grants WHERE id = ?", (grant_id,)).rowcount > 0

    def forget_person(self, user_id: str) -> int:
        """Delete every PIN of somebody, with what they gave for it, and the calls booked with it; how many PINs."""
        with self._database.writing() as connection:
            theirs = "SELECT id FROM grants WHERE user_id = ?"
            connection.execute(f"DELETE FROM bookings WHERE grant_id IN ({theirs})", (user_id,))  # noqa: S608 (ours)
            return connection.execute("DELETE FROM grants WHERE user_id = ?", (user_id,)).rowcount

    def forget_interview(self, interview_id: str) -> None:
        """Delete the PIN that an interview has used up; one that counts on forgets the interview."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM grants WHERE interview_id = ? AND once", (interview_id,))
            connection.execute("UPDATE grants SET interview_id = NULL WHERE interview_id = ?", (interview_id,))

    def _found(
        self, connection: sqlite3.Connection, pin: str, now: float
    ) -> PinGrant | Literal["wrong", "early", "late"]:
        row = self._row(connection, pin)
        if row is None:
            return "wrong"
        grant = grant_of(row)
        match grant.state(now):
            case "valid":
                return grant
            case "early":
                return "early"
            case _:
                return grant if self._was_cut_off(grant, now) else "late"

    def _was_cut_off(self, grant: PinGrant, now: float) -> bool:
        last = self._last_heard(grant.interview_id) if grant.interview_id else None
        return last is not None and now - last <= self._again_s

    def _drawn(self, connection: sqlite3.Connection, grant: PinGrant) -> str:
        """A PIN that no other grant has; the grant is kept under it."""
        values = (
            wish_as_json(grant.wish),
            user_id_of(grant.wish.user_id or grant.wish.candidate_name),
            grant.once,
            grant.valid_from,
            grant.valid_until,
            grant.issued_at,
        )
        for _ in range(_DRAWS):
            pin = f"{secrets.randbelow(10**self._digits):0{self._digits}}"
            with contextlib.suppress(sqlite3.IntegrityError):
                connection.execute(
                    "INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                    (grant.id, self._digest("pin", pin), *values),
                )
                return pin
        raise PinsTakenError("No PIN is free. Revoke some, or set phone_pin_digits higher.")

    def _row(self, connection: sqlite3.Connection, pin: str) -> sqlite3.Row | None:
        row: sqlite3.Row | None = connection.execute(
            "SELECT * FROM grants WHERE pin = ?", (self._digest("pin", pin),)
        ).fetchone()
        return row

    def _digest(self, what: str, text: str) -> bytes:
        return hmac.new(self._secret, f"phone {what}:{text}".encode(), hashlib.sha256).digest()


def open_pins(settings: Settings) -> PinStore:
    """The PINs of these settings.

    Raises:
        SettingsError: the installation's secret cannot be read or written.
    """

    def last_heard(interview_id: str) -> float | None:
        with contextlib.closing(RecordStore(settings.record_path)) as record:
            return next((each.last_at for each in record.unended() if each.id == interview_id), None)

    return PinStore(
        settings.phone_path,
        settings.livekit_secret,
        last_heard=last_heard,
        digits=settings.phone_pin_digits,
        again_s=settings.phone_call_again_s,
    )


def _all(connection: sqlite3.Connection) -> list[PinGrant]:
    return [grant_of(row) for row in connection.execute("SELECT * FROM grants")]


def _tries(connection: sqlite3.Connection, who: bytes) -> Tries:
    row = connection.execute("SELECT wrong, last_at FROM tries WHERE who = ?", (who,)).fetchone()
    return Tries() if row is None else Tries(row["wrong"], row["last_at"])


def _longest_wait_s(connection: sqlite3.Connection, counts: dict[bytes, Allowance], now: float) -> float:
    return max(wait_s(_tries(connection, who), allowance, now) for who, allowance in counts.items())


def _tidy(connection: sqlite3.Connection, now: float) -> None:
    """Delete what is of no use any more."""
    connection.execute(
        "DELETE FROM grants WHERE valid_until < :then OR (once AND used_at < :then)", {"then": now - _KEPT_S}
    )
    connection.execute("DELETE FROM tries WHERE last_at < ?", (now - FORGOTTEN_AFTER_S,))
