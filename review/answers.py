"""The candidate's answers as they stand at the end: what was taken, judged and said about each of them.

A turn is not final when it is recorded. A candidate who goes on before the next question is heard takes the turn back,
and a worker that comes back after a crash may judge an answer once more. Here each answer is found in its last form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from review.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    FeedbackReady,
    Intent,
    IntentDetected,
    Scores,
    SpeechEnded,
    SpeechStarted,
    Word,
)

DIFFICULTY_WEIGHTS = {"easy": 0.7, "medium": 1.0, "hard": 1.3}
"""What an answer counts in the adjusted score, by the difficulty of its question."""


@dataclass(slots=True)
class GivenAnswer:
    """One turn of the candidate, and what followed from it."""

    turn: int
    question_id: str
    taken: AnswerTaken | None = None
    intent: Intent | None = None
    judged: AnswerJudged | None = None
    feedback: FeedbackReady | None = None
    feedback_ended: SpeechEnded | None = None
    replied_at: float | None = None
    """When the interviewer's voice was first heard after it."""

    @property
    def words(self) -> Sequence[Word]:
        """The words that the verdicts' indices point into."""
        return self.taken.words if self.taken else ()

    @property
    def scores(self) -> Scores | None:
        """The scores; None when the answer is not scored, for whatever reason."""
        return self.judged.scores if self.judged else None

    @property
    def is_answer(self) -> bool:
        """False when the candidate only asked for something: to repeat, to wait, to stop."""
        return self.judged is not None or self.intent in (None, "answer", "skip")


def standing_turns(events: Sequence[Event]) -> list[GivenAnswer]:
    """The candidate's turns that were not replaced by a later one, in order, requests among them."""
    turns: list[GivenAnswer] = []
    taken = {event.turn for event in events if isinstance(event, AnswerTaken)}
    for event in events:
        match event:
            case AnswerTaken():
                _drop_replaced(turns, event)
                turns.append(GivenAnswer(event.turn, event.question_id, taken=event))
            case SpeechStarted() if turns and turns[-1].replied_at is None:
                turns[-1].replied_at = event.at
            case AnswerJudged() if event.turn not in taken and not _latest(turns, event.turn):
                turns.append(GivenAnswer(event.turn, event.question_id, judged=event))
            case IntentDetected() | AnswerJudged() | FeedbackReady() | SpeechEnded(speech="feedback"):
                if turn := _latest(turns, event.turn):
                    _note(turn, event)
            case _:
                pass
    return turns


def given_answers(events: Sequence[Event]) -> list[GivenAnswer]:
    """The answers that stand, in the order they were given; skipped questions among them, requests not."""
    return [turn for turn in standing_turns(events) if turn.is_answer]


def mean(values: Sequence[float]) -> float | None:
    """The mean, to one decimal; None of nothing: no score is not the same as zero."""
    return round(math.fsum(values) / len(values), 1) if values else None


def _drop_replaced(turns: list[GivenAnswer], taken: AnswerTaken) -> None:
    """Take back the turn that this one continues, or that it repeats after a crash."""
    if not turns or turns[-1].question_id != taken.question_id:
        return
    if taken.continues or turns[-1].turn == taken.turn:
        turns.pop()


def _note(turn: GivenAnswer, event: IntentDetected | AnswerJudged | FeedbackReady | SpeechEnded) -> None:
    match event:
        case IntentDetected():
            turn.intent = event.intent
        case AnswerJudged():
            turn.judged = event
        case FeedbackReady():
            turn.feedback = event
        case SpeechEnded():
            turn.feedback_ended = event


def _latest(turns: Sequence[GivenAnswer], number: int) -> GivenAnswer | None:
    return next((turn for turn in reversed(turns) if turn.turn == number), None)
