"""Marks: the metrics of an interview's answers so far, as they stand now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.events import Event, QuestionSelected
from domain.metrics import combined
from review.monitor.models import AnswerMark, InterviewMarks
from review.record.reheard import with_better_words
from review.record.titles import in_words, topic_titles
from review.report.answers import GivenAnswer, given_answers, mean


def interview_marks(events: Sequence[Event]) -> InterviewMarks:
    """What the answers that stand were given, and their means; by the better words, where a second decode gave some."""
    titles = topic_titles(events)
    given = given_answers(with_better_words(events))
    topics = {event.question_id: event.topic for event in events if isinstance(event, QuestionSelected)}
    answers = [_mark(answer, topics.get(answer.question_id, ""), titles) for answer in given]
    counted = [answer for answer in answers if answer.counts]
    return InterviewMarks(
        answers=tuple(answers),
        technical_accuracy=_mean(each.technical_accuracy for each in counted),
        reasoning_depth=_mean(each.reasoning_depth for each in counted),
        communication_clarity=_mean(each.communication_clarity for each in counted),
        combined=_mean(_combined(answer) for answer in given if answer.counts),
    )


def _mark(answer: GivenAnswer, asked_about: str, titles: Mapping[str, str]) -> AnswerMark:
    judged, scores = answer.judged, answer.scores
    metrics = judged.metrics if judged and scores else None
    topic = judged.topic if judged else asked_about
    return AnswerMark(
        turn=answer.turn,
        topic=titles.get(topic) or in_words(topic),
        difficulty=judged.difficulty if judged else "",
        overall=scores.overall if scores else None,
        technical_accuracy=scores.technical_accuracy if scores else None,
        reasoning_depth=metrics.reasoning_depth if metrics else None,
        communication_clarity=metrics.communication_clarity if metrics else None,
        not_scored=_not_scored(answer),
        counts=answer.counts,
    )


def _not_scored(answer: GivenAnswer) -> str:
    if answer.scores is not None:
        return ""
    if answer.judged is not None:
        return answer.judged.not_scored
    if answer.voided:
        return "The turn failed and was given up."
    return "Skipped." if answer.skipped else "Not judged yet."


def _combined(answer: GivenAnswer) -> float | None:
    judged, scores = answer.judged, answer.scores
    return combined(scores.technical_accuracy, judged.metrics) if judged and judged.metrics and scores else None


def _mean(figures: Iterable[float | None]) -> float | None:
    return mean([figure for figure in figures if figure is not None])
