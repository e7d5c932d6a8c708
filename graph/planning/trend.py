"""Trend of the scores, smoothed, so that one good or bad answer does not decide it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from domain.vocabulary import CandidateState

Trend = Literal["improving", "declining", "stable"]
Adjustment = Literal["increase", "decrease", "none"]

ALPHA = 0.3
"""Weight of the newest score in the exponential moving average."""
WINDOW = 4
"""Scores needed before a trend exists, and the stretch over which it is read."""
_STATE_FROM = 2
"""Scores needed before it can be said how a candidate is getting on: one answer is no trend."""
TREND_CHANGE = 0.8
INCREASE_FROM = 7.5
DECREASE_BELOW = 5.0


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


def adjustment(scores: Sequence[float]) -> Adjustment:
    """Whether the difficulty should change: only with a trend, and only at the ends of the scale."""
    if len(scores) < WINDOW:
        return "none"
    average = sum(ema(scores)[-WINDOW:]) / WINDOW
    direction = trend(scores)
    if direction == "improving" and average >= INCREASE_FROM:
        return "increase"
    return "decrease" if direction == "declining" and average < DECREASE_BELOW else "none"


def candidate_state(scores: Sequence[float]) -> CandidateState:
    """How the answers go: struggling where they are low or falling out of the middle, confident where they are high."""
    if len(scores) < _STATE_FROM:
        return "steady"
    smoothed, direction = ema(scores)[-1], trend(scores)
    if smoothed < DECREASE_BELOW or (direction == "declining" and smoothed < INCREASE_FROM):
        return "struggling"
    return "confident" if smoothed >= INCREASE_FROM and direction != "declining" else "steady"
