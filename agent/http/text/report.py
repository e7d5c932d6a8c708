"""Report of an ended interview, in the field names that clients of the API know."""

from __future__ import annotations

from collections.abc import Sequence

from agent.http.text.schemas import FinalReport, ReportedEvaluation
from domain.events import Event
from review import build_report
from review.report.models import ReportedAnswer


def final_report(session_id: str, events: Sequence[Event]) -> FinalReport:
    """Derive the report from an interview's events, in the order of the record."""
    report = build_report(events)
    return FinalReport(
        session_id=session_id,
        overall_score=report.overall_score,
        adjusted_score=report.adjusted_score,
        questions_asked=report.questions_asked,
        time_taken_minutes=report.time_taken_minutes,
        difficulty_progression=report.difficulty_progression,
        topic_scores=report.topic_scores,
        strengths=report.strengths,
        areas_for_improvement=report.areas_for_improvement,
        performance_notes=report.performance_notes,
        fallback_count=report.fallback_count,
        detailed_evaluations=[_evaluation(answer) for answer in report.answers],
        end_reason=report.end_reason,
        caveats=report.caveats,
        full=report,
    )


def _evaluation(answer: ReportedAnswer) -> ReportedEvaluation:
    scores = answer.scores
    return ReportedEvaluation(
        turn=answer.turn,
        question_id=answer.question_id,
        question=answer.question,
        question_kind=answer.question_kind,
        topic=answer.topic,
        difficulty=answer.difficulty,
        answer=answer.answer,
        overall_score=scores.overall if scores else None,
        score_low=scores.low if scores else None,
        score_high=scores.high if scores else None,
        technical_accuracy=scores.technical_accuracy if scores else None,
        completeness=scores.completeness if scores else None,
        depth=scores.depth if scores else None,
        clarity=scores.clarity if scores else None,
        not_scored=answer.not_scored,
        is_fallback=answer.fallback,
        judge=answer.judge,
        verdicts=answer.verdicts,
        feedback=answer.feedback,
    )
