"""Who takes notes of an interview while it happens. The graph tells; it never asks them anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.question import Question
from domain.verdict import Evaluation
from graph.intents.types import DetectedIntent
from graph.planning.plan import InterviewPlan


@dataclass(frozen=True, slots=True)
class Decision:
    """What the supervisor decided after a turn."""

    goes_on: bool
    end_reason: str
    question_count: int
    difficulty: str
    ema: float | None
    remaining_s: float


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model."""

    turn: int
    agent: str
    tier: str
    model: str
    seconds: float
    ok: bool
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    """Why it was of no use; empty when it was."""


class Recorder:
    """Takes no notes. Whoever wants some overrides what concerns it."""

    def plan_made(self, plan: InterviewPlan) -> None:
        """The topics, their difficulty and their number are settled."""

    def intent_detected(self, intent: DetectedIntent, *, asked: bool) -> None:
        """The words of a turn were understood as an answer or a request; `asked`: the interviewer asks which."""

    def answer_judged(self, turn: int, evaluation: Evaluation) -> None:
        """An answer has verdicts and scores, or the reason why not."""

    def feedback_ready(self, turn: int, text: str, structure: str) -> None:
        """The words of the feedback exist."""

    def retrieved(self, turn: int, *, cached: bool, grade: str, attempts: int, latency_ms: float) -> None:
        """The question bank was asked."""

    def question_selected(self, turn: int, question: Question) -> None:
        """The next question is chosen."""

    def supervised(self, turn: int, decision: Decision) -> None:
        """It is decided whether the interview goes on."""

    def setting_changed(self, turn: int, what: str, value: str) -> None:
        """The candidate asked for something to be different from now on, and it is."""

    def review_requested(self, turn: int, why: str) -> None:
        """The turn waits for a person."""

    def model_called(self, call: ModelCall) -> None:
        """A language model was asked."""

    def gate_failed(self, turn: int, agent: str, check: str) -> None:
        """What an agent produced did not pass its gate."""

    def fell_back(self, turn: int, agent: str, why: str) -> None:
        """An agent took the path without a model, or a spare, because its own way failed."""

    def stage_timed(self, turn: int, stage: str, seconds: float) -> None:
        """A node took this long."""


_TOLD = tuple(name for name in vars(Recorder) if not name.startswith("_"))


class Recorders(Recorder):
    """Several recorders as one: each is told everything, in the order in which they were given."""

    def __init__(self, *recorders: Recorder) -> None:
        for name in _TOLD:
            setattr(self, name, _to_each([getattr(recorder, name) for recorder in recorders]))


def _to_each(listeners: list[Callable[..., None]]) -> Callable[..., None]:
    def tell(*args: Any, **values: Any) -> None:
        for listener in listeners:
            listener(*args, **values)

    return tell
