"""Call events, of an interview by phone: how the caller came and went, how good the line was, which keys they pressed.

The digits of a PIN are never among them: they are pressed before there is an interview.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.events.base import BaseEvent
from domain.vocabulary import PhoneKey, Request


class CallBegan(BaseEvent):
    """The candidate is on the phone. An interview that a lost call interrupted has one for each call."""

    kind: Literal["call_began"] = "call_began"
    room: str
    """The room of this call: each has its own."""
    number: str
    """The caller's number with at most its last two digits in clear; empty when it is withheld."""
    codec: str = ""
    """How the line carries sound (PCMU, PCMA, G722); empty when that is not known."""
    again: bool = False
    """They called again, and the interview goes on where it was."""


class CallEnded(BaseEvent):
    """The call is over, by whoever hung up. The interview may go on with another call."""

    kind: Literal["call_ended"] = "call_ended"
    loss: float | None = Field(default=None, ge=0, le=1)
    """Share of the caller's packets that were lost; None when nobody measured it."""
    jitter_ms: float | None = Field(default=None, ge=0)
    """How unevenly their packets came, milliseconds; None when nobody measured it."""


class KeyPressed(BaseEvent):
    """The candidate pressed a key of their phone."""

    kind: Literal["key_pressed"] = "key_pressed"
    key: PhoneKey
    request: Request | None = None
    """What it asks for; None for a key that asks for nothing of the interview's course (help, "I have finished")."""


class HoldBegan(BaseEvent):
    """The caller put the interviewer on hold, or paused the interview: nothing is heard, said or counted as time."""

    kind: Literal["hold_began"] = "hold_began"


class HoldEnded(BaseEvent):
    """The caller is back from the hold."""

    kind: Literal["hold_ended"] = "hold_ended"
