"""Summary of an interview in a line, for lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from domain.events import Event, InterviewCreated, InterviewEnded, InterviewStarted
from domain.vocabulary import Medium
from review.record.reheard import with_better_words
from review.report.answers import given_answers, mean

Status = Literal["created", "running", "ended", "unreadable"]
"""`unreadable`: it has an event that this version of Viva does not know, so nobody can tell how far it is."""


@dataclass(frozen=True, slots=True)
class Unended:
    """An interview that has not ended, as far as can be told without reading what happened in it."""

    id: str
    status: Status
    medium: Medium
    is_virtual: bool
    """True when time passes in it only by what its client says."""
    last_at: float
    """Time of its last event, in seconds since the epoch."""


class Summary(BaseModel):
    """What a list shows of an interview."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    id: str
    candidate_name: str
    pack_title: str
    created_at: float
    """Seconds since the epoch."""
    minutes: int
    """The time that was asked for."""
    status: Status
    overall: float | None
    """Mean of the scored answers, 0 to 10; None before the end, and when none is scored."""
    medium: Medium
    user_id: str
    """Whose profile it belongs to; empty when that cannot be read."""


def summarize(interview_id: str, events: Sequence[Event]) -> Summary:
    """Say in one line what an interview's events hold. `events` are in order, and at least one."""
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    status = status_of(events)
    # While it runs a score is neither final nor the candidate's to know.
    standing = given_answers(with_better_words(events)) if status == "ended" else []
    scores = [answer.scores.overall for answer in standing if answer.scores is not None and answer.counts]
    return Summary(
        id=interview_id,
        candidate_name=created.candidate_name if created else "",
        pack_title=created.pack_title if created else "",
        created_at=created.at if created else events[0].at,
        minutes=created.minutes if created else 0,
        status=status,
        overall=mean(scores),
        medium=created.medium if created else "voice",
        user_id=created.whose if created else "",
    )


def unreadable(interview_id: str, created: InterviewCreated | None, created_at: float) -> Summary:
    """What a list shows of an interview that cannot be read: what its first event says of it, if that can be.

    Args:
        interview_id: its id.
        created: its first event, if that can be read.
        created_at: when it was recorded, in seconds since the epoch.
    """
    return Summary(
        id=interview_id,
        candidate_name=created.candidate_name if created else "",
        pack_title=created.pack_title if created else "",
        created_at=created_at,
        minutes=created.minutes if created else 0,
        status="unreadable",
        overall=None,
        medium=created.medium if created else "voice",
        user_id=created.whose if created else "",
    )


def status_of(events: Sequence[Event]) -> Status:
    """How far an interview is."""
    if any(isinstance(event, InterviewEnded) for event in events):
        return "ended"
    return "running" if any(isinstance(event, InterviewStarted) for event in events) else "created"
