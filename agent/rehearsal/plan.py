"""Plan of a rehearsal: what is rehearsed, where, and what is noted on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent.rehearsal.client import WantedInterview
from agent.rehearsal.persona import Persona
from agent.settings import Settings
from rag.packs.pack import Pack


@dataclass(frozen=True, slots=True)
class Plan:
    """What is rehearsed."""

    persona: Persona
    pack: Pack
    wanted: WantedInterview
    folder: Path
    """For what the rehearsal keeps: the sound that was heard, and copies of what only the web has."""
    kill_worker_at_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Venue:
    """The Viva that is rehearsed."""

    url: str
    settings: Settings | None = None
    """Its settings where it was started for the rehearsal: its files are at hand."""
    kill_worker: Callable[[], None] | None = None
    """Kills the worker at once; None where it is not ours."""
    away_timeout_s: float = 120.0
    """How long it waits for a candidate who is gone."""


@dataclass(slots=True)
class Course:
    """What is known while the rehearsal runs; times in seconds since the epoch."""

    zero: float
    joined_at: float | None = None
    worker_killed_at: float | None = None
    faults: list[str] = field(default_factory=list)
