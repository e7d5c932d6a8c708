"""The drawings in the documentation."""

from __future__ import annotations

from graph.diagram import PAGE, page


def test_the_drawing_shows_the_graphs_as_they_are_compiled() -> None:
    """Whoever changes the wiring draws it anew: `viva graph --write`."""
    assert PAGE.read_text(encoding="utf-8") == page()
