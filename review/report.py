"""What came out of an interview, and what each figure rests on.

Scores follow the rules of a fair examiner: an answer that nobody could judge is outside every average, harder
questions count more in the adjusted score, and every verdict keeps the words it rests on with their place in the
recording.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from review.answers import DIFFICULTY_WEIGHTS, GivenAnswer, given_answers, mean
from review.caveats import caveats, performance_notes
from review.events import (
    AnswerJudged,
    Event,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    ProblemNoticed,
    QuestionSelected,
    SpeechEnded,
    SpeechStarted,
    VerdictRecord,
)
from review.report_models import Judgement, MissedPoint, Practice, Problem, Report, ReportedAnswer
from review.timeline import TimeLine, time_line
from review.transcript import Transcript, build_transcript

STRENGTH = 7.0
"""A topic is a strength from this mean on (0 to 10)."""
WEAKNESS = 6.0
"""A topic is an area for improvement below this mean (0 to 10)."""


def build_report(events: Sequence[Event]) -> Report:
    """Derive the report from an interview's events, given in the order of the record.

    Turns that a continued one replaced are left out. Without a scored answer, `overall_score` is None.
    """
    line = time_line(events)
    given = given_answers(events)
    questions = _questions(events)
    scored = [answer.judged for answer in given if answer.judged and answer.judged.scores]
    topic_scores = _topic_scores(scored)
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    overalls = [judged.scores for judged in scored if judged.scores]
    return Report(
        candidate_name=created.candidate_name if created else "",
        pack_title=created.pack_title if created else "",
        overall_score=mean([scores.overall for scores in overalls]),
        overall_low=mean([scores.low for scores in overalls]),
        overall_high=mean([scores.high for scores in overalls]),
        adjusted_score=adjusted_score(scored),
        questions_asked=len(_asked(events)),
        answers_scored=len(scored),
        answers_not_scored=len(given) - len(scored),
        time_taken_minutes=_minutes(events),
        difficulty_progression=[answer.judged.difficulty for answer in given if answer.judged],
        topic_scores=topic_scores,
        strengths=[topic for topic, score in topic_scores.items() if score >= STRENGTH],
        areas_for_improvement=[topic for topic, score in topic_scores.items() if score < WEAKNESS],
        performance_notes=performance_notes(events, given),
        practise_next=_practise_next(scored, questions, topic_scores),
        fallback_count=sum(1 for answer in given if answer.judged and answer.judged.fallback),
        talk_share=_talk_share(build_transcript(events)),
        answers=[_reported(answer, events, questions, line) for answer in given],
        caveats=caveats(events, given),
        problems=[
            Problem(at_s=line.seconds(event.at), what=event.what, advice=event.advice)
            for event in events
            if isinstance(event, ProblemNoticed)
        ],
        end_reason=next((event.reason for event in reversed(events) if isinstance(event, InterviewEnded)), None),
        resumed=sum(1 for event in events if isinstance(event, InterviewStarted) and event.resumed),
        recorded=line.recorded,
    )


def adjusted_score(scored: Iterable[AnswerJudged]) -> float | None:
    """Mean of the overall scores, weighted by the difficulty that was really asked; None of nothing."""
    pairs = [
        (DIFFICULTY_WEIGHTS.get(judged.difficulty, 1.0), judged.scores.overall) for judged in scored if judged.scores
    ]
    if not pairs:
        return None
    weight = math.fsum(weight for weight, _ in pairs)
    return round(math.fsum(weight * score for weight, score in pairs) / weight, 1)


def _topic_scores(scored: Iterable[AnswerJudged]) -> dict[str, float]:
    by_topic: dict[str, list[float]] = {}
    for judged in scored:
        if judged.scores:
            by_topic.setdefault(judged.topic, []).append(judged.scores.overall)
    return {topic: average for topic, scores in by_topic.items() if (average := mean(scores)) is not None}


def _questions(events: Iterable[Event]) -> dict[str, QuestionSelected]:
    return {event.question_id: event for event in events if isinstance(event, QuestionSelected)}


def _asked(events: Iterable[Event]) -> set[str]:
    """Ids of the questions that were begun aloud; asking one again counts once."""
    return {event.question_id for event in events if isinstance(event, SpeechStarted) and event.speech == "question"}


def _minutes(events: Sequence[Event]) -> float:
    """From the interviewer's arrival to the end: the wait for the candidate to join does not count."""
    begun = next((event.at for event in events if isinstance(event, InterviewStarted)), None)
    if begun is None:
        return 0.0
    ended = next((event.at for event in events if isinstance(event, InterviewEnded)), events[-1].at)
    return round((ended - begun) / 60, 1)


