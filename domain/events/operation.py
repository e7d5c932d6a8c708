"""Operation events: how the work went: calls of models, searches, times, and what failed."""

from __future__ import annotations

from typing import Literal

from domain.events.base import BaseEvent
from domain.vocabulary import Grade, Tier


class FellBack(BaseEvent):
    """An agent went on without its language model."""

    kind: Literal["fell_back"] = "fell_back"
    turn: int
    agent: str
    why: str


class ModelCalled(BaseEvent):
    """A language model was asked. `at` is when that was over."""

    kind: Literal["model_called"] = "model_called"
    turn: int
    agent: str
    tier: Tier
    model: str
    seconds: float
    ok: bool
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    """Why it was of no use; empty when it was. It may quote what was said."""


class GateFailed(BaseEvent):
    """What an agent produced was refused by a check."""

    kind: Literal["gate_failed"] = "gate_failed"
    turn: int
    agent: str
    check: str
    """The check's name, and what it found. It may quote what was said."""


class Retrieved(BaseEvent):
    """The question bank was asked. `at` is when that was over."""

    kind: Literal["retrieved"] = "retrieved"
    turn: int
    cached: bool
    """True when the question was at hand, and nothing was searched."""
    grade: Grade
    """How well it fitted."""
    attempts: int
    """Searches that it took."""
    seconds: float


class StageTimed(BaseEvent):
    """How long one stage of a turn took: a node of the graph, or a stage of hearing and speaking. `at` is its end."""

    kind: Literal["stage_timed"] = "stage_timed"
    turn: int
    stage: str
    seconds: float


class ProblemNoticed(BaseEvent):
    """Something failed; the interview went on if it could."""

    kind: Literal["problem_noticed"] = "problem_noticed"
    what: str
    advice: str
