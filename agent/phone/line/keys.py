"""Keys: digits pressed on a telephone, each once, however it tells of them (RFC 4733 packets, SIP INFO, or both)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent.phone.line.frames import later_by

DIGITS = "0123456789*#ABCD"
"""By their event codes (RFC 4733, table 3)."""
Way = Literal["RTP", "INFO"]

_EVENT_BYTES = 4
_SAME_KEY = 400
"""Timestamp units (50 ms) within which a packet that follows is the same key held down, told in a new segment."""
_BOTH_WAYS_S = 0.5
"""A telephone that tells in both ways tells within this."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A telephone event as a packet tells of it."""

    digit: str
    pressed: int
    """Timestamp of the packet; all packets of a key have the one at which it was pressed."""
    duration: int
    """Timestamp units."""


def parse_key(payload: bytes, timestamp: int) -> KeyEvent | None:
    """The event in a payload; None for one that is too short or no key."""
    if len(payload) < _EVENT_BYTES or payload[0] >= len(DIGITS):
        return None
    return KeyEvent(DIGITS[payload[0]], timestamp, int.from_bytes(payload[2:4], "big"))


class KeyReceiver:
    """Tells one pressed key from the many packets that tell of it.

    A key counts from its first packet on: waiting for the last would lose it where that is lost, and be later.
    """

    def __init__(self) -> None:
        self._last: KeyEvent | None = None

    def take(self, payload: bytes, timestamp: int) -> str | None:
        """The digit, if this packet, of any length, is the first of its key."""
        event, before = parse_key(payload, timestamp), self._last
        if event is None:
            return None
        if before is None:
            self._last = event
            return event.digit
        later, is_same = later_by(event.pressed, before.pressed), event.digit == before.digit
        if later < 0:
            return None  # a packet of the key before, out of order
        if later == 0 and is_same:
            self._last = max(event, before, key=lambda each: each.duration)
            return None
        self._last = event
        is_held = is_same and before.duration and later <= before.duration + _SAME_KEY
        return None if is_held else event.digit


class BothWays:
    """Keeps a telephone that tells of a key in both ways from pressing it twice."""

    def __init__(self) -> None:
        self._pressed: tuple[str, Way, float] | None = None

    def is_new(self, digit: str, way: Way, now: float) -> bool:
        """Whether a key is one that was not told of in the other way just now; `now` in seconds."""
        before, self._pressed = self._pressed, (digit, way, now)
        if before is None:
            return True
        same = before[0] == digit and before[1] != way and now - before[2] < _BOTH_WAYS_S
        if same:
            self._pressed = None
        return not same
