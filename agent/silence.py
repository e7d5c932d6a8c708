"""What to do when nobody speaks: a pure rule, so that it can be tested without waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SilenceStep = Literal["wait", "nudge", "offer", "end"]


_SHORT_WORDS, _LONG_WORDS = 8, 45
"""Answers of so few words need no thought; answers of so many, stories and designs, need a plan."""


@dataclass(frozen=True, slots=True)
class SilencePolicy:
    """Limits in seconds since either side last made a sound. People think for a while before they answer well."""

    nudge_s: float = 15.0
    """A gentle "take your time", once for each question."""
    offer_s: float = 40.0
    """An offer to skip or repeat, once for each question."""
    end_s: float = 90.0
    """Nobody is there, or their microphone is dead."""

    def step(self, silent_s: float, said: frozenset[SilenceStep]) -> SilenceStep:
        """What to do now.

        Args:
            silent_s: how long neither side has spoken, not counting what this policy had said.
            said: what was already said about this silence.
        """
        if silent_s >= self.end_s:
            return "end"
        if silent_s >= self.offer_s and "offer" not in said:
            return "offer"
        if silent_s >= self.nudge_s and not said:
            return "nudge"
        return "wait"


def policy_for(expected_words: int) -> SilencePolicy:
    """The limits after a question to which a full answer has about so many words."""
    if expected_words <= _SHORT_WORDS:
        return SilencePolicy(nudge_s=10.0, offer_s=25.0)
    if expected_words >= _LONG_WORDS:
        return SilencePolicy(nudge_s=20.0, offer_s=50.0)
    return SilencePolicy()
