"""Past of an interview: what its record knows of it. With the graph's checkpoints, it is all there is to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.events import AnswerTaken, Event, InterviewCreated, InterviewEnded, SpeechStarted, TurnVoided
from domain.vocabulary import SpeechKind


@dataclass(frozen=True, slots=True)
class Past:
    """What happened before an interview was opened."""

    created: InterviewCreated | None = None
    ended: InterviewEnded | None = None
    answers: tuple[AnswerTaken, ...] = ()
    """All that were taken, in their order."""
    voided: frozenset[int] = frozenset()
    """Turns that were given up."""
    heard: frozenset[SpeechKind] = frozenset()
    """What was said to the last answer, as far as the candidate heard its beginning."""

    @property
    def answer(self) -> AnswerTaken | None:
        """The last that was taken."""
        return self.answers[-1] if self.answers else None

    @property
    def unanswered(self) -> AnswerTaken | None:
        """The last answer, unless its turn was given up."""
        return self.answer if self.answer and self.answer.turn not in self.voided else None


def read_past(events: Sequence[Event]) -> Past:
    """The past of an interview, from its events in order."""
    answers = tuple(event for event in events if isinstance(event, AnswerTaken))
    return Past(
        created=next((event for event in events if isinstance(event, InterviewCreated)), None),
        ended=next((event for event in reversed(events) if isinstance(event, InterviewEnded)), None),
        answers=answers,
        voided=frozenset(event.turn for event in events if isinstance(event, TurnVoided)),
        heard=frozenset(
            event.speech
            for event in events
            if isinstance(event, SpeechStarted) and answers and event.turn == answers[-1].turn
        ),
    )
