"""What the tests of profiles are made of: a plainly fictitious candidate and their interviews."""

from __future__ import annotations

from domain.candidate import CandidateEducation, CandidateProfile, CandidateProject
from domain.person import Evidence, InterviewOutcome
from domain.vocabulary import EvidenceKind

RESUME = CandidateProfile(
    name="Ada Example",
    domain="Backend development",
    summary="Builds services for Contoso.",
    skills=("Python", "PostgreSQL"),
    categories=("Programming languages", "Databases"),
    projects=(CandidateProject(name="Order service", did=("Rebuilt it.",)),),
    education=(CandidateEducation(school="Fabrikam Academy"),),
    years=4,
)


def proof(
    interview_id: str, kind: EvidenceKind = "strength", subject: str = "Caching", *, words: str = "a copy is stale"
) -> Evidence:
    """Words that prove something."""
    return Evidence(
        kind=kind,
        subject=subject,
        point="A cached copy can be stale.",
        interview_id=interview_id,
        turn=1,
        words=words,
        first_word=3,
        last_word=6,
        start_s=12.5,
        at=float(len(interview_id)),
    )


def outcome(
    interview_id: str, *evidence: Evidence, user_id: str = "ada-example", scored: int = 2, each: float = 6.0
) -> InterviewOutcome:
    """An interview of which each answer got the same."""
    return InterviewOutcome(
        interview_id=interview_id,
        user_id=user_id,
        name="Ada Example",
        at=float(len(interview_id)),
        question_attempted=scored + 1,
        answers_scored=scored,
        technical_accuracy=scored * each,
        reasoning_depth=scored * (each - 3),
        communication_clarity=scored * (each + 3),
        evidence=evidence,
    )
