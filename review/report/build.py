"""Report: what came out of an interview, and what each figure rests on.

Scores follow the rules of a fair examiner: an answer that nobody could judge is outside every average, and so is one
that the candidate corrected, and one for which another judge had to stand in; harder questions count more in the
adjusted score; every verdict keeps the words it rests on with their place in the recording.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from domain.events import AnswerJudged, Event, InterviewCreated, InterviewEnded, InterviewStarted, ProblemNoticed
from review.record.reheard import with_better_words
from review.record.timeline import TimeLine, time_line
from review.record.titles import topic_titles
from review.report.answer_view import questions_of, reported
from review.report.answers import DIFFICULTY_WEIGHTS, given_answers, mean
from review.report.call import reported_call, resumed_after_crash
from review.report.caveats import caveats
from review.report.findings import best_points, gaps, practise_next
from review.report.heard_again import heard_again
from review.report.models import Report, ReportedProblem
from review.report.notes import asked_questions, performance_notes, reported_notes
from review.transcript.build import Transcript, build_transcript

STRENGTH = 7.0
"""A topic is a strength from this mean on (0 to 10)."""
WEAKNESS = 6.0
"""A topic is an area for improvement below this mean (0 to 10)."""

_NO_TOPIC = ("", "unknown")


def build_report(events: Sequence[Event]) -> Report:
    """Derive the report from an interview's events, given in the order of the record.

    Turns that a continued one replaced are left out. Without a scored answer, `overall_score` is None.
    """
    again = heard_again(events)
    events = with_better_words(events)
    line = time_line(events)
    given = given_answers(events)
    questions = questions_of(events)
    answers = [reported(answer, events, questions, again, line) for answer in given]
    scored = [answer.judged for answer in given if answer.judged and answer.counts]
    topic_scores = _topic_scores(scored)
    missed = gaps(answers)
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    overalls = [judged.scores for judged in scored if judged.scores]
    return Report(
        candidate_name=created.candidate_name if created else "",
        pack=created.pack if created else "",
        pack_title=created.pack_title if created else "",
        medium=line.medium,
        overall_score=mean([scores.overall for scores in overalls]),
        overall_low=mean([scores.low for scores in overalls]),
        overall_high=mean([scores.high for scores in overalls]),
        adjusted_score=adjusted_score(scored),
        questions_asked=len(asked_questions(events)),
        answers_scored=len(scored),
        answers_not_scored=sum(1 for answer in given if answer.scores is None),
        time_taken_minutes=_minutes(events),
        difficulty_progression=[answer.judged.difficulty for answer in given if answer.judged and not answer.voided],
        topic_titles=topic_titles(events),
        topic_scores=topic_scores,
        strengths=[topic for topic, score in topic_scores.items() if score >= STRENGTH],
        areas_for_improvement=[topic for topic, score in topic_scores.items() if score < WEAKNESS],
        best_points=best_points(answers),
        gaps=missed,
        performance_notes=performance_notes(events, given),
        notes=reported_notes(events, answers),
        practise_next=practise_next(missed, answers, topic_scores),
        fallback_count=sum(1 for answer in given if answer.judged and answer.judged.fallback),
        talk_share=_talk_share(build_transcript(events)),
        answers=answers,
        caveats=caveats(events, given),
        problems=_problems(events, line),
        end_reason=next((event.reason for event in reversed(events) if isinstance(event, InterviewEnded)), None),
        resumed=resumed_after_crash(events),
        recorded=line.recorded,
        call=reported_call(events),
    )


def adjusted_score(scored: Iterable[AnswerJudged]) -> float | None:
    """Mean of the overall scores, weighted by the difficulty that was really asked; None of nothing."""
    pairs = [(DIFFICULTY_WEIGHTS[judged.difficulty], judged.scores.overall) for judged in scored if judged.scores]
    if not pairs:
        return None
    weight = math.fsum(weight for weight, _ in pairs)
    return round(math.fsum(weight * score for weight, score in pairs) / weight, 1)


def _topic_scores(scored: Iterable[AnswerJudged]) -> dict[str, float]:
    by_topic: dict[str, list[float]] = {}
    for judged in scored:
        if judged.scores and judged.topic not in _NO_TOPIC:
            by_topic.setdefault(judged.topic, []).append(judged.scores.overall)
    return {topic: average for topic, scores in by_topic.items() if (average := mean(scores)) is not None}


def _minutes(events: Sequence[Event]) -> float:
    """From the interviewer's arrival to the end: the wait for the candidate to join does not count."""
    begun = next((event.at for event in events if isinstance(event, InterviewStarted)), None)
    if begun is None:
        return 0.0
    ended = next((event.at for event in events if isinstance(event, InterviewEnded)), events[-1].at)
    return round((ended - begun) / 60, 1)


def _talk_share(transcript: Transcript) -> float | None:
    """The candidate's part of all the talking, 0 to 1; None where nobody talks."""
    if transcript.medium == "text":
        return None
    spoken = {"candidate": 0.0, "interviewer": 0.0}
    for entry in transcript.entries:
        spoken[entry.speaker] += entry.end_s - entry.start_s
    total = sum(spoken.values())
    return round(spoken["candidate"] / total, 2) if total else None


def _problems(events: Sequence[Event], line: TimeLine) -> list[ReportedProblem]:
    return [
        ReportedProblem(at_s=line.seconds(event.at), what=event.what, advice=event.advice)
        for event in events
        if isinstance(event, ProblemNoticed)
    ]
