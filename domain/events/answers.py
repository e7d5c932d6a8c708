"""Answer events: a turn of the candidate's, from what was said to the feedback on it."""

from __future__ import annotations

from typing import Literal

from domain.events.audio import Word
from domain.events.base import BaseEvent
from domain.metrics import AnswerMetrics
from domain.verdict import Evaluation
from domain.vocabulary import Delivery, Ending, Intent, Request


class PauseWeighed(BaseEvent):
    """The candidate fell silent, and it was weighed how long to wait before the answer counts as over.

    An answer has one for each silence and for each time more words of it became known. Whether the weighing was right
    is in what follows: the turn, or more words.
    """

    kind: Literal["pause_weighed"] = "pause_weighed"
    ending: Ending
    by_sound: float | None
    """What the sound said of the chance that the answer is over, 0 to 1; None when nobody judged it."""
    touched: float | None = None
    """How much of what was asked the answer had touched, 0 to 1; None when nobody could say in time."""
    words: int = 0
    """How many had been said in the turn."""
    expected_words: int = 0
    """How many a full answer has, about; 0 where a word is enough."""
    pause_s: float | None = None
    """The median of this candidate's pauses in mid-answer as it was known then, seconds."""
    pause_spread: float | None = None
    """… and the standard deviation of their logarithm."""
    cut_offs: int = 0
    """How often this candidate had gone on after an answer that was taken as over."""
    trust_in_sound: float | None = None
    """How much it counted that they sounded finished, 0 to 1: less the oftener they had, and went on."""
    chance_of_more: float
    """By all of these together, before any silence, 0 to 1."""
    silent_s: float
    """How long it had been silent."""
    wait_s: float
    """How long the silence may last in all, seconds."""


class AnswerTaken(BaseEvent):
    """The candidate's turn is over: `text` is everything said in it, `words` index the verdicts' quotes."""

    kind: Literal["answer_taken"] = "answer_taken"
    turn: int
    question_id: str
    text: str
    words: list[Word]
    speech_ended_at: float
    """When the candidate fell silent."""
    pressed: Request | None = None
    """What a key asked for that was pressed behind these words; there may be none. Nobody said it."""
    continues: bool = False
    """True when the candidate went on before the next question was heard: this replaces the turn before."""


class IntentDetected(BaseEvent):
    """What the candidate wanted with a turn. Of an answer that ends with a request it is the request."""

    kind: Literal["intent_detected"] = "intent_detected"
    turn: int
    intent: Intent
    confidence: float
    """0 to 1."""
    detector: str = ""
    """What found it: `rules`, or a model's name."""
    detail: str = ""
    """What the request is about: the topic named, the term to clarify; else empty."""
    asked: bool | None = None
    """True when the interviewer asked whether the request was meant, and did not act on it; None in old records."""


class AnswerJudged(Evaluation):
    """The judge's verdicts on an answer and the scores that follow from them: the graph's own evaluation."""

    at: float
    kind: Literal["answer_judged"] = "answer_judged"


class AnswerMeasured(BaseEvent):
    """The three metrics of an answer that was judged in this turn, put together.

    A turn has a second one when a model has worded the feedback: the scores are the same.
    """

    kind: Literal["answer_measured"] = "answer_measured"
    turn: int
    metrics: AnswerMetrics | None
    """None only for those who may not know yet how it was judged."""


class AnswerReheard(BaseEvent):
    """An answer was decoded again, as a whole: better words than those that were heard while it was spoken.

    Nothing of it is said in the interview, whose course followed the first words.
    """

    kind: Literal["answer_reheard"] = "answer_reheard"
    turn: int
    text: str
    words: list[Word]
    judged: Evaluation
    """The verdicts on these words."""


class FeedbackReady(BaseEvent):
    """The feedback's words exist. In an exam there are two: what is kept, and the thanks that are heard instead."""

    kind: Literal["feedback_ready"] = "feedback_ready"
    turn: int
    text: str
    structure: str
    delivery: Delivery | None = None
    """Whether the candidate hears it, or it is kept for the report; None in old records."""


class TurnVoided(BaseEvent):
    """A turn failed and was given up: its answer is not scored, judged or not, and its question is open again.

    It is about what was recorded of this turn before it.
    """

    kind: Literal["turn_voided"] = "turn_voided"
    turn: int
