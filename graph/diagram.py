"""Diagrams of the compiled graphs, for documentation and monitor: what is drawn is what runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph.wiring import build_graph
from rag.retrieval.graph import build_graph as build_retrieval

PAGE = Path(__file__).resolve().parent.parent / "docs" / "graph.md"

_PAGE = """# The graphs, as they are compiled

Drawn by `viva graph --write`; a test compares this page with the code. Solid arrows are always taken, dotted ones by
decision. Words for the candidate leave a node the moment they exist; the picture in `graph/wiring.py` says in which
order they may be heard.

## The interview

Each run begins at `__start__`: a new interview, an answer, or a return after a break. It ends when the interviewer
waits for the candidate. `validate_question` runs once, when both branches after `evaluate` are through; the metrics are
measured beside them, and `combine_metrics` runs once all three are there.

```mermaid
{interview}
```

## Corrective retrieval

Run by `select_question` through the session's cache (`rag/retrieval/session.py`) when the cache has no batch that fits.

```mermaid
{retrieval}
```
"""


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from a node to another."""

    source: str
    target: str
    conditional: bool
    """Taken by decision, not always."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and edges of a graph; `__start__` and `__end__` are among them."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]


@cache
def interview_drawing() -> Drawing:
    """The interview, as it is compiled."""
    compiled = build_graph(None).get_graph()
    edges = tuple(Edge(edge.source, edge.target, edge.conditional) for edge in compiled.edges)
    return Drawing(tuple(compiled.nodes), edges)


def page() -> str:
    """The text of the page."""
    interview = build_graph(None).get_graph().draw_mermaid()
    retrieval = build_retrieval().get_graph().draw_mermaid()
    return _PAGE.format(interview=interview.strip(), retrieval=retrieval.strip())
