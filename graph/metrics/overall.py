"""Overall feedback on an answer's three metrics, worded by rule from `graph/templates/metrics.md`."""

from __future__ import annotations

from functools import cache
from typing import Literal

from domain.metrics import AnswerMetrics, Mark
from domain.vocabulary import Sign
from graph.templates import Templates, metrics_wording

MOST_WORDS = 100
_MOST_QUOTED = 12
_HIGH, _MIDDLE = 7.0, 4.0
_ASKED_FOR: tuple[Sign, ...] = ("comparison", "cost", "example")
"""What an answer is asked to add, the first that it lacks."""

_Level = Literal["high", "middle", "low"]


def overall_feedback(technical_accuracy: float, metrics: AnswerMetrics) -> str:
    """What the metrics come to, in at most 100 words.

    Args:
        technical_accuracy: 0 to 10.
        metrics: the other two, and their marks.
    """
    wording = _wording()
    reasons = [mark for mark in metrics.marks if mark.sign == "reason"]
    depth = _level(metrics.reasoning_depth) if reasons else "low"
    sentences = [
        wording.say(f"accuracy.{_level(technical_accuracy)}"),
        wording.say(f"depth.{depth}", words=_quoted(reasons[0]) if reasons else ""),
    ]
    signs = {mark.sign for mark in metrics.marks}
    if depth != "high" and (lacking := next((sign for sign in _ASKED_FOR if sign not in signs), None)):
        sentences.append(wording.say(f"depth.{lacking}"))
    sentences.append(wording.say(f"clarity.{_level(metrics.communication_clarity)}"))
    return " ".join(sentences)


@cache
def _wording() -> Templates:
    return metrics_wording()


def _level(score: float) -> _Level:
    return "high" if score >= _HIGH else "middle" if score >= _MIDDLE else "low"


def _quoted(mark: Mark) -> str:
    words = mark.text.split()
    cut = len(words) > _MOST_QUOTED
    return " ".join(words[:_MOST_QUOTED]).rstrip(".,;:?!") + (" …" if cut else "")
