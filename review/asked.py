"""Which of the chosen questions the candidate was really asked."""

from __future__ import annotations

from collections.abc import Sequence

from review.events import AnswerTaken, Event, SpeechStarted
from review.timeline import medium_of


def asked_questions(events: Sequence[Event]) -> set[str]:
    """Ids of the questions that were begun aloud, or in an interview by text written; asking one again counts once."""
    asked = {event.question_id for event in events if isinstance(event, SpeechStarted) and event.speech == "question"}
    if medium_of(events) == "text":
        # Nobody types an answer to a question they have not read.
        asked |= {event.question_id for event in events if isinstance(event, AnswerTaken)}
    return asked - {""}
