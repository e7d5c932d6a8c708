"""Scripted models in their places: what tests of every room use to stand in for language models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bench.scripted_chat import HANGS, Asked, Line, NotInTheScriptError, Says, Script, ScriptedChat
from graph.language_models import Tier
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.tiered import TieredModels
from graph.observer import ModelCall, Recorder
from tests.graph.fakes import Notes

__all__ = [
    "HANGS",
    "Asked",
    "CallNotes",
    "Line",
    "NotInTheScriptError",
    "Says",
    "Script",
    "ScriptedChat",
    "Told",
    "still",
    "tiered",
]


@dataclass
class Told(Recorder):
    """Remembers what it was told of models."""

    calls: list[ModelCall] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)
    fallbacks: list[tuple[int, str, str]] = field(default_factory=list)

    def model_called(self, call: ModelCall) -> None:
        self.calls.append(call)

    def gate_failed(self, turn: int, agent: str, check: str) -> None:
        self.refused.append((turn, agent, check))

    def fell_back(self, turn: int, agent: str, why: str) -> None:
        self.fallbacks.append((turn, agent, why))


@dataclass
class CallNotes(Notes):
    """Notes of an interview with the calls of models."""

    calls: list[ModelCall] = field(default_factory=list)

    def model_called(self, call: ModelCall) -> None:
        self.calls.append(call)


def still() -> float:
    """A clock that stands still."""
    return 0.0


def tiered(
    complex_model: ScriptedChat | None = None,
    fast_model: ScriptedChat | None = None,
    *,
    clock: Callable[[], float] = still,
    timeout_s: float = 5.0,
) -> TieredModels:
    """Scripted models as the tiers of a process, repeating transient faults without a pause."""
    given: dict[Tier, ScriptedChat | None] = {"complex": complex_model, "fast": fast_model}
    tiers = {tier: ChatTier(model, f"scripted-{tier}") for tier, model in given.items() if model is not None}
    return TieredModels(tiers, clock=clock, timeout_s=timeout_s, retry_wait_s=0.0)
