"""Scripted models in their places: what tests of every room use to stand in for language models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bench.scripted_chat import HANGS, Asked, Line, NotInTheScriptError, Says, Script, ScriptedChat
from domain.events import Event, FellBack, GateFailed, ModelCalled
from domain.vocabulary import Tier
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels

__all__ = [
    "HANGS",
    "Asked",
    "Line",
    "NotInTheScriptError",
    "Says",
    "Script",
    "ScriptedChat",
    "Told",
    "of_interview",
    "still",
    "tiered",
]


@dataclass
class Told:
    """A listener that remembers what models did."""

    calls: list[ModelCalled] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)
    fallbacks: list[tuple[int, str, str]] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        match event:
            case ModelCalled():
                self.calls.append(event)
            case GateFailed():
                self.refused.append((event.turn, event.agent, event.check))
            case FellBack():
                self.fallbacks.append((event.turn, event.agent, event.why))
            case _:
                pass


def of_interview(shared: TieredModels, emit: Callable[[Event], None]) -> InterviewModels:
    """Models for an interview in which no time passes."""
    return InterviewModels(shared, emit, still)


def still() -> float:
    """A clock that stands still."""
    return 0.0


def tiered(
    complex_model: ScriptedChat | None = None,
    fast_model: ScriptedChat | None = None,
    *,
    clock: Callable[[], float] = still,
    timeout_s: float = 60.0,
) -> TieredModels:
    """Scripted models as the tiers of a process, repeating transient faults without a pause."""
    given: dict[Tier, ScriptedChat | None] = {"complex": complex_model, "fast": fast_model}
    tiers = {tier: ChatTier(model, f"scripted-{tier}") for tier, model in given.items() if model is not None}
    return TieredModels(tiers, clock=clock, timeout_s=timeout_s, retry_wait_s=0.0)
