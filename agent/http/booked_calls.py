"""Booked calls over HTTP: only for whoever hosts Viva, since calls cost money and ring at somebody's."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, Request, status
from pydantic import BaseModel, ConfigDict, Field

from agent.http.auth import HostBearer, check_host
from agent.http.phone import HOST_PROBLEMS, WISH_PROBLEMS, Json, Moment, refused, settled_wish
from agent.http.problems import PREFIX, ProblemError, documented
from agent.http.request_context import Utf8Route
from agent.http.wishes import NewInterview, Text
from agent.phone.booking_wishes import CallWish, book
from agent.phone.bookings import BookingStore
from agent.phone.grants import PinGrant
from agent.phone.schedule import Booking, BookingState
from agent.settings import Settings

if TYPE_CHECKING:
    from rag import Pack


class NewBooking(BaseModel):
    """A call that is to be made."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    interview: NewInterview
    number: Text = Field(min_length=1, max_length=80, description="Whom to call, as the PBX dials it.")
    at: Moment = Field(description="When, in seconds since the epoch.")
    account: Text = Field(default="", max_length=128, description="Extension to call by; left out, the first there is.")


class BookedCall(Json):
    """A call that was booked."""

    id: str
    state: BookingState
    number: str
    account: str
    at: float
    candidate_name: str = Field(description="Empty when its PIN is gone.")
    tries: int
    why: str = Field(description="What became of it, in a sentence.")
    pin: str = Field(default="", description="For calling back; shown only when the call is booked.")


def booking_routes(settings: Settings, packs: dict[str, Pack]) -> APIRouter:
    """The routes of booked calls."""

    def only_host(request: Request, _: HostBearer) -> None:
        check_host(settings, request)

    router = APIRouter(
        prefix=f"{PREFIX}/phone/bookings", tags=["phone"], route_class=Utf8Route, dependencies=[Depends(only_host)]
    )

    @router.post("", status_code=status.HTTP_201_CREATED, responses=documented(*WISH_PROBLEMS))
    def book_call(wanted: NewBooking) -> BookedCall:
        """Book a call: at that time Viva calls, and holds an interview. The PIN is for calling back."""
        now = time.time()
        if not settings.phone:
            raise ProblemError(
                "phone-off", "Viva can call nobody: its line is off. Whoever hosts it sets phone = true."
            )
        with refused():
            wish = settled_wish(settings, packs, wanted.interview, by_host=True, now=now)
            pin, booking, grant = book(settings, wish, CallWish(wanted.number, wanted.account, wanted.at), now)
        return _booked_call(booking, grant, pin)

    @router.get("", responses=documented(*HOST_PROBLEMS))
    def list_bookings() -> list[BookedCall]:
        """The booked calls, the soonest first, and what became of those of the last week."""
        return [_booked_call(booking, grant) for booking, grant in BookingStore(settings.phone_path).bookings()]

    @router.delete(
        "/{booking_id}",
        status_code=204,
        responses=documented(*HOST_PROBLEMS, "unknown-booking", "invalid-request"),
    )
    def cancel_booking(booking_id: str) -> None:
        """Cancel a booked call. Its PIN counts on."""
        if not BookingStore(settings.phone_path).cancel(booking_id):
            raise ProblemError("unknown-booking", f"No call with the id {booking_id!r} waits to be made.")

    return router


def _booked_call(booking: Booking, grant: PinGrant | None, pin: str = "") -> BookedCall:
    return BookedCall(
        id=booking.id,
        state=booking.state,
        number=booking.number,
        account=booking.account,
        at=booking.at,
        candidate_name=grant.wish.candidate_name if grant else "",
        tries=booking.tries,
        why=booking.why,
        pin=pin,
    )
