"""Questions of the bank, as they will be asked."""

from __future__ import annotations

from domain.question import FollowUp, KeyPoints, Question
from domain.vocabulary import Grade
from rag.packs.pack import BankQuestion


def from_bank(
    question: BankQuestion,
    *,
    topic_title: str,
    concepts: tuple[str, ...],
    grade: Grade,
    attempts: int,
    lead_in: str = "",
) -> Question:
    """A question of the bank as it will be asked.

    Args:
        question: what the bank holds.
        topic_title: its topic, as it is spoken.
        concepts: spoken names of the question's concepts.
        grade: retrieval's grade for the batch the question came from.
        attempts: how many retrieval attempts that took.
        lead_in: words spoken before it ("Let's talk about caching."), or nothing.
    """
    return Question(
        id=question.id,
        text=question.text,
        lead_in=lead_in,
        kind="retrieved",
        source="plan",
        topic=question.topic,
        topic_title=topic_title,
        difficulty=question.difficulty,
        targets=KeyPoints(
            points=tuple(question.key_points),
            misconceptions=tuple(question.misconceptions),
            parts=tuple(question.parts),
            corrections=tuple(question.corrections),
            spoken=tuple(question.spoken_points.get(number, "") for number in range(1, len(question.key_points) + 1))
            if question.spoken_points
            else (),
        ),
        hints=tuple(question.hints),
        follow_ups=tuple(FollowUp(points=question.asked_by(seed), text=seed.text) for seed in question.follow_ups),
        expected_answer=question.model_answer,
        concepts=concepts,
        minutes=question.minutes,
        anchor=next(iter(concepts), None),
        grade=grade,
        attempts=attempts,
    )
