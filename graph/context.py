"""What an interview needs from outside, passed in: judges, questions, wording, the clock, and who takes notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from graph.intents import DetectedIntent
from graph.judging.builtin import Embedder
from graph.judging.judge import Bench
from graph.judging.verdicts import Evaluation
from graph.questions import Question
from graph.wording import Wording, feedback_wording, interview_wording
from rag.packs import Pack
from rag.retrieval import Request, Retrieved

SpeechKind = Literal["greeting", "feedback", "question", "reply", "closing"]


@dataclass(frozen=True, slots=True)
class Say:
    """Words the interviewer may speak now. The graph streams them in the order in which they may be heard."""

    kind: SpeechKind
    text: str
    question_id: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the supervisor decided after a turn."""

    goes_on: bool
    end_reason: str
    question_count: int
    difficulty: str
    ema: float | None
    remaining_s: float


class Retrieval(Protocol):
    """Finds questions of the bank that fit what is wanted."""

    async def retrieve(self, request: Request) -> Retrieved:
        """Candidates with a grade; an empty list when there is nothing."""
        ...


class Recorder(Protocol):
    """Is told what happens while it happens. The graph never asks it anything."""

    def intent_detected(self, intent: DetectedIntent) -> None:
        """The words of a turn were understood as an answer or a request."""

    def answer_judged(self, turn: int, evaluation: Evaluation) -> None:
        """An answer has verdicts and scores, or the reason why not."""

    def feedback_ready(self, turn: int, text: str, structure: str) -> None:
        """The words of the feedback exist."""

    def question_selected(self, turn: int, question: Question) -> None:
        """The next question is chosen."""

    def supervised(self, turn: int, decision: Decision) -> None:
        """It is decided whether the interview goes on."""

    def stage_timed(self, turn: int, stage: str, seconds: float) -> None:
        """A node took this long."""


@dataclass(frozen=True, slots=True)
class InterviewContext:
    """The dependencies of every node."""

    pack: Pack
    retrieval: Retrieval
    embedder: Embedder
    judges: Bench
    recorder: Recorder
    clock: Callable[[], float]
    """Seconds since the epoch."""
    wording: Wording = field(default_factory=interview_wording)
    feedback_wording: Wording = field(default_factory=feedback_wording)
    slow_selector_s: float = 0.0
    """Holds the question selector back by this long. For showing that feedback does not wait for it."""

    def concept_names(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Spoken names of concepts of the pack."""
        names = {concept.id: concept.name for concept in self.pack.concepts}
        return tuple(names[id_] for id_ in ids if id_ in names)

    def topic_title(self, topic: str) -> str:
        """Spoken title of a topic of the pack."""
        return next((each.title for each in self.pack.topics if each.id == topic), topic.replace("-", " "))
