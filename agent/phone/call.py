"""Call: what is known of one: its room, who calls, and how good the line is, from LiveKit's job and SIP participant.

The attributes are those of livekit-sip (`sip.…`), which our own line sets as well, and our own (`viva.…`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from livekit import rtc
from livekit.agents import JobContext

from agent.phone.keypad import is_key
from agent.worker.tokens import CALL_METADATA, CALL_PREFIX
from domain.vocabulary import PhoneKey

NUMBER, CODEC, ADDRESS = "sip.phoneNumber", "viva.codec", "viva.address"
LOSS, JITTER_MS = "viva.loss", "viva.jitter_ms"
"""Attributes of the caller; see `Line`."""
HOLD = "viva.hold"
"""Attribute of the caller: "1" while they have put us on hold."""
OVER = "viva.over"
"""Attribute of the interviewer: "1" when it has said goodbye, and the line is to hang up."""
SIP = rtc.ParticipantKind.PARTICIPANT_KIND_SIP
_SHOWN = 2
"""Digits of a number that are kept in clear, its last ones."""
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What a job says of the call that it is for."""

    booking: str = ""
    """Id of the booking for which we have called somebody; empty when they called us."""

    @property
    def metadata(self) -> str:
        """What the job is told, which `dispatched` reads."""
        return json.dumps({"phone": True, "booking": self.booking}) if self.booking else CALL_METADATA


@dataclass(frozen=True, slots=True)
class Line:
    """The caller's line, as their participant says."""

    number: str
    """As the caller says it is: nobody is let in by it."""
    address: str
    """Where the call came from; empty when that is not known."""
    codec: str
    loss: float | None
    """Share of packets that were lost, 0 to 1."""
    jitter_ms: float | None


def dispatched(metadata: str, room: str) -> Dispatch | None:
    """What a job's metadata and its room say of a call; None when it is for none."""
    try:
        said = json.loads(metadata)
    except ValueError:
        said = None
    if isinstance(said, dict) and said.get("phone"):
        return Dispatch(booking=str(said.get("booking") or ""))
    return Dispatch() if room.startswith(CALL_PREFIX) else None


def call_of(ctx: JobContext) -> Dispatch | None:
    """What is known of the call that a job is for; None when it is for an interview in a browser."""
    return dispatched(ctx.job.metadata, ctx.job.room.name)


def line_of(attributes: Mapping[str, str]) -> Line:
    """A caller's line, from the attributes of their participant."""
    loss, jitter_ms = _number(attributes.get(LOSS)), _number(attributes.get(JITTER_MS))
    return Line(
        number=attributes.get(NUMBER, ""),
        address=attributes.get(ADDRESS, ""),
        codec=attributes.get(CODEC, "")[:_LONGEST],
        loss=min(loss, 1.0) if loss is not None else None,
        jitter_ms=jitter_ms,
    )


def key_of(dtmf: rtc.SipDTMF, caller: str) -> PhoneKey | None:
    """The key that a caller has pressed; None when it is somebody else's, or none that phones have.

    Args:
        dtmf: as LiveKit tells of it.
        caller: identity of the caller.
    """
    if dtmf.participant is not None and dtmf.participant.identity != caller:
        return None
    return dtmf.digit if is_key(dtmf.digit) else None


def masked(number: str) -> str:
    """A caller's number for the record: as many dots as it has digits, and at most its last two in clear."""
    digits = [each for each in number.split("@", maxsplit=1)[0][:_LONGEST] if each.isdecimal()]
    shown = _SHOWN if len(digits) > 2 * _SHOWN else 0
    return "•" * (len(digits) - shown) + "".join(digits[len(digits) - shown :])


def _number(text: str | None) -> float | None:
    """A measured value, never below 0; None when it is none."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
