"""Answer view: one answer as the report shows it, with every quote's place in the recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.events import Event, QuestionSelected, SpeechEnded, SpeechStarted, Word
from domain.verdict import Verdict
from review.record.timeline import TimeLine
from review.report.answer_spans import AnswerPart
from review.report.answers import GIVEN_UP, GivenAnswer
from review.report.heard_again import HeardAgainByTurn
from review.report.models import Contest, FirstJudgement, HumanReview, PlacedVerdict, ReportedAnswer, SaidPart

Questions = Mapping[str, QuestionSelected]


def questions_of(events: Sequence[Event]) -> Questions:
    """The questions that were chosen, by their id."""
    return {event.question_id: event for event in events if isinstance(event, QuestionSelected)}


def reported(
    answer: GivenAnswer, events: Sequence[Event], questions: Questions, again: HeardAgainByTurn, line: TimeLine
) -> ReportedAnswer:
    """What the report says about an answer.

    Args:
        answer: the answer as it stands.
        events: the record.
        questions: `questions_of` the record.
        again: `heard_again` of the record.
        line: the record's time line.
    """
    question = questions.get(answer.question_id)
    judged = answer.judged
    parts = () if answer.skipped else answer.parts
    words = () if answer.skipped else answer.words
    return ReportedAnswer(
        turn=answer.turn,
        question_id=answer.question_id,
        question=question.text if question else _as_spoken(answer.question_id, events),
        question_kind=question.question_kind if question else None,
        source=question.source if question else "",
        topic=judged.topic if judged else question.topic if question else "",
        difficulty=judged.difficulty if judged else question.difficulty if question else "",
        answer="" if answer.skipped else answer.text,
        parts=[_said_part(part, line) for part in parts] if len(parts) > 1 else [],
        start_s=line.place(words[0].start_at) if words else None,
        end_s=line.place(words[-1].end_at) if words else None,
        skipped=answer.skipped,
        hints=judged.hints if judged else 0,
        verdicts=[_placed(verdict, answer, line) for verdict in judged.verdicts] if judged else [],
        scores=judged.scores if judged else None,
        metrics=judged.metrics if judged else None,
        not_scored=_reason(answer),
        judge=judged.judge if judged else "",
        fallback=judged.fallback if judged else False,
        drift=judged.drift if judged else False,
        second_judge=judged.second_judge if judged else "",
        second_verdicts=[_placed(verdict, answer, line) for verdict in judged.second_verdicts] if judged else [],
        contests=[Contest(note=c.note, by=c.by, points=c.points, judge=c.judge) for c in answer.contests],
        before_contest=_before_contest(answer, line),
        heard_again=again.get(answer.turn),
        feedback=_feedback(answer),
        feedback_heard=_feedback_heard(answer),
        thinking_s=_thinking_s(answer, events, line),
        waiting_s=_waiting_s(answer, line),
        review=_review(answer),
        before_correction=reported(answer.corrects, events, questions, again, line) if answer.corrects else None,
    )


def _before_contest(answer: GivenAnswer, line: TimeLine) -> FirstJudgement | None:
    first = answer.first_judged
    if first is None:
        return None
    return FirstJudgement(
        judge=first.judge,
        verdicts=[_placed(verdict, answer, line) for verdict in first.verdicts],
        scores=first.scores,
        not_scored=first.not_scored,
    )


def _said_part(part: AnswerPart, line: TimeLine) -> SaidPart:
    words = part.words
    return SaidPart(
        turn=part.taken.turn,
        text=part.text,
        start_s=line.place(words[0].start_at) if words else None,
        end_s=line.place(words[-1].end_at) if words else None,
    )


def _placed(verdict: Verdict, answer: GivenAnswer, line: TimeLine) -> PlacedVerdict:
    said = quoted_words(verdict, answer.words)
    return PlacedVerdict(
        **dict(verdict),
        start_s=line.place(said[0].start_at) if said else None,
        end_s=line.place(said[-1].end_at) if said else None,
    )


def quoted_words(verdict: Verdict, words: Sequence[Word]) -> Sequence[Word]:
    """The words of the answer that a verdict quotes; none without a quote, or where words have no times."""
    quote = verdict.quote
    if quote is None or not 0 <= quote.first_word <= quote.last_word < len(words):
        return ()
    return words[quote.first_word : quote.last_word + 1]


def _reason(answer: GivenAnswer) -> str:
    """Why the answer has no scores; empty when it has."""
    if answer.scores is not None:
        return ""
    if answer.voided:
        return GIVEN_UP
    if answer.judged is not None:
        return answer.judged.not_scored or "The judge gave no scores."
    if answer.skipped:
        return "The question was skipped."
    return "The interview ended before this answer was judged."


def _feedback(answer: GivenAnswer) -> str:
    return answer.feedback.text if answer.feedback else ""


def _feedback_heard(answer: GivenAnswer) -> str:
    if answer.kept:
        return ""
    # After a crash a sentence may have been spoken twice.
    return " ".join(dict.fromkeys(ended.heard for ended in answer.feedback_ends if ended.heard))


def _review(answer: GivenAnswer) -> HumanReview | None:
    requested, released = answer.review_requested, answer.review_released
    if requested is None and released is None:
        return None
    return HumanReview(
        why=requested.why if requested else "",
        released=released is not None,
        by=released.by if released else "",
        note=released.note if released else "",
    )


def _thinking_s(answer: GivenAnswer, events: Sequence[Event], line: TimeLine) -> float | None:
    """From the end of the question, as it was last heard before the answer began, to the answer's first word."""
    if line.medium == "text" or answer.corrects or answer.skipped or not answer.words:
        return None
    begun = answer.words[0].start_at
    asked = (
        event.at
        for event in events
        if isinstance(event, SpeechEnded)
        and event.question_id == answer.question_id
        and event.speech in ("question", "reply")
        and event.at <= begun
    )
    return _between(max(asked, default=None), begun)


def _waiting_s(answer: GivenAnswer, line: TimeLine) -> float | None:
    if line.medium == "text" or answer.taken is None:
        return None
    return _between(answer.taken.speech_ended_at, answer.replied_at)


def _between(start_at: float | None, end_at: float | None) -> float | None:
    return None if start_at is None or end_at is None else round(max(0.0, end_at - start_at), 3)


def _as_spoken(question_id: str, events: Sequence[Event]) -> str:
    spoken = (e.text for e in events if isinstance(e, SpeechStarted) and e.question_id == question_id)
    return next(spoken, "")
