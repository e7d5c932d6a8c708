"""Phone over HTTP: whether there is one, and PINs for callers.

Whoever may create an interview may make a PIN for one, within limits. To see and revoke PINs, and to make one for any
number of interviews, is for whoever hosts Viva.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request, status
from pydantic import BaseModel, ConfigDict, Field

from agent.http.auth import HostBearer, check_host, is_host
from agent.http.problems import PREFIX, ProblemError, documented
from agent.http.request_context import Utf8Route
from agent.http.wishes import NewInterview
from agent.interviews.creation import Wish, WishError
from agent.phone.bookings import BookingError
from agent.phone.grants import GrantState, PinGrant
from agent.phone.issuing import number_to_dial, settled
from agent.phone.pins import USUAL_LIFE_S, PinError, PinsTakenError, open_pins
from agent.settings import Settings
from domain.vocabulary import Mode

if TYPE_CHECKING:
    from rag import Pack

_LONGEST_LIFE_S = 31 * 24 * 3600.0
"""How long a PIN may count that somebody else than the host makes."""
HOST_PROBLEMS = ("missing-token", "host-only", "storage-failed")
WISH_PROBLEMS = (
    *HOST_PROBLEMS, "invalid-request", "unknown-pack", "unknown-topic", "too-long", "not-utf-8", "not-json",
    "phone-off", "all-pins-taken",
)  # fmt: skip

Moment = Annotated[float, Field(ge=0, le=32_503_680_000)]
"""Seconds since the epoch, up to the year 3000."""


class Json(BaseModel):
    """What is answered."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class PhoneInfo(Json):
    """How Viva can be called."""

    enabled: bool = Field(
        description="There is a phone: the line of Viva's own (`phone`), or a number (`phone_number`)."
    )
    number: str = Field(description="What is dialled; empty where the host has not said it.")
    calls_out: bool = Field(description="Calls can be booked; only whoever hosts Viva may.")


class NewPin(BaseModel):
    """What a PIN is to stand for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    interview: NewInterview
    once: bool = Field(
        default=True, description="For one interview; else for any number of them, which only the host may make."
    )
    valid_from: Moment | None = Field(default=None, description="From when on, in seconds since the epoch.")
    valid_until: Moment | None = Field(
        default=None, description="Until when; left out, for a week. More than 31 days only the host may make."
    )


class IssuedPin(Json):
    """A new PIN."""

    id: str = Field(description="By which it can be revoked.")
    pin: str = Field(description="The digits. They are shown only here.")
    number: str = Field(description="What is dialled; empty where the host has not said it.")
    once: bool
    valid_from: float | None
    valid_until: float | None


class PinInfo(Json):
    """What a PIN stands for, without its digits and without documents."""

    id: str
    state: GrantState
    candidate_name: str
    pack: str
    minutes: int
    pace: float
    mode: Mode | None
    once: bool
    issued_at: float
    valid_from: float | None
    valid_until: float | None
    used_at: float | None
    interview_id: str | None = Field(description="The last interview that was begun with it.")


def phone_routes(settings: Settings, packs: dict[str, Pack]) -> APIRouter:
    """The routes of the phone."""

    def only_host(request: Request, _: HostBearer) -> None:
        check_host(settings, request)

    host = [Depends(only_host)]
    router = APIRouter(prefix=f"{PREFIX}/phone", tags=["phone"], route_class=Utf8Route)

    @router.get("")
    def phone() -> PhoneInfo:
        """Whether Viva can be called, and where."""
        return PhoneInfo(enabled=is_enabled(settings), number=number_to_dial(settings), calls_out=settings.phone)

    @router.post("/pins", status_code=status.HTTP_201_CREATED, responses=documented(*WISH_PROBLEMS))
    def make_pin(wanted: NewPin, request: Request, _: HostBearer) -> IssuedPin:
        """Make a PIN for an interview by phone."""
        now = time.time()
        until = now + USUAL_LIFE_S if wanted.valid_until is None else wanted.valid_until
        if not wanted.once or until > now + _LONGEST_LIFE_S:
            check_host(settings, request)
        by_host = is_host(settings, request)
        with refused():
            wish = settled_wish(settings, packs, wanted.interview, by_host=by_host, now=now)
            pin, grant = open_pins(settings).issue(
                wish, once=wanted.once, valid_from=wanted.valid_from, valid_until=until, now=now, by_host=by_host
            )
        return IssuedPin(
            id=grant.id,
            pin=pin,
            number=number_to_dial(settings),
            once=grant.once,
            valid_from=grant.valid_from,
            valid_until=grant.valid_until,
        )

    @router.get("/pins", dependencies=host, responses=documented(*HOST_PROBLEMS))
    def list_pins() -> list[PinInfo]:
        """What PINs stand for, the newest first. Their digits are kept nowhere."""
        now = time.time()
        return [_pin_info(each, now) for each in open_pins(settings).grants(now)]

    @router.delete(
        "/pins/{pin_id}",
        status_code=204,
        dependencies=host,
        responses=documented(*HOST_PROBLEMS, "unknown-pin", "invalid-request"),
    )
    def revoke_pin(pin_id: str) -> None:
        """Revoke a PIN; no call that is booked with it is made."""
        if not open_pins(settings).revoke(pin_id):
            raise ProblemError(
                "unknown-pin", f"There is no PIN with the id {pin_id!r}. GET {PREFIX}/phone/pins lists them."
            )

    return router


def is_enabled(settings: Settings) -> bool:
    """Whether Viva can be called: by its own line, or at the number of another."""
    return settings.phone or bool(settings.phone_number)


def settled_wish(
    settings: Settings, packs: dict[str, Pack], wanted: NewInterview, *, by_host: bool, now: float
) -> Wish:
    """What is wished, as a PIN can stand for it.

    Raises:
        ProblemError: there is no phone.
        WishError: it wants what is not there, or a document is too long.
    """
    if not is_enabled(settings):
        raise ProblemError(
            "phone-off", "There is no phone here. Whoever hosts Viva turns its line on (phone) or names a number."
        )
    return settled(wanted.wish(), packs, settings, is_host=by_host, now=now)


@contextmanager
def refused() -> Iterator[None]:
    """What cannot be granted, as a problem."""
    try:
        yield
    except WishError as error:
        raise ProblemError(error.kind, str(error)) from error
    except PinsTakenError as error:
        raise ProblemError("all-pins-taken", str(error)) from error
    except (PinError, BookingError) as error:
        raise ProblemError("invalid-request", str(error)) from error


def _pin_info(grant: PinGrant, now: float) -> PinInfo:
    return PinInfo(
        id=grant.id,
        state=grant.state(now),
        candidate_name=grant.wish.candidate_name,
        pack=grant.wish.pack,
        minutes=grant.wish.minutes,
        pace=grant.wish.pace,
        mode=grant.wish.mode,
        once=grant.once,
        issued_at=grant.issued_at,
        valid_from=grant.valid_from,
        valid_until=grant.valid_until,
        used_at=grant.used_at,
        interview_id=grant.interview_id,
    )
