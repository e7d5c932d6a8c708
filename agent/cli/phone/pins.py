"""PINs on the command line, `viva pin`: made, listed, revoked."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from datetime import datetime

from rich.console import Console
from rich.table import Table

from agent.cli.errors import FAILED
from agent.cli.phone.times import shown
from agent.interviews.creation import Wish
from agent.phone.grants import PinGrant
from agent.phone.issuing import number_to_dial
from agent.phone.pins import open_pins
from agent.settings import Settings


@dataclass(frozen=True, slots=True)
class _Listed:
    """A PIN as it is printed as JSON: without the documents that were given for it."""

    id: str
    state: str
    candidate_name: str
    pack: str
    minutes: int
    pace: float
    mode: str | None
    once: bool
    valid_from: float | None
    valid_until: float | None
    used_at: float | None
    interview_id: str | None


def make_pin(
    settings: Settings,
    wish: Wish,
    *,
    once: bool,
    valid_from: float | None,
    valid_until: float | None,
    now: datetime,
    as_json: bool,
) -> int:
    """Issue a PIN and print it, the only time that it is shown; the exit code.

    Raises:
        PinError: it cannot be issued.
        PhoneStoreError: it cannot be kept.
    """
    pin, grant = open_pins(settings).issue(
        wish, once=once, valid_from=valid_from, valid_until=valid_until, now=now.timestamp()
    )
    if as_json:
        made = {"pin": pin, "number": number_to_dial(settings), **asdict(_listed(grant, now))}
        sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
        return 0
    dial = f"Call {number_to_dial(settings) or 'Viva'}, type"
    often = "for one interview" if once else "for any number of interviews"
    from_when = f" from {shown(valid_from, now)}" if valid_from is not None else ""
    sys.stdout.write(
        f"PIN {pin} ({grant.id})\n"
        f"{dial} the PIN and press the hash key (#). It counts {often}{from_when} until {shown(valid_until, now)}, and "
        "is not shown again.\n"
        f"It stands for: {described(wish)}.\n"
    )
    if not number_to_dial(settings):
        sys.stdout.write("There is no number to call yet: set phone = true and start Viva, or set phone_number.\n")
    return 0


def list_pins(settings: Settings, *, now: datetime, as_json: bool) -> int:
    """Print what PINs there are, never the digits; the exit code.

    Raises:
        PhoneStoreError: they cannot be read.
    """
    grants = open_pins(settings).grants(now.timestamp())
    if as_json:
        listed = [asdict(_listed(each, now)) for each in grants]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False, indent=2) + "\n")
        return 0
    if not grants:
        sys.stdout.write("There are no PINs. 'viva pin new' makes one.\n")
        return 0
    table = Table("id", "state", "stands for", "good for", "from", "until", "interview", box=None, pad_edge=False)
    for each in grants:
        good_for = "one" if each.once else "any number"
        until = shown(each.valid_until, now)
        from_when = shown(each.valid_from, now)
        table.add_row(
            each.id,
            each.state(now.timestamp()),
            described(each.wish),
            good_for,
            from_when,
            until,
            each.interview_id or "",
        )
    Console(highlight=False, markup=False).print(table)
    return 0


def revoke_pin(settings: Settings, which: str) -> int:
    """Revoke a PIN by its id or its digits; the exit code.

    Raises:
        PhoneStoreError: it cannot be deleted.
    """
    pins = open_pins(settings)
    by_digits = pins.of_pin(which) if which.isdecimal() else None
    if not pins.revoke(by_digits.id if by_digits else which):
        # What was typed may be somebody's PIN.
        sys.stderr.write("There is no such PIN. 'viva pin list' names those there are, by their ids.\n")
        return FAILED
    sys.stdout.write("Revoked. Nobody gets in by that PIN any more.\n")
    return 0


def described(wish: Wish) -> str:
    """An interview in a few words."""
    about = f"{wish.pack}, about the résumé" if wish.mode == "resume" else wish.pack
    exam = ", exam" if wish.feedback == "exam" else ""
    pace = f", pace {wish.pace:g}" if wish.pace != 1 else ""
    return f"{wish.candidate_name}, {about}, {wish.minutes} minutes{exam}{pace}"


def _listed(grant: PinGrant, now: datetime) -> _Listed:
    return _Listed(
        id=grant.id,
        state=grant.state(now.timestamp()),
        candidate_name=grant.wish.candidate_name,
        pack=grant.wish.pack,
        minutes=grant.wish.minutes,
        pace=grant.wish.pace,
        mode=grant.wish.mode,
        once=grant.once,
        valid_from=grant.valid_from,
        valid_until=grant.valid_until,
        used_at=grant.used_at,
        interview_id=grant.interview_id,
    )
