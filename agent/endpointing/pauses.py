"""Pauses in the middle of an answer: a distribution for this candidate, learned during the interview. Pure.

Pauses inside speech are distributed log-normally (Campione and Véronis, "A large-scale multilingual study of silent
pause duration", Speech Prosody 2002). Before anything is known of a candidate the distribution is that of `Pauses()`;
each of their pauses moves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist

SHORTEST_S = 0.5
"""A shorter silence is a consonant or a breath, and says nothing of how long somebody stops to think."""

LONGEST_S = 6.0
"""A longer one counts as this long: one walk to the door must not make the interviewer slow for the rest."""

_STANDARD = NormalDist()


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses after which the candidate went on, as a log-normal distribution with a prior.

    The prior's median and spread are those of the tuning part of `bench/voice/recordings.yaml`; interviewees
    pause longer than callers do.
    """

    median_s: float = 0.75
    spread: float = 0.6
    """Standard deviation of the logarithm."""
    weight: float = 4.0
    """So many pauses the knowledge so far is worth: who stops for long is known by the end of the first answer."""

    def heard(self, pauses_s: Iterable[float]) -> Pauses:
        """What is known after these pauses as well; those under `SHORTEST_S` are none."""
        known = self
        for pause_s in pauses_s:
            if pause_s >= SHORTEST_S:
                known = known._with(log(min(pause_s, LONGEST_S)))
        return known

    def _with(self, value: float) -> Pauses:
        """Welford's step for mean and variance, the prior counting as `weight` observations."""
        mean, weight = log(self.median_s), self.weight + 1
        moved = mean + (value - mean) / weight
        variance = (self.spread**2 * self.weight + (value - mean) * (value - moved)) / weight
        return Pauses(exp(moved), sqrt(variance), weight)

    def exceeded_by(self, share: float) -> float:
        """The length in seconds that this share of the pauses exceeds; 0 for a share of 1 or more."""
        if share >= 1.0:
            return 0.0
        return exp(log(self.median_s) + self.spread * _STANDARD.inv_cdf(1.0 - max(share, 1e-6)))
