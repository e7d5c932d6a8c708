"""Feedback on each of an answer's three metrics, worded by rule from `graph/templates/metrics.md`.

Together it has at most 100 words, whatever was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from domain.metrics import Mark
from domain.vocabulary import Sign
from graph.templates import metrics_wording

MOST_WORDS = 100
_MOST_QUOTED = 12
_HIGH, _MIDDLE = 7.0, 4.0
_ASKED_FOR: tuple[Sign, ...] = ("comparison", "cost", "example")
"""What an answer is asked to add, the first that it lacks."""

_Level = Literal["high", "middle", "low"]


def accuracy_feedback(score: float) -> str:
    """What a technical accuracy of 0 to 10 comes to."""
    return metrics_wording().say(f"accuracy.{_level(score)}")


def depth_feedback(score: float, marks: Sequence[Mark]) -> str:
    """What a reasoning depth comes to, in the candidate's own words, and what would add to it.

    Args:
        score: 0 to 10.
        marks: the words that show it.
    """
    wording = metrics_wording()
    reasons = [mark for mark in marks if mark.sign == "reason"]
    level = _level(score) if reasons else "low"
    told = wording.say(f"depth.{level}", words=_quoted(reasons[0]) if reasons else "")
    signs = {mark.sign for mark in marks}
    lacking = next((sign for sign in _ASKED_FOR if sign not in signs), None) if level != "high" else None
    return f"{told} {wording.say(f'depth.{lacking}')}" if lacking else told


def clarity_feedback(score: float) -> str:
    """What a communication clarity of 0 to 10 comes to."""
    return metrics_wording().say(f"clarity.{_level(score)}")


def _level(score: float) -> _Level:
    return "high" if score >= _HIGH else "middle" if score >= _MIDDLE else "low"


def _quoted(mark: Mark) -> str:
    words = mark.text.split()
    cut = len(words) > _MOST_QUOTED
    return " ".join(words[:_MOST_QUOTED]).rstrip(".,;:?!") + (" …" if cut else "")
