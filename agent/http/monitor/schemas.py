"""Schemas of the monitor: what its calls answer."""

from __future__ import annotations

from domain.frozen_model import FrozenModel
from domain.person import Person
from review import Summary
from review.monitor.models import ActivityLine, MonitoredInterview


class GraphEdge(FrozenModel):
    """A way from a node of the graph to another."""

    source: str
    target: str
    conditional: bool
    """Taken by decision, not always."""


class GraphDrawing(FrozenModel):
    """The interview graph, as it is compiled."""

    nodes: tuple[str, ...]
    """With `__start__` and `__end__`."""
    edges: tuple[GraphEdge, ...]


class VectorProfile(FrozenModel):
    """What Chroma keeps of a person."""

    id: str
    """`profile_` and the person's id."""
    dimensions: int
    metadata: dict[str, str | float]


class MonitorSnapshot(FrozenModel):
    """All that the monitor shows of a person, at a moment."""

    user_id: str
    person: Person | None
    """What is kept of them; None before their first interview has ended."""
    vector: VectorProfile | None
    profile_problem: str
    """Why the profile cannot be shown, as a sentence; empty when it can."""
    interviews: tuple[Summary, ...]
    """Theirs, newest first; at most twenty."""
    interview: MonitoredInterview | None
    """The one that was asked for; else the one that is running, else the newest."""
    activity: tuple[ActivityLine, ...]
    """Its last events, oldest first."""
    graph: GraphDrawing
