"""What the record knows of a session. With the checkpoints of the graph, it is all there is to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.interviews.past import Past, read_past
from domain.events import (
    Event,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    PlanMade,
    ReviewReleased,
    ReviewRequested,
    SpeechStarted,
    Supervised,
)
from domain.vocabulary import SpeechKind


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the interviewer's."""

    kind: SpeechKind
    text: str
    question_id: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """A text interview as its record has it."""

    session_id: str
    past: Past
    started_at: float
    last_at: float
    """Time of the last event. In virtual time it is now: time has not moved since."""
    said: tuple[Said, ...]
    """What the interviewer said in the last turn."""
    asked: Mapping[str, str]
    """Every question that was asked, as it was asked last, by its id."""
    questions_done: int
    target_questions: int
    reviews: frozenset[int]
    """Turns that a person was asked to look at."""
    released: frozenset[int]
    """Turns that a person let go on."""

    @property
    def created(self) -> InterviewCreated:
        """What was asked for."""
        assert self.past.created is not None, "a session was created"
        return self.past.created

    @property
    def ended(self) -> InterviewEnded | None:
        """How it ended; None while it goes on."""
        return self.past.ended

    @property
    def turn(self) -> int:
        """Number of the last turn; 0 before the candidate said anything."""
        return self.past.answer.turn if self.past.answer else 0

    @property
    def virtual(self) -> bool:
        """True when time passes only by what the client says."""
        return self.created.time == "virtual"


def read_facts(session_id: str, events: Sequence[Event]) -> Facts | None:
    """The facts of a session, from its events in order; None when there is no text interview of this id."""
    past = read_past(events)
    created = past.created
    if created is None or created.medium != "text":
        return None
    turn = past.answer.turn if past.answer else 0
    decisions = (event for event in reversed(events) if isinstance(event, Supervised) and event.turn not in past.voided)
    supervised = next(decisions, None)
    plan = next((event for event in reversed(events) if isinstance(event, PlanMade)), None)
    return Facts(
        session_id=session_id,
        past=past,
        started_at=next((event.at for event in events if isinstance(event, InterviewStarted)), created.at),
        last_at=events[-1].at,
        said=tuple(
            Said(event.speech, event.text, event.question_id)
            for event in events
            if isinstance(event, SpeechStarted) and event.turn == turn
        ),
        asked={e.question_id: e.text for e in events if isinstance(e, SpeechStarted) and e.speech == "question"},
        questions_done=supervised.question_count if supervised else 0,
        target_questions=plan.target_questions if plan else 0,
        reviews=frozenset(event.turn for event in events if isinstance(event, ReviewRequested)),
        released=frozenset(event.turn for event in events if isinstance(event, ReviewReleased)),
    )
