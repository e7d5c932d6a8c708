"""Status of the line: its calls and its registrations, as `viva phone status` shows them. Nobody's number is in it."""

from __future__ import annotations

from agent.phone.line.call import CallState
from agent.phone.line.registrar import Registrar, RegistrarState
from agent.phone.line.watch import RoomState
from domain.frozen_model import FrozenModel


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

    @classmethod
    def of(cls, short_id: str, state: CallState, *, is_outgoing: bool) -> CallStatus:
        """Of a call at the moment."""
        return cls(
            id=short_id,
            is_outgoing=is_outgoing,
            seconds=round(state.seconds, 1),
            codec=state.codec,
            room=state.room,
            has_interviewer=state.has_interviewer,
            is_on_hold=state.is_on_hold,
            loss=round(state.loss, 4),
        )


class RegistrationStatus(FrozenModel):
    """An account at its PBX."""

    address: str
    state: RegistrarState
    detail: str
    """Why it failed last; empty while all is well."""

    @classmethod
    def of(cls, registrar: Registrar) -> RegistrationStatus:
        """Of an account at the moment."""
        return cls(address=registrar.account.address, state=registrar.state, detail=registrar.detail)


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
