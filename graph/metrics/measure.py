"""Measuring of an answer: its metrics from its words and the verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence

from domain.metrics import AnswerMetrics
from domain.verdict import Evaluation
from graph.metrics.marks import find_marks
from graph.metrics.overall import overall_feedback
from graph.metrics.rubrics import communication_clarity, reasoning_depth


def measured(evaluation: Evaluation, words: Sequence[str]) -> AnswerMetrics | None:
    """The metrics of a judged answer; None when it has no scores.

    Args:
        evaluation: what was judged.
        words: the words that its quotes count.
    """
    if evaluation.scores is None:
        return None
    marks = find_marks(words)
    metrics = AnswerMetrics(
        reasoning_depth=round(reasoning_depth(marks), 1),
        communication_clarity=round(communication_clarity(marks, evaluation.verdicts), 1),
        marks=marks,
    )
    return metrics.model_copy(update={"feedback": overall_feedback(evaluation.scores.technical_accuracy, metrics)})
