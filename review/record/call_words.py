"""Call words: what happened in a phone call, as people say it."""

from __future__ import annotations

from collections.abc import Mapping

from domain.events import CallBegan, CallEnded, KeyPressed
from domain.vocabulary import PhoneKey
from review.record.titles import in_words

_MEANINGS: Mapping[PhoneKey, str] = {
    "0": "what the keys do",
    "8": "pause or go on",
    "9": "end, asked whether it was meant",
    "*": "the answer is finished",
}
"""What a key means that asks for nothing of the course of the interview."""


def call_began(event: CallBegan) -> str:
    """How a call began."""
    who = f"from {event.number}" if event.number else "from a number that is withheld"
    how = f", codec {event.codec}" if event.codec else ""
    if event.again:
        return f"The candidate called again, {who}{how}, and the interview goes on where it was."
    return f"The call begins, {who}{how}."


def call_ended(event: CallEnded) -> str:
    """How a call ended."""
    quality = line_quality(event.loss, event.jitter_ms)
    return f"The call is over ({quality})." if quality else "The call is over."


def line_quality(loss: float | None, jitter_ms: float | None) -> str:
    """What was measured of a line; empty when nothing was."""
    parts = [
        "" if loss is None else f"{loss:.1%} of the packets lost",
        "" if jitter_ms is None else f"jitter {jitter_ms:.0f} ms",
    ]
    return ", ".join(part for part in parts if part)


def key_pressed(event: KeyPressed) -> str:
    """What a key asked for."""
    meaning = in_words(event.request).lower() if event.request else _MEANINGS.get(event.key, "")
    return f"The candidate pressed {event.key}{f': {meaning}' if meaning else ''}."
