"""Figures and how they are shown: rows of the table, percentiles with the number of samples, Markdown, JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.table import Table

from agent.rehearsal.matching import percentile

__all__ = ["SIDES", "Row", "Side", "markdown", "percentile", "percentiles", "ratio_of", "table", "within"]

Unit = Literal["s", "ms", "%", "MB", "", "cores"]
Side = Literal["Viva", "default"]
SIDES: tuple[Side, ...] = ("Viva", "default")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of both sides."""

    what: str
    viva: float | None
    default: float | None = None
    unit: Unit = "s"
    goal: str = ""
    met: bool | None = None
    """Whether Viva's figure meets the goal; None where there is none, or nothing to compare."""
    samples: str = ""
    """How many samples there are, of Viva and of the default."""

    @classmethod
    def of(
        cls,
        what: str,
        figure: Callable[[Side], float | None],
        *,
        unit: Unit = "s",
        goal: str = "",
        met: bool | None = None,
        samples: str = "",
    ) -> Row:
        """Both figures by what gives the one of a side."""
        return cls(what, figure("Viva"), figure("default"), unit=unit, goal=goal, met=met, samples=samples)

    @property
    def ratio(self) -> float | None:
        """Viva's figure over the default's."""
        return ratio_of(self.viva, self.default)


def ratio_of(one: float | None, other: float | None) -> float | None:
    """One over the other; None when one is missing, or there is nothing to divide by."""
    return one / other if one is not None and other else None


def within(value: float | None, limit: float) -> bool | None:
    """Whether a figure is no more than a limit; None without one."""
    return None if value is None else value <= limit


def percentiles(
    what: str, viva: Sequence[float], default: Sequence[float], *, unit: Unit = "s", goals: tuple[str, str] = ("", "")
) -> tuple[Row, Row]:
    """The rows of the median and of the 95th percentile (nearest rank), without a judgement about the goals."""
    samples = f"{len(viva)} / {len(default)}" if default else str(len(viva))
    p50, p95 = (
        Row(
            f"{what}, p{share * 100:.0f}",
            percentile(viva, share),
            percentile(default, share),
            unit=unit,
            goal=goal,
            samples=samples,
        )
        for share, goal in zip((0.5, 0.95), goals, strict=True)
    )
    return p50, p95


def shown(value: float | None, unit: Unit) -> str:
    """A figure as the tables have it; a dash where there is none."""
    if value is None:
        return "-"
    if unit == "%":
        return f"{value:.0%}" if value >= 0.1 or value == 0 else f"{value:.1%}"
    digits = {"ms": 0, "MB": 0}.get(unit, 2)
    return f"{value:.{digits}f} {unit}".rstrip()


def table(rows: Iterable[Row], sides: tuple[str, str] = SIDES) -> Table:
    """What a person sees at the end."""
    made = Table("figure", *sides, "ratio", "goal", "met", "samples", box=None, pad_edge=False)
    for row in rows:
        made.add_row(*_cells(row))
    return made


def markdown(rows: Iterable[Row], sides: tuple[str, str] = SIDES) -> str:
    """The same for docs/voice.md."""
    lines = [f"| figure | {' | '.join(sides)} | ratio | goal | met | samples |", "|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
    met = "" if row.met is None else "yes" if row.met else "no"
    return [row.what, shown(row.viva, row.unit), shown(row.default, row.unit), ratio, row.goal, met, row.samples]
