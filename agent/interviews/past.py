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
    answer: AnswerTaken | None = None
    """The last that was taken."""
    voided: frozenset[int] = frozenset()
    """Turns that were given up."""
    heard: frozenset[SpeechKind] = frozenset()
    """What was said to the last answer, as far as the candidate heard its beginning."""

    @property
    def unanswered(self) -> AnswerTaken | None:
        """The last answer, unless its turn was given up."""
        return self.answer if self.answer and self.answer.turn not in self.voided else None


def read_past(events: Sequence[Event]) -> Past:
    """The past of an interview, from its events in order."""
    answer = next((event for event in reversed(events) if isinstance(event, AnswerTaken)), None)
    return Past(
        created=next((event for event in events if isinstance(event, InterviewCreated)), None),
        ended=next((event for event in reversed(events) if isinstance(event, InterviewEnded)), None),
        answer=answer,
        voided=frozenset(event.turn for event in events if isinstance(event, TurnVoided)),
        heard=frozenset(
            event.speech
            for event in events
            if isinstance(event, SpeechStarted) and answer is not None and event.turn == answer.turn
        ),
    )
