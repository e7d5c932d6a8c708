"""Legs: the telephone's side of a call, called or calling, in the same few words."""

from __future__ import annotations

from typing import Protocol

from aiosipua.dialog import DialogState
from aiosipua.incoming_call import IncomingCall
from aiosipua.outgoing_call import OutgoingCall
from aiosipua.sdp import SdpMessage

from agent.phone.line.user_agent import UserAgent

_LONGEST_NAME = 64
_ANONYMOUS = "anonymous"


class Leg(Protocol):
    """A call as the telephone network knows it."""

    @property
    def call_id(self) -> str:
        """Call-ID of SIP."""
        ...

    @property
    def is_outgoing(self) -> bool:
        """Whether we called."""
        ...

    def hang_up(self) -> None:
        """End the call, if it is not over; nothing of it is kept."""
        ...


class IncomingLeg:
    """Somebody calls."""

    is_outgoing = False

    def __init__(self, agent: UserAgent, call: IncomingCall) -> None:
        self._agent = agent
        self._call = call
        self.call_id = call.call_id
        self.host = call.source_addr[0]
        """Where its signalling comes from."""

    @property
    def offer(self) -> str:
        """SDP of the caller."""
        return self._call.invite.text

    @property
    def number(self) -> str:
        """What the caller's telephone says it is."""
        sender = self._call.invite.from_addr
        return _name(sender.uri.user if sender else None)

    @property
    def dialled(self) -> str:
        """What was dialled."""
        to = self._call.invite.to_addr
        return _name(to.uri.user if to else None)

    def ring(self) -> None:
        """Let the caller hear that it rings."""
        self._call.ringing()

    def answer(self, answer: SdpMessage) -> None:
        """Pick up."""
        self._call.accept(answer)

    def refuse(self, status: int) -> None:
        """Do not pick up."""
        self._agent.refuse(self._call, status)

    def hang_up(self) -> None:
        """End the call, if it is not over; nothing of it is kept."""
        if self._call.dialog.state == DialogState.EARLY:
            self._agent.refuse(self._call, 480)
            return
        self._call.hangup()
        self._agent.forget(self._call)


class OutgoingLeg:
    """We call somebody."""

    is_outgoing = True

    def __init__(self, agent: UserAgent, call: OutgoingCall) -> None:
        self._agent = agent
        self._call = call
        self.call_id = call.call_id

    def hang_up(self) -> None:
        """End the call, or stop calling; nothing of it is kept."""
        if self._call.dialog.state == DialogState.EARLY:
            self._call.cancel(self._agent.uac)
        else:
            self._call.hangup(self._agent.uac)
        self._call._cancel_session_timer()  # noqa: SLF001 (it is left running where the call was ended otherwise)
        self._agent.uac.remove_call(self._call.call_id)


def _name(user: str | None) -> str:
    """A user part as it may be shown and kept: printable and short."""
    shown = "".join(sign for sign in (user or "") if sign.isprintable())[:_LONGEST_NAME]
    return shown or _ANONYMOUS
