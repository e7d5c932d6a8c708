"""Outcome of an interview: what it adds to its candidate's profile, from its record. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from domain.events import Event, InterviewCreated, InterviewEnded, QuestionSelected
from domain.metrics import AnswerMetrics
from domain.person import Evidence, InterviewOutcome
from domain.vocabulary import EvidenceKind
from review import build_report
from review.record.reheard import with_better_words
from review.report.answers import GivenAnswer, given_answers
from review.report.models import Finding, Report

SURE = 0.65
"""How probable a verdict has to be for its words to be proof: as one of a fair answer has to be to be spoken of."""
MOST_PROOFS = 2
"""For each topic; the surest."""


def outcome_of(interview_id: str, events: Sequence[Event]) -> InterviewOutcome | None:
    """What an interview adds to a profile, if only that it was held; None when it has not ended, or was a guest's.

    Counted are the answers that stand at the end and are in its averages: corrected ones once, by the better words, and
    none for which another judge had to stand in. A topic is a strength or a weakness as it is in the report, and only
    with words that prove it; what of a résumé was asked about is one only where it is a skill: an employer is none.

    Args:
        interview_id: the interview.
        events: its record, in order.
    """
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    ended = next((event for event in events if isinstance(event, InterviewEnded)), None)
    if created is None or ended is None or created.guest:
        return None
    given = given_answers(with_better_words(events))
    measured = [(answer, metrics) for answer in given if answer.counts and (metrics := _metrics(answer))]
    return InterviewOutcome(
        interview_id=interview_id,
        user_id=created.whose,
        name=created.candidate_name,
        at=ended.at,
        question_attempted=sum(not answer.skipped and not answer.voided for answer in given),
        answers_scored=len(measured),
        technical_accuracy=sum(answer.scores.technical_accuracy for answer, _ in measured if answer.scores),
        reasoning_depth=sum(metrics.reasoning_depth for _, metrics in measured),
        communication_clarity=sum(metrics.communication_clarity for _, metrics in measured),
        evidence=tuple(_evidence(interview_id, build_report(events), _places(events), ended.at)) if measured else (),
    )


def _places(events: Sequence[Event]) -> frozenset[str]:
    """Topics that are projects, positions or degrees of the résumé."""
    asked = (event for event in events if isinstance(event, QuestionSelected) and event.source == "resume")
    return frozenset(event.topic for event in asked if not event.topic.startswith("skill_"))


def _metrics(answer: GivenAnswer) -> AnswerMetrics | None:
    """The metrics of an answer. Old records have none, and they follow from its words and verdicts."""
    judged = answer.judged
    if judged is None or judged.metrics is not None:
        return judged.metrics if judged else None
    from graph.metrics.measure import measured  # noqa: PLC0415 - the graph, of which a web process may have no need

    return measured(judged, [word.text for word in answer.words])


def _evidence(interview_id: str, report: Report, places: Container[str], at: float) -> Iterator[Evidence]:
    stood_in = {answer.turn for answer in report.answers if answer.fallback}
    sides: tuple[tuple[EvidenceKind, Sequence[str], Sequence[Finding]], ...] = (
        ("strength", report.strengths, report.best_points),
        ("weakness", report.areas_for_improvement, report.gaps),
    )
    for kind, topics, findings in sides:
        for topic in (each for each in topics if each not in places):
            proofs = [each for each in findings if each.topic == topic and each.turn not in stood_in and _proves(each)]
            for finding in proofs[:MOST_PROOFS]:
                assert finding.quote is not None, "without words there is no proof"
                yield Evidence(
                    kind=kind,
                    subject=report.topic_titles.get(topic, topic),
                    point=finding.point,
                    interview_id=interview_id,
                    turn=finding.turn,
                    words=finding.quote.text,
                    first_word=finding.quote.first_word,
                    last_word=finding.quote.last_word,
                    start_s=finding.start_s,
                    at=at,
                )


def _proves(finding: Finding) -> bool:
    return finding.quote is not None and finding.probability >= SURE
