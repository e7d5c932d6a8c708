"""Measuring of an answer: each metric from its words and the verdicts on them, and the three put together."""

from __future__ import annotations

from collections.abc import Sequence

from domain.metrics import AnswerMetrics, Metric, MetricsFeedback
from domain.verdict import Evaluation
from graph.metrics.feedback import accuracy_feedback, clarity_feedback, depth_feedback
from graph.metrics.marks import find_marks
from graph.metrics.rubrics import communication_clarity, reasoning_depth


def technical_accuracy_of(evaluation: Evaluation) -> Metric | None:
    """Whether what was said holds, as the judge scores it; None when an answer has no scores."""
    if evaluation.scores is None:
        return None
    score = evaluation.scores.technical_accuracy
    return Metric(score=score, feedback=accuracy_feedback(score))


def reasoning_depth_of(words: Sequence[str]) -> Metric:
    """Whether it is said why, with the words that show it."""
    marks = tuple(mark for mark in find_marks(words) if mark.sign != "order")
    score = round(reasoning_depth(marks), 1)
    return Metric(score=score, marks=marks, feedback=depth_feedback(score, marks))


def communication_clarity_of(evaluation: Evaluation, words: Sequence[str]) -> Metric:
    """Whether it speaks to what was asked, in an order, with the words that tell the order."""
    marks = tuple(mark for mark in find_marks(words) if mark.sign == "order")
    score = round(communication_clarity(marks, evaluation.verdicts, len(words)), 1)
    return Metric(score=score, marks=marks, feedback=clarity_feedback(evaluation.verdicts, marks))


def together(technical_accuracy: Metric, reasoning_depth: Metric, communication_clarity: Metric) -> AnswerMetrics:
    """The three metrics of an answer, with what they come to in at most 100 words."""
    marks = (*reasoning_depth.marks, *communication_clarity.marks)
    feedback = (technical_accuracy.feedback, reasoning_depth.feedback, communication_clarity.feedback)
    return AnswerMetrics(
        reasoning_depth=reasoning_depth.score,
        communication_clarity=communication_clarity.score,
        marks=tuple(sorted(marks, key=lambda mark: (mark.first_word, mark.sign))),
        feedback=" ".join(feedback),
        on_each=MetricsFeedback(
            technical_accuracy=technical_accuracy.feedback,
            reasoning_depth=reasoning_depth.feedback,
            communication_clarity=communication_clarity.feedback,
        ),
    )


def measured(evaluation: Evaluation, words: Sequence[str]) -> AnswerMetrics | None:
    """The metrics of an answer that is judged outside of an interview's turn; None when it has no scores.

    Args:
        evaluation: what was judged.
        words: the words that its quotes count.
    """
    accuracy = technical_accuracy_of(evaluation)
    if accuracy is None:
        return None
    return together(accuracy, reasoning_depth_of(words), communication_clarity_of(evaluation, words))
