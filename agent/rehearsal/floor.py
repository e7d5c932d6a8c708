"""Whose turn is it? What the candidate can tell, and the rule by which it speaks."""

from __future__ import annotations

from dataclasses import dataclass

END_OF_SPEECH_S = 0.8
"""Silence after which the interviewer has finished; sentences of a voice are at most 0.5 s apart."""
PUZZLED_S = 4.0
"""Silence after which the candidate speaks although nothing was heard that sounds like a question."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What the candidate can tell about whose turn it is."""

    state: str | None
    """What the interviewer says it is doing; None when nobody is there."""
    quiet_s: float
    """Since the interviewer's last sound."""
    heard: bool
    """Whether the interviewer has spoken since the candidate did."""
    asked: bool
    """Whether that sounded like a question."""


def may_speak(floor: Floor) -> bool:
    """Whether the interviewer has finished and waits for the candidate.

    Silence alone is not enough: between feedback and question there may be seconds of it while the interviewer thinks.
    """
    if floor.state != "listening" or not floor.heard:
        return False
    return floor.quiet_s >= (END_OF_SPEECH_S if floor.asked else PUZZLED_S)


def sounds_asked(text: str) -> bool:
    """Whether words end like a question."""
    return text.rstrip().endswith("?")
