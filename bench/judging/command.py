"""`make bench-judging`: every part that can be measured here, one table, and where it is written."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.cli.judge.choice import JudgeChoiceError, make_named_panel
from agent.model_files.prepare import ensure_models
from agent.settings import Settings, load_settings
from bench.judging import beside_model, data, graded, known, networks, pairs, spoken, written
from bench.judging.figures import Figure
from graph.judging import BuiltInJudge
from graph.judging.entailment import EncoderReader
from rag import MiniLM
from training.judge import out_of_fold

WRITTEN = Path(".cache/bench-judging.md")
MORE_ANSWERS = {
    "later answers to questions of the packs": data.more_spoken_answers,
    "answers to questions of no pack": data.answers_outside_the_packs,
}
"""Rows of their own, so that those of the first answers can be compared with older ones."""


def main() -> None:
    """Measure and print."""
    console = Console()
    settings = load_settings()
    embedder, reader = MiniLM.load(ensure_models(settings).embedder), EncoderReader()
    judge = BuiltInJudge(reader)
    figures: list[Figure] = []
    with console.status("whole spoken answers"):
        made = spoken.judged(judge, data.spoken_answers())
        figures += spoken.figures("spoken answers", made, embedder)
        for name, answers in MORE_ANSWERS.items():
            figures += spoken.figures(name, spoken.judged(judge, answers()), embedder)
        figures += known.figures(judge)
    with console.status("pairs"):
        figures += pairs.independent(reader)
        kept = out_of_fold.read() if out_of_fold.KEPT_FILE.is_file() else {}
        figures += pairs.held_out_by_pack(kept)
    with console.status("the same in other clothes, attacks, speed"):
        figures += [*spoken.unmoved(judge, made), spoken.same_twice(judge, made)]
        figures += [*spoken.attacked(judge, made), *spoken.speed(judge, made)]
    folder = os.environ.get("VIVA_JUDGING_DATA")
    if folder:
        with console.status("graded answers"):
            figures += graded.labelled(Path(folder), kept, embedder) if kept else []
            figures += networks.figures(Path(folder), judge, embedder)
    with console.status("the model judge"):
        of_model = asyncio.run(_beside_model(settings, made))
    figures += of_model
    console.print(table(figures))
    rows, error = spoken.calibration(made)
    WRITTEN.parent.mkdir(parents=True, exist_ok=True)
    WRITTEN.write_text(written.markdown(figures, rows, error), encoding="utf-8")
    reliability = Table("claimed", "verdicts", "really right", title=f"calibration error {error:.3f}", box=None)
    for row in rows:
        reliability.add_row(f"{row.mean:.2f}", str(row.count), f"{row.right:.2f}")
    console.print(reliability)
    if not kept:
        console.print("What is held out by fold was left out: `make train-judge` writes out_of_fold.npz.")
    if not folder:
        console.print(
            "Graded answers were left out: VIVA_JUDGING_DATA names no folder of the public sets "
            "(docs/judging.md says where they come from)."
        )
    if not of_model:
        console.print("The model judge was left out: no language model of the settings (complex_model) answered.")
    console.print(f"The same as Markdown: {WRITTEN}", soft_wrap=True)


async def _beside_model(settings: Settings, made: spoken.Judged) -> list[Figure]:
    """Nothing, where no language model answers."""
    try:
        panel = await make_named_panel("model", settings)
    except JudgeChoiceError:
        return []
    return await beside_model.figures(panel, made)


def table(figures: list[Figure]) -> Table:
    """The figures beside the baselines and the goals."""
    made = Table("figure", "Viva", "similarity", "overlap", "model judge", "goal", box=None, pad_edge=False)
    for each in figures:
        values = (each.viva, each.similarity, each.overlap, each.model)
        made.add_row(each.what, *(written.shown(value, each.unit) for value in values), each.goal)
    return made
