"""Status of the line: its calls and its registrations, as `viva phone status` shows them. Nobody's number is in it."""

from __future__ import annotations

from typing import Literal

from agent.phone.line.watch import RoomState
from domain.frozen_model import FrozenModel

RegistrarState = Literal["registering", "registered", "failed"]


class CallStatus(FrozenModel):
    """A call that is held."""

    id: str
    """As logs have it."""
    is_outgoing: bool
    seconds: float
    codec: str
    room: RoomState
    has_interviewer: bool
    is_on_hold: bool
    loss: float
    """Share of the packets that did not arrive, 0 to 1."""


class RegistrationStatus(FrozenModel):
    """An account at its PBX."""

    address: str
    state: RegistrarState
    detail: str
    """Why it failed last; empty while all is well."""


class LineStatus(FrozenModel):
    """All of it."""

    address: str
    calls_at_once: int
    calls: tuple[CallStatus, ...]
    registrations: tuple[RegistrationStatus, ...]
    refused: int
    """Calls that were refused: not allowed to call, no password, nothing to speak."""
    passed_over: int
    """Calls that were not looked at, because too many came at once."""
    junk: int
    """Datagrams that were no SIP."""
