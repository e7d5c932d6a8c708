"""Diagrams of the compiled graphs, for the documentation: what is drawn is what runs."""

from __future__ import annotations

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
waits for the candidate. `validate_question` runs once, when both branches after `evaluate` are through.

```mermaid
{interview}
```

## Corrective retrieval

Run by `select_question` through the session's cache (`rag/retrieval/session.py`) when the cache has no batch that fits.

```mermaid
{retrieval}
```
"""


def page() -> str:
    """The text of the page."""
    interview = build_graph(None).get_graph().draw_mermaid()
    retrieval = build_retrieval().get_graph().draw_mermaid()
    return _PAGE.format(interview=interview.strip(), retrieval=retrieval.strip())
