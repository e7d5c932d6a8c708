"""Final report of an interview as the graph knows it: its averages, and which topics went best and worst. Pure.

The report that people read is made of the record (`review/report/build.py`); by this one the interviewer sums up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from domain.frozen_model import FrozenModel
from domain.metrics import AnswerMetrics, combined
from domain.verdict import Evaluation, standing

GOOD_FROM, VERY_GOOD_FROM = 5.0, 8.0
"""Mean score of a topic from which on it went well, and from which on nothing need be practised."""


class FinalReport(FrozenModel):
    """What an interview came to. Means are 0 to 10, of the answers that count; None where none does."""

    answers_scored: int
    overall: float | None
    technical_accuracy: float | None
    reasoning_depth: float | None
    communication_clarity: float | None
    combined: float | None
    """The average of the three metrics."""
    topic_scores: dict[str, float]
    """Mean overall score by topic, in the order in which they were asked about."""
    best: str = ""
    """The topic that went best, if it went well."""
    to_practise: str = ""
    """The topic that went worst, if others went better and it was not very good."""


def final_report(evaluations: Sequence[Evaluation], metrics: Mapping[int, AnswerMetrics]) -> FinalReport:
    """The report on these answers.

    Args:
        evaluations: of all answers, those that were corrected since among them.
        metrics: of the answers that were measured, by turn.
    """
    counted = [each for each in standing(evaluations) if each.scores and not each.fallback]
    measured = [(each.scores, metrics[each.turn]) for each in counted if each.scores and each.turn in metrics]
    by_topic: dict[str, list[float]] = defaultdict(list)
    for each in counted:
        assert each.scores is not None
        by_topic[each.topic].append(each.scores.overall)
    means = {topic: round(fmean(scores), 1) for topic, scores in by_topic.items()}
    best = max(means, key=means.__getitem__, default="")
    worst = min(means, key=means.__getitem__, default="")
    return FinalReport(
        answers_scored=len(counted),
        overall=_mean(each.scores.overall for each in counted if each.scores),
        technical_accuracy=_mean(scores.technical_accuracy for scores, _ in measured),
        reasoning_depth=_mean(each.reasoning_depth for _, each in measured),
        communication_clarity=_mean(each.communication_clarity for _, each in measured),
        combined=_mean(combined(scores.technical_accuracy, each) for scores, each in measured),
        topic_scores=means,
        best=best if best and means[best] >= GOOD_FROM else "",
        to_practise=worst if worst != best and means[worst] < VERY_GOOD_FROM else "",
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(fmean(found), 1) if found else None
