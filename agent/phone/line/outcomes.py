"""Outcomes of calls that the line makes: what became of one, as a word for programs and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal[
    "answered", "busy", "no-answer", "declined", "unknown-number", "not-allowed", "unreachable", "no-sound", "failed"
]


@dataclass(frozen=True, slots=True)
class PlacedCall:
    """What became of a call that was placed."""

    outcome: Outcome
    sentence: str
    """For whoever placed it."""
    status: int = 0
    """The answer's code of SIP; 0 if there was none."""


_BY_STATUS: dict[int, tuple[Outcome, str]] = {
    401: ("not-allowed", "The PBX does not accept the account's password: check phone_accounts."),
    403: ("not-allowed", "The PBX does not let this account call that number."),
    404: ("unknown-number", "There is no such number."),
    407: ("not-allowed", "The PBX does not accept the account's password: check phone_accounts."),
    408: ("unreachable", "The PBX does not answer, or the telephone cannot be reached."),
    410: ("unknown-number", "That number is not in use any more."),
    480: ("no-answer", "Nobody can be reached there at the moment."),
    484: ("unknown-number", "That number is not complete."),
    486: ("busy", "The line is busy."),
    487: ("no-answer", "Nobody picked up."),
    488: ("no-sound", "The telephone speaks none of the codecs in phone_codecs."),
    600: ("busy", "The line is busy."),
    603: ("declined", "The call was declined."),
    604: ("unknown-number", "There is no such number."),
    606: ("no-sound", "The telephone speaks none of the codecs in phone_codecs."),
}
_SERVER_FAULTS = range(500, 600)


def outcome_of(status: int) -> PlacedCall:
    """What an answer that is no success means (RFC 3261, section 21)."""
    if found := _BY_STATUS.get(status):
        return PlacedCall(outcome=found[0], sentence=found[1], status=status)
    if status in _SERVER_FAULTS:
        sentence = f"The PBX cannot put the call through at the moment (SIP {status})."
        return PlacedCall(outcome="unreachable", sentence=sentence, status=status)
    return PlacedCall(outcome="failed", sentence=f"The call was refused (SIP {status}).", status=status)
