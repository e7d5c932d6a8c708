"""A small pack and events, shared by the tests of the rehearsal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent.rehearsal.hearing import FRAME_S, HeardFrames
from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    FeedbackReady,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    QuestionSelected,
    RecordingFinished,
    SpeechStarted,
    Supervised,
    Word,
)
from domain.verdict import Scores
from rag.packs.pack import Pack

SCORES = Scores(technical_accuracy=8, completeness=7, depth=6, clarity=7, overall=7, low=6, high=8)


def bread_pack() -> Pack:
    """Two questions about bread."""
    return Pack.model_validate(
        {
            "id": "bread",
            "title": "Baking bread",
            "description": "A small pack for tests: how bread is made.",
            "topics": [{"id": "dough", "title": "Dough"}],
            "concepts": [
                {
                    "id": "gluten",
                    "name": "Gluten",
                    "explanation": "A protein network that kneading builds and that holds the gas.",
                    "simple_explanation": "The stretchy part of dough.",
                }
            ],
            "questions": [
                {
                    "id": "kneading",
                    "topic": "dough",
                    "difficulty": "easy",
                    "text": "Why is bread dough kneaded, and how do you know that it has been kneaded enough?",
                    "key_points": [
                        "Kneading builds the gluten network.",
                        "The network holds the gas of the yeast.",
                        "A thin film that does not tear shows that it is enough.",
                    ],
                    "misconceptions": [
                        "Kneading is there to warm the flour.",
                        "The film must tear at once for the dough to be ready.",
                    ],
                    "model_answer": (
                        "Kneading builds the gluten network. That network holds the gas of the yeast. "
                        "You stretch a piece, and if a thin film does not tear, it is enough."
                    ),
                    "minutes": 2,
                    "concepts": ["gluten"],
                },
                {
                    "id": "proving",
                    "topic": "dough",
                    "difficulty": "medium",
                    "text": "What happens to bread dough while it proves overnight in a cold fridge?",
                    "key_points": [
                        "Cold slows the yeast down.",
                        "Acids and flavour go on building.",
                        "A cold loaf is easier to score.",
                    ],
                    "misconceptions": ["The cold kills all the yeast."],
                    "model_answer": (
                        "The cold slows the yeast down, while acids and flavour go on building. "
                        "The cold loaf is easier to score as well."
                    ),
                    "minutes": 2,
                    "concepts": ["gluten"],
                },
            ],
        }
    )


def sound(*spans: tuple[float, float], until: float) -> HeardFrames:
    """Ten-millisecond frames from 0 to `until`, loud within the spans."""
    times = (np.arange(round(until / FRAME_S)) * FRAME_S).astype(np.float64)
    peaks = np.zeros(len(times), np.int32)
    for start, end in spans:
        peaks[(times >= start - 1e-6) & (times < end - 1e-6)] = 5000
    return HeardFrames(times, peaks)


def words(text: str, start: float, end: float) -> list[Word]:
    """Words evenly spread over a stretch of time."""
    parts = text.split()
    step = (end - start) / len(parts)
    return [
        Word(text=part, start_at=start + i * step, end_at=start + (i + 1) * step, confidence=0.9)
        for i, part in enumerate(parts)
    ]


def taken(turn: int, text: str, start: float, end: float, *, continues: bool = False, question: str = "q1") -> Event:
    """A turn of the candidate."""
    return AnswerTaken(
        at=end + 0.9,
        turn=turn,
        question_id=question,
        text=text,
        words=words(text, start, end),
        speech_ended_at=end,
        continues=continues,
    )


def judged(turn: int, at: float, *, scored: bool = True) -> Event:
    """The judge's word on a turn."""
    return AnswerJudged(
        at=at,
        turn=turn,
        question_id="q1",
        topic="dough",
        difficulty="easy",
        judge="built-in",
        verdicts=[],
        scores=SCORES if scored else None,
        not_scored="" if scored else "nothing to judge",
    )


def answered(turn: int, end: float, feedback: str, question: str) -> list[Event]:
    """What follows an answer that ended at `end`: judged, feedback spoken, question chosen, decided, and asked."""
    return [
        IntentDetected(at=end + 1.0, turn=turn, intent="answer", confidence=0.9),
        judged(turn, end + 1.1),
        FeedbackReady(at=end + 1.2, turn=turn, text=feedback, structure="brief"),
        SpeechStarted(at=end + 1.3, speech="feedback", text=feedback, turn=turn),
        QuestionSelected(
            at=end + 1.4,
            turn=turn,
            question_id="q2",
            text=question,
            question_kind="retrieved",
            topic="dough",
            difficulty="easy",
            source="plan",
        ),
        Supervised(
            at=end + 1.5, turn=turn, goes_on=True, question_count=turn, difficulty="easy", ema=7.0, remaining_s=100
        ),
        SpeechStarted(at=end + 3.0, speech="question", text=question, turn=turn, question_id="q2"),
    ]


def whole_interview(reason: str = "completed", *, ended_at: float = 60.0, extra: Sequence[Event] = ()) -> list[Event]:
    """An interview from second 0 that was judged and recorded."""
    return [
        InterviewStarted(at=0.0, judge="built-in"),
        *extra,
        InterviewEnded.model_validate({"at": ended_at, "reason": reason}),
        RecordingFinished(at=ended_at + 2, path="recording.ogg", started_at=0.0, duration_s=ended_at),
    ]
