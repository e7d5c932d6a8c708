"""Frames: packets of any length cut into the 20 ms that are played. Some telephones send 30 ms, or 10.

All three codecs have one byte for each unit of the RTP clock (8 kHz; RFC 3551 gives G.722 that clock too), so a byte's
place in time is its timestamp.
"""

from __future__ import annotations

from collections.abc import Iterator

FRAME = 160
"""Bytes, and timestamp units, of 20 ms."""
LONGEST_PACKET = 10 * FRAME
_WRAP = 1 << 32


def later_by(timestamp: int, before: int) -> int:
    """By how many units a timestamp of RTP is after another, negative where it is before; they begin again at 2**32."""
    return (timestamp - before + _WRAP // 2) % _WRAP - _WRAP // 2


class FrameCutter:
    """Cuts payloads into frames whose timestamps are a multiple of `FRAME` after the first."""

    def __init__(self) -> None:
        self._rest = b""
        self._at: int | None = None
        """Timestamp of the rest's first byte."""

    def cut(self, timestamp: int, payload: bytes) -> Iterator[tuple[int, bytes]]:
        """The frames that are complete with this payload, with their timestamps."""
        if not payload or len(payload) > LONGEST_PACKET:
            return
        if len(payload) == FRAME and not self._rest:
            # The usual case; packets that overtook each other are put in order by whoever plays them.
            self._at = (timestamp + FRAME) % _WRAP
            yield timestamp, payload
            return
        expected = None if self._at is None else (self._at + len(self._rest)) % _WRAP
        if expected is None or timestamp != expected:
            if expected is not None and later_by(timestamp, expected) < 0:
                return  # too late: what came after it was cut already
            self._at, self._rest = timestamp, b""
        self._rest += payload
        while len(self._rest) >= FRAME:
            assert self._at is not None
            yield self._at, self._rest[:FRAME]
            self._rest = self._rest[FRAME:]
            self._at = (self._at + FRAME) % _WRAP
