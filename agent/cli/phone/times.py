"""Times as they are typed: of day, of a date, or from now on."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

ACCEPTED = "08:30, 2026-12-01, 2026-12-01T08:30, or from now on +45m, +2h, +7d"
_FROM_NOW = re.compile(r"\+(\d{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class TimeError(ValueError):
    """A time that cannot be read; the sentence says what can."""


def moment(text: str, now: datetime, *, ends: bool = False) -> float:
    """What somebody means, in seconds since the epoch.

    Args:
        text: as they typed it. A time of day is the next one; a time without a zone is one of `now`'s.
        now: with its zone.
        ends: something ends then: a date means all of that day.

    Raises:
        TimeError: it cannot be read.
    """
    said = text.strip()
    if found := _FROM_NOW.fullmatch(said):
        return (now + timedelta(**{_UNITS[found[2]]: int(found[1])})).timestamp()
    try:
        if re.fullmatch(r"\d{1,2}:\d{2}", said):
            of_day = datetime.combine(now.date(), time.fromisoformat(said.zfill(5)), now.tzinfo)
            return (of_day if of_day > now else of_day + timedelta(days=1)).timestamp()
        meant = datetime.fromisoformat(said)
    except ValueError:
        raise TimeError(f"{said!r} is no time. Accepted are {ACCEPTED}.") from None
    if ends and len(said) <= len("2026-12-01"):
        meant += timedelta(days=1)
    return (meant if meant.tzinfo else meant.replace(tzinfo=now.tzinfo)).timestamp()


def shown(at: float | None, now: datetime) -> str:
    """A time for people, in their own zone; a dash for none."""
    if at is None:
        return "-"
    return datetime.fromtimestamp(at, now.tzinfo).strftime("%Y-%m-%d %H:%M")
