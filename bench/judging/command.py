"""`make bench-judging`: every part that can be measured here, one table, and where it is written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.models import ensure_models
from agent.settings import load_settings
from bench.judging import graded, pairs, spoken
from bench.judging.figures import Figure
from graph.judging import BuiltInJudge
from graph.judging.learning import out_of_fold
from graph.judging.reading import EncoderReader
from rag import MiniLM


def main() -> None:
    """Measure and print."""
    console = Console()
    embedder, reader = MiniLM.load(ensure_models(load_settings()).embedder), EncoderReader()
    judge = BuiltInJudge(embedder, reader)
    figures: list[Figure] = []
    with console.status("whole spoken answers"):
        made = spoken.judged(judge)
        figures += spoken.figures(made, embedder)
    with console.status("pairs"):
        figures += pairs.independent(reader)
        kept = out_of_fold.read() if out_of_fold.KEPT_FILE.is_file() else {}
        figures += pairs.held_out_by_pack(kept)
    with console.status("the same in other clothes, attacks, speed"):
        figures += [*spoken.unmoved(judge, made), spoken.same_twice(judge, made)]
        figures += [*spoken.attacked(judge, made), *spoken.speed(judge, made)]
    data = os.environ.get("VIVA_JUDGING_DATA")
    if data and kept:
        with console.status("graded answers"):
            figures += graded.labelled(Path(data), kept, embedder)
    console.print(table(figures))
    rows, error = spoken.calibration(made)
    reliability = Table("claimed", "verdicts", "really right", title=f"calibration error {error:.3f}", box=None)
    for row in rows:
        reliability.add_row(f"{row.mean:.2f}", str(row.count), f"{row.right:.2f}")
    console.print(reliability)
    if not data:
        console.print(
            "Graded answers were left out: VIVA_JUDGING_DATA names no folder of the public sets "
            "(docs/judging.md says where they come from)."
        )
    sys.stdout.flush()


def table(figures: list[Figure]) -> Table:
    """The figures beside the baselines and the goals."""
    made = Table("figure", "Viva", "similarity", "overlap", "goal", box=None, pad_edge=False)
    for each in figures:
        values = (each.viva, each.similarity, each.overlap)
        made.add_row(each.what, *(_shown(value, each.unit) for value in values), each.goal)
    return made


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.0f} {unit}" if unit else f"{value:.3f}"
