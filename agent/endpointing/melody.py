"""Melody: how much it says of this candidate that they sound finished, learned during the interview. Pure.

Most voices stay up where more comes. Some fall after each sentence, and of those it says little that they fell: each
pause that sounded like an end, and was none, is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

FALLS = 0.5
"""Who sounds as much as this as if the turn were over, sounds finished."""
_AT_ENDS = 0.8
"""Share of people's answers that sound finished where they end (docs/voice.md)."""
_IN_PAUSES, _WORTH = 0.16, 5.0
"""Share of their pauses in mid-answer that do, and how many pauses of a candidate's own that knowledge is worth."""


@dataclass(frozen=True, slots=True)
class Melody:
    """Pauses after which the candidate went on, as they sounded."""

    pauses: int = 0
    falling: int = 0
    """… of them those that sounded finished."""

    def heard(self, sounds: Iterable[float | None]) -> Melody:
        """What is known after these pauses too, by the chance that each had of being the end; None tells nothing."""
        known = [sound for sound in sounds if sound is not None]
        return Melody(self.pauses + len(known), self.falling + sum(sound >= FALLS for sound in known))

    @property
    def trust(self) -> float:
        """How much a falling voice counts, 0 to 1: its log likelihood ratio as a share of what it is for anybody."""
        in_pauses = (_WORTH * _IN_PAUSES + self.falling) / (_WORTH + self.pauses)
        return min(1.0, max(0.0, log(_AT_ENDS / in_pauses) / log(_AT_ENDS / _IN_PAUSES)))
