"""Feedback on each of an answer's three metrics, worded by rule from `graph/templates/metrics.md`.

Together it has at most 100 words, whatever was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from domain.metrics import Mark
from domain.verdict import Verdict
from domain.vocabulary import Sign
from graph.metrics.rubrics import first_asked_for, spoken_to
from graph.templates import Templates, metrics_wording

MOST_WORDS = 100
_MOST_QUOTED = 12
_HIGH, _MIDDLE = 7.0, 4.0
LATE_FROM_WORDS = 30
"""An answer that says so much before it comes to the first thing that was asked for begins beside the matter."""
_MOST_OF_IT = 0.7
"""Share of the key points from which on an answer speaks to what was asked."""
_IN_ORDER_FROM = 2
"""Clauses that tell the order; most answers have one."""
_ASKED_FOR: tuple[Sign, ...] = ("comparison", "cost", "example")
"""What an answer is asked to add, the first that it lacks."""

_Level = Literal["high", "middle", "low"]


def accuracy_feedback(score: float) -> str:
    """What a technical accuracy of 0 to 10 comes to."""
    return _wording().say(f"accuracy.{_level(score)}")


def depth_feedback(score: float, marks: Sequence[Mark]) -> str:
    """What a reasoning depth comes to, in the candidate's own words, and what would add to it.

    Args:
        score: 0 to 10.
        marks: the words that show it.
    """
    wording = _wording()
    reasons = [mark for mark in marks if mark.sign == "reason"]
    level = _level(score) if reasons else "low"
    told = wording.say(f"depth.{level}", words=_quoted(reasons[0].text) if reasons else "")
    signs = {mark.sign for mark in marks}
    lacking = next((sign for sign in _ASKED_FOR if sign not in signs), None) if level != "high" else None
    return f"{told} {wording.say(f'depth.{lacking}')}" if lacking else told


def clarity_feedback(verdicts: Sequence[Verdict], marks: Sequence[Mark]) -> str:
    """What can be shown of how clear an answer is, in its own words: nothing is claimed from the score alone.

    That it begins beside the matter, else that it tells an order; and whether it speaks to what was asked.

    Args:
        verdicts: one for each key point, one at least.
        marks: the words that tell the order.
    """
    wording, first = _wording(), first_asked_for(verdicts)
    whole = wording.say("clarity.whole" if spoken_to(verdicts) >= _MOST_OF_IT else "clarity.parts")
    if first and first.first_word >= LATE_FROM_WORDS:
        return f"{wording.say('clarity.late', words=_quoted(first.text))} {whole}"
    if len(marks) >= _IN_ORDER_FROM:
        return f"{wording.say('clarity.order', words=_quoted(marks[0].text))} {whole}"
    return whole


@cache
def _wording() -> Templates:
    return metrics_wording()


def _level(score: float) -> _Level:
    return "high" if score >= _HIGH else "middle" if score >= _MIDDLE else "low"


def _quoted(text: str) -> str:
    words = text.split()
    cut = len(words) > _MOST_QUOTED
    return " ".join(words[:_MOST_QUOTED]).rstrip(".,;:?!") + (" …" if cut else "")
