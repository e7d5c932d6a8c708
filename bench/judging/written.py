"""The figures as Markdown, for docs/judging.md: a table, and the reliability diagram as Mermaid draws it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.judging.figures import Figure, Reliability


def markdown(figures: Sequence[Figure], rows: Sequence[Reliability], error: float) -> str:
    """Everything that was measured, ready to be pasted.

    Args:
        figures: in their order.
        rows: of the reliability diagram.
        error: the calibration error.
    """
    return "\n".join([*_table(figures), "", *_diagram(rows, error), ""])


def shown(value: float | None, unit: str) -> str:
    """A number as the tables show it; empty when there is none."""
    if value is None:
        return ""
    return f"{value:.0f} {unit}" if unit else f"{value:.2f}"


def _table(figures: Sequence[Figure]) -> Iterator[str]:
    yield "| figure | Viva | similarity | words in common | model judge | goal |"
    yield "|---|---|---|---|---|---|"
    for each in figures:
        numbers = (each.viva, each.similarity, each.overlap, each.model)
        values = " | ".join(shown(value, each.unit) for value in numbers)
        yield f"| {each.what} | {values} | {each.goal} |"


def _diagram(rows: Sequence[Reliability], error: float) -> Iterator[str]:
    claimed = ", ".join(f'"{row.mean:.2f} ({row.count})"' for row in rows)
    yield "```mermaid"
    yield "xychart-beta"
    yield f'  title "Verdicts that are right, by the probability they claim (calibration error {error:.2f})"'
    yield f'  x-axis "claimed (how many verdicts)" [{claimed}]'
    yield '  y-axis "really right" 0 --> 1'
    yield f"  bar [{', '.join(f'{row.right:.2f}' for row in rows)}]"
    yield f"  line [{', '.join(f'{row.mean:.2f}' for row in rows)}]"
    yield "```"
