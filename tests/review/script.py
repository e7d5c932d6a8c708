"""Writes an interview's events down without a room, as tests want them."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    FeedbackReady,
    IntentDetected,
    QuestionSelected,
    SpeechEnded,
    SpeechStarted,
    StageTimed,
    Supervised,
    UtteranceHeard,
    Word,
)
from domain.verdict import AnswerSpan, Quote, Scores, Verdict
from domain.vocabulary import Intent, SpeechKind, VerdictStatus


class Script:
    """Writes events down as an interview would, on a clock of its own."""

    def __init__(self, start_at: float) -> None:
        self.now = start_at
        self.events: list[Event] = []

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    def add(self, event: Event) -> None:
        """Record an event."""
        self.events.append(event)

    def interviewer(
        self, speech: SpeechKind, text: str, turn: int, question_id: str = "", *, heard_words: int | None = None
    ) -> None:
        """Speak; `heard_words` is where the candidate interrupted."""
        words = text.split()
        heard = words if heard_words is None else words[:heard_words]
        self.add(SpeechStarted(at=self.now, speech=speech, text=text, turn=turn, question_id=question_id))
        self.now = spoken(heard, self.now)[-1].end_at
        self.add(
            SpeechEnded(
                at=self.now,
                speech=speech,
                heard=" ".join(heard),
                interrupted=heard_words is not None,
                turn=turn,
                question_id=question_id,
            )
        )

    def candidate(self, text: str) -> list[Word]:
        """Say something; the recogniser reports it 0.2 s after it ended."""
        words = spoken(text.split(), self.now)
        self.now = words[-1].end_at
        self.add(UtteranceHeard(at=self.now + 0.2, text=text, words=words))
        return words

    def taken(
        self,
        turn: int,
        question_id: str,
        words: Sequence[Word],
        intent: Intent = "answer",
        *,
        continues: bool = False,
        confidence: float = 0.94,
        detail: str = "",
        asked: bool = False,
    ) -> None:
        """End the candidate's turn, 0.5 s after the last word."""
        text = " ".join(word.text for word in words)
        self.wait(0.5)
        self.add(
            AnswerTaken(
                at=self.now,
                turn=turn,
                question_id=question_id,
                text=text,
                words=list(words),
                speech_ended_at=words[-1].end_at,
                continues=continues,
            )
        )
        self.add(
            IntentDetected(
                at=self.now + 0.01,
                turn=turn,
                intent=intent,
                confidence=confidence,
                detector="rules",
                detail=detail,
                asked=asked,
            )
        )

    def judged(
        self,
        turn: int,
        question_id: str,
        verdicts: Sequence[Verdict],
        scores: Scores | None,
        *,
        topic: str = "generalisation",
        difficulty: str = "medium",
        not_scored: str = "",
        spans: Sequence[AnswerSpan] = (),
        replaces_turn: int | None = None,
        hints: int = 0,
        fallback: bool = False,
    ) -> None:
        """Judge the answer that was taken last."""
        self.wait(0.05)
        self.add(
            AnswerJudged(
                at=self.now,
                turn=turn,
                question_id=question_id,
                topic=topic,
                difficulty=difficulty,
                judge="built-in",
                verdicts=list(verdicts),
                scores=scores,
                not_scored=not_scored,
                spans=list(spans),
                replaces_turn=replaces_turn,
                hints=hints,
                fallback=fallback,
            )
        )
        self.add(StageTimed(at=self.now, turn=turn, stage="evaluate", seconds=0.045))

    def feedback(self, turn: int, text: str, *, heard_words: int | None = None) -> None:
        """Give feedback aloud."""
        self.add(FeedbackReady(at=self.now + 0.02, turn=turn, text=text, structure="strength_then_gap"))
        self.wait(0.25)
        self.interviewer("feedback", text, turn, heard_words=heard_words)

    def selected(
        self,
        turn: int,
        question_id: str,
        text: str,
        *,
        topic: str = "generalisation",
        difficulty: str = "medium",
        follow_up: bool = False,
        topic_title: str = "",
    ) -> None:
        """Choose the next question."""
        self.add(
            QuestionSelected(
                at=self.now - 0.8,
                turn=turn,
                question_id=question_id,
                text=text,
                question_kind="follow_up" if follow_up else "retrieved",
                topic=topic,
                difficulty=difficulty,
                source="plan",
                grade="" if follow_up else "high",
                attempts=0 if follow_up else 1,
                topic_title=topic_title,
            )
        )

    def supervised(self, turn: int, count: int, difficulty: str, ema: float | None, remaining_s: float) -> None:
        """Decide to go on."""
        self.add(
            Supervised(
                at=self.now - 0.7,
                turn=turn,
                goes_on=True,
                question_count=count,
                difficulty=difficulty,
                ema=ema,
                remaining_s=remaining_s,
            )
        )


class TextScript(Script):
    """Writes an interview by text down: nothing takes time but typing, and every word has the time it was sent."""

    def interviewer(
        self, speech: SpeechKind, text: str, turn: int, question_id: str = "", *, heard_words: int | None = None
    ) -> None:
        """Write to the candidate; nobody can interrupt that."""
        assert heard_words is None, "what is written is there at once"
        self.add(SpeechStarted(at=self.now, speech=speech, text=text, turn=turn, question_id=question_id))
        self.add(
            SpeechEnded(at=self.now, speech=speech, heard=text, interrupted=False, turn=turn, question_id=question_id)
        )

    def candidate(self, text: str) -> list[Word]:
        """Type something."""
        self.wait(20.0)
        return [Word(text=word, start_at=self.now, end_at=self.now, confidence=1.0) for word in text.split()]

    def wait(self, seconds: float) -> None:
        """Let time pass; moments between what the interviewer does are no time at all."""
        if seconds > 1:
            super().wait(seconds)


def spoken(words: Sequence[str], start_at: float) -> list[Word]:
    """Words with times: about 150 a minute, longer words take longer, a breath after a comma or a full stop."""
    result: list[Word] = []
    at = start_at
    for word in words:
        length_s = 0.16 + 0.045 * len(word)
        result.append(Word(text=word, start_at=round(at, 3), end_at=round(at + length_s, 3), confidence=0.93))
        at += length_s + (0.28 if word.endswith((".", ",", "?")) else 0.04)
    return result


def verdict(
    words: Sequence[Word], point: str, status: VerdictStatus, quote: str = "", *, misconception: bool = False
) -> Verdict:
    """A verdict whose quote is found in the words."""
    said = [word.text.strip(".,").lower() for word in words]
    looked_for = quote.lower().split()
    first = next((i for i in range(len(said)) if quote and said[i : i + len(looked_for)] == looked_for), None)
    assert not quote or first is not None, f"the sample quotes what was not said: {quote}"
    return Verdict(
        point=point,
        kind="misconception" if misconception else "key_point",
        status=status,
        quote=None if first is None else Quote(text=quote, first_word=first, last_word=first + len(looked_for) - 1),
        probability=0.86 if quote else 0.91,
        rule="close in meaning, no negation" if quote else "nothing close to it was said",
    )


def scores(overall: float, spread: float = 0.8) -> Scores:
    """Scores around an overall score."""
    return Scores(
        technical_accuracy=min(10.0, overall + 0.6),
        completeness=max(0.0, overall - 0.7),
        depth=max(0.0, overall - 0.4),
        clarity=min(10.0, overall + 0.5),
        overall=overall,
        low=max(0.0, overall - spread),
        high=min(10.0, overall + spread),
    )
