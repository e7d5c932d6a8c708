"""Calling at booked times: the loop that the phone line runs beside its calls.

What is said to whoever picks up is the reception's, which gets the booking's id with its job: nothing personal before a
key was pressed, since an answering machine picks up too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from agent.phone.bookings import BookingStore
from agent.phone.database import PhoneStoreError
from agent.phone.schedule import Booking, after_call

_log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
_FAILED = "Something failed inside Viva. The log of the phone line has the details."


class Placed(Protocol):
    """What became of a call that was placed."""

    @property
    def outcome(self) -> str:
        """`answered`, or why not in a word, such as `busy`."""
        ...

    @property
    def sentence(self) -> str:
        """The same for people."""
        ...


class Telephone(Protocol):
    """Whatever makes calls."""

    async def place_call(self, number: str, account: str | None = None, *, booking: str | None = None) -> Placed:
        """Call somebody; returns once they have picked up, or cannot be reached, and holds the call by itself."""
        ...


class BookedCalls:
    """Makes the calls that are due.

    Args:
        bookings: all that are booked.
        telephone: makes the calls.
        clock: seconds since the epoch.
    """

    def __init__(self, bookings: BookingStore, telephone: Telephone, clock: Callable[[], float]) -> None:
        self._bookings = bookings
        self._telephone = telephone
        self._clock = clock
        self._ringing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Look regularly, until cancelled; then nothing rings any more."""
        try:
            while True:
                try:
                    await self.look()
                except PhoneStoreError as error:
                    _log.error("booked calls cannot be looked at, and are tried again: %s", error)
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            for ringing in self._ringing:
                ringing.cancel()
            await asyncio.gather(*self._ringing, return_exceptions=True)

    async def look(self) -> None:
        """Begin the calls that are due, and tell of those that came to nothing.

        Raises:
            PhoneStoreError: the bookings cannot be read or written.
        """
        due, came_to_nothing = await asyncio.to_thread(self._bookings.look, self._clock())
        for booking in came_to_nothing:
            _log.warning("the booked call %s was %s: %s", booking.id, booking.state, booking.why)
        for booking in due:
            ringing = asyncio.create_task(self._call(booking), name=f"booked call {booking.id}")
            self._ringing.add(ringing)
            ringing.add_done_callback(self._ringing.discard)

    async def rung(self) -> None:
        """Wait until nothing rings."""
        while self._ringing:
            await asyncio.wait(self._ringing)

    async def _call(self, booking: Booking) -> None:
        try:
            placed = await self._telephone.place_call(booking.number, booking.account or None, booking=booking.id)
        except Exception:  # noqa: BLE001 - the edge of a call: one that fails keeps no other from being made
            _log.exception("the booked call %s could not be made", booking.id)
            after = after_call(booking, "failed", _FAILED, self._clock())
        else:
            after = after_call(booking, placed.outcome, placed.sentence, self._clock())
        if after.state == "given-up":
            _log.warning("the booked call %s was given up: %s", booking.id, after.why)
        try:
            await asyncio.to_thread(self._bookings.keep, after)
        except PhoneStoreError as error:
            _log.error("what became of the booked call %s could not be kept: %s", booking.id, error)
