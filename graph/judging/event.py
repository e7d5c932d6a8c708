"""The event of a judgement: an evaluation in the words of the record."""

from __future__ import annotations

from domain.events import AnswerJudged, AnswerSpan, Scores, VerdictCounts, VerdictRecord
from graph.judging.verdicts import Evaluation, Verdict


def judged_event(evaluation: Evaluation, at: float) -> AnswerJudged:
    """What the record keeps of an evaluation.

    Args:
        evaluation: of one answer, with its turn.
        at: seconds since the epoch.
    """
    return AnswerJudged(
        at=at,
        turn=evaluation.turn,
        question_id=evaluation.question_id,
        topic=evaluation.topic,
        difficulty=evaluation.difficulty,
        judge=evaluation.judge,
        verdicts=[verdict_record(verdict) for verdict in evaluation.verdicts],
        scores=Scores(**evaluation.scores.model_dump()) if evaluation.scores else None,
        not_scored=evaluation.not_scored,
        fallback=evaluation.fallback,
        drift=evaluation.drift,
        second_judge=evaluation.second_judge,
        second_verdicts=[verdict_record(verdict) for verdict in evaluation.second_verdicts],
        spans=[AnswerSpan(**span.model_dump()) for span in evaluation.spans],
        replaces_turn=evaluation.replaces_turn,
        hints=evaluation.hints,
    )


def verdict_record(verdict: Verdict) -> VerdictRecord:
    """A judge's verdict in the record's words."""
    quote = verdict.quote
    return VerdictRecord(
        point=verdict.point,
        kind=verdict.kind,
        status=verdict.status,
        quote=quote.text if quote else "",
        first_word=quote.first_word if quote else None,
        last_word=quote.last_word if quote else None,
        probability=verdict.probability,
        rule=verdict.rule,
        counts=VerdictCounts(**verdict.counts.model_dump()) if verdict.counts else None,
    )