def _talk_share(transcript: Transcript) -> float | None:
    """The candidate's part of all the talking, 0 to 1."""
    spoken = {"candidate": 0.0, "interviewer": 0.0}
    for entry in transcript.entries:
        spoken[entry.speaker] += entry.end_s - entry.start_s
    total = sum(spoken.values())
    return round(spoken["candidate"] / total, 2) if total else None


def _reported(
    answer: GivenAnswer, events: Sequence[Event], questions: Mapping[str, QuestionSelected], line: TimeLine
) -> ReportedAnswer:
    question = questions.get(answer.question_id)
    judged = answer.judged
    words = answer.words
    asked_until = _asked_until(answer, events)
    ended_at = answer.taken.speech_ended_at if answer.taken else None
    return ReportedAnswer(
        turn=answer.turn,
        question_id=answer.question_id,
        question=question.text if question else _as_spoken(answer.question_id, events),
        question_kind=question.question_kind if question else None,
        source=question.source if question else "",
        topic=judged.topic if judged else question.topic if question else "",
        difficulty=judged.difficulty if judged else question.difficulty if question else "",
        answer=answer.taken.text if answer.taken else "",
        start_s=line.seconds(words[0].start_at) if words else None,
        end_s=line.seconds(words[-1].end_at) if words else None,
        skipped=answer.intent == "skip",
        verdicts=[_judgement(verdict, answer, line) for verdict in judged.verdicts] if judged else [],
        scores=judged.scores if judged else None,
        not_scored=_reason(answer),
        judge=judged.judge if judged else "",
        fallback=judged.fallback if judged else False,
        feedback=answer.feedback.text if answer.feedback else "",
        feedback_heard=answer.feedback_ended.heard if answer.feedback_ended else "",
        thinking_s=_between(asked_until, words[0].start_at if words else None),
        waiting_s=_between(ended_at, answer.replied_at),
    )


def _judgement(verdict: VerdictRecord, answer: GivenAnswer, line: TimeLine) -> Judgement:
    first, last = verdict.first_word, verdict.last_word
    placed = first is not None and last is not None and 0 <= first <= last < len(answer.words)
    return Judgement(
        point=verdict.point,
        kind=verdict.kind,
        status=verdict.status,
        quote=verdict.quote,
        start_s=line.seconds(answer.words[first].start_at) if placed and first is not None else None,
        end_s=line.seconds(answer.words[last].end_at) if placed and last is not None else None,
        probability=verdict.probability,
        rule=verdict.rule,
    )


def _reason(answer: GivenAnswer) -> str:
    """Why the answer has no scores; empty when it has."""
    if answer.scores is not None:
        return ""
    if answer.judged is not None:
        return answer.judged.not_scored or "The judge gave no scores."
    if answer.intent == "skip":
        return "The question was skipped."
    return "The interview ended before this answer was judged."


def _asked_until(answer: GivenAnswer, events: Sequence[Event]) -> float | None:
    """When the question was last heard to its end before the answer began."""
    if not answer.words:
        return None
    begun = answer.words[0].start_at
    return max(
        (
            event.at
            for event in events
            if isinstance(event, SpeechEnded)
            and event.question_id == answer.question_id
            and event.speech in ("question", "reply")
            and event.at <= begun
        ),
        default=None,
    )


def _as_spoken(question_id: str, events: Sequence[Event]) -> str:
    spoken = (e.text for e in events if isinstance(e, SpeechStarted) and e.question_id == question_id)
    return next(spoken, "")


def _between(start_at: float | None, end_at: float | None) -> float | None:
    return None if start_at is None or end_at is None else round(max(0.0, end_at - start_at), 3)


def _practise_next(
    scored: Sequence[AnswerJudged], questions: Mapping[str, QuestionSelected], topic_scores: Mapping[str, float]
) -> list[Practice]:
    """What was missed and not made good in a later answer, the weakest topic first."""
    covered = {verdict.point for judged in scored for verdict in judged.verdicts if verdict.status == "covered"}
    missed: dict[str, dict[str, MissedPoint]] = {}
    for judged in scored:
        question = questions.get(judged.question_id)
        for verdict in judged.verdicts:
            if _is_missed(verdict) and (verdict.kind == "misconception" or verdict.point not in covered):
                missed.setdefault(judged.topic, {})[verdict.point] = MissedPoint(
                    point=verdict.point,
                    kind=verdict.kind,
                    status=verdict.status,
                    turn=judged.turn,
                    question_id=judged.question_id,
                    question=question.text if question else "",
                )
    topics = sorted(missed, key=lambda topic: topic_scores.get(topic, 0.0))
    return [
        Practice(topic=topic, score=topic_scores.get(topic), points=list(missed[topic].values())) for topic in topics
    ]


def _is_missed(verdict: VerdictRecord) -> bool:
    """A key point that was not fully made, or a misconception that was stated: its verdict is `contradicted`."""
    return verdict.status != ("missing" if verdict.kind == "misconception" else "covered")
