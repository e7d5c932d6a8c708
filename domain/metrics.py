"""Metrics: how an answer is reasoned and how clearly it is said, each with the candidate's words that show it."""

from __future__ import annotations

from domain.frozen_model import FrozenModel
from domain.vocabulary import Sign


class Mark(FrozenModel):
    """Words of an answer that show something of how it is made."""

    sign: Sign
    text: str
    first_word: int
    """Place in the answer, from 0."""
    last_word: int
    """Inclusive."""


class Metric(FrozenModel):
    """One metric of an answer."""

    score: float
    """0 to 10."""
    marks: tuple[Mark, ...] = ()
    """The words that it rests on; none where it rests on the verdicts alone."""
    feedback: str = ""
    """What it comes to, in a sentence or two."""


class MetricsFeedback(FrozenModel):
    """What each of the three metrics of an answer comes to, in a sentence or two."""

    technical_accuracy: str
    reasoning_depth: str
    communication_clarity: str


class AnswerMetrics(FrozenModel):
    """How an answer is made, 0 to 10 each. The third metric, technical accuracy, is one of its scores."""

    reasoning_depth: float
    """Whether it says why, compares, names costs, gives examples."""
    communication_clarity: float
    """Whether it speaks to all that was asked, makes its points whole, and in an order."""
    marks: tuple[Mark, ...] = ()
    """The words that these rest on."""
    feedback: str = ""
    """What all three metrics come to, in at most 100 words, as the answer was first judged."""
    on_each: MetricsFeedback | None = None
    """What each comes to; None in old records."""
    worded_by: str = "rules"
    """Who worded the feedback: `rules` or `model`. The scores are by rule in any case."""


def combined(technical_accuracy: float, metrics: AnswerMetrics) -> float:
    """The three metrics of an answer together: their average, 0 to 10."""
    return (technical_accuracy + metrics.reasoning_depth + metrics.communication_clarity) / 3
