"""Pauses in the middle of an answer: what is known of this candidate's, learned during the interview. Pure.

Pauses inside speech are distributed log-normally (Campione and Véronis, "A large-scale multilingual study of silent
pause duration", Speech Prosody 2002). Neither median nor spread of a candidate's own are known when an interview
begins, so what is asked for is the posterior predictive: how long the next pause is, with the uncertainty about both
in it (Gelman and others, "Bayesian Data Analysis", section 3.3). It is a Student distribution of the logarithm, wide
before anything was heard, and narrower with each pause.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, expm1, log, sqrt
from statistics import NormalDist

SHORTEST_S = 0.5
"""A shorter silence is a consonant or a breath, and says nothing of how long somebody stops to think."""

LONGEST_S = 6.0
"""A longer one counts as this long: one walk to the door must not make the interviewer slow for the rest."""

_STANDARD = NormalDist()


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses after which the candidate went on, with what is known before the first of them.

    The numbers of a candidate who is not known yet are explained in docs/voice.md.
    """

    median_s: float = 0.75
    spread: float = 0.42
    """Standard deviation of the logarithm."""
    weight: float = 3.0
    """So many pauses the knowledge of the median is worth."""
    spread_weight: float = 8.0
    """So many pauses the knowledge of the spread is worth: the degrees of freedom."""
    longest_s: float = 0.0
    """The longest pause that was heard."""
    gone_on_after_s: float = 0.0
    """The longest that was heard twice: the second longest of all."""

    def heard(self, pauses_s: Iterable[float]) -> Pauses:
        """What is known after these pauses as well; those under `SHORTEST_S` are none."""
        known = self
        for pause_s in pauses_s:
            if pause_s >= SHORTEST_S:
                known = known._with(log(min(pause_s, LONGEST_S)))
        return known

    def _with(self, value: float) -> Pauses:
        """One step of the conjugate update (normal, inverse chi-squared)."""
        mean, weight, spread_weight = log(self.median_s), self.weight + 1, self.spread_weight + 1
        moved = mean + (value - mean) / weight
        squares = self.spread**2 * self.spread_weight + (value - mean) * (value - moved)
        *_, second_s, longest_s = sorted((self.gone_on_after_s, self.longest_s, exp(value)))
        return Pauses(exp(moved), sqrt(squares / spread_weight), weight, spread_weight, longest_s, second_s)

    def exceeded_by(self, share: float) -> float:
        """The length in seconds that the next pause exceeds with this probability; 0 for 1 or more."""
        if share >= 1.0:
            return 0.0
        scale = self.spread * sqrt(1.0 + 1.0 / self.weight)
        return exp(log(self.median_s) + scale * _student(1.0 - max(share, 1e-6), self.spread_weight))


def _student(share: float, freedom: float) -> float:
    """The quantile of Student's distribution, to about one per cent from three degrees of freedom on.

    Gaver and Kafadar, "A retrievable recipe for inverse t", The American Statistician 38 (1984).
    """
    normal = _STANDARD.inv_cdf(share)
    size = sqrt(freedom * expm1(normal * normal * (freedom - 1.5) / (freedom - 1.0) ** 2))
    return size if normal >= 0.0 else -size
