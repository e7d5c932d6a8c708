"""`make bench-judging`, or `python -m bench judging --only PART …`: its parts, one table, and where it is written."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from operator import add
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.cli.judge.choice import JudgeChoiceError, make_named_panel
from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from bench.judging import beside_model, data, graded, known, met, networks, pairs, spoken, written
from bench.judging.figures import Figure
from graph.judging import BuiltInJudge
from graph.judging.entailment import EncoderReader, Odds
from rag import MiniLM
from training.judge import out_of_fold

WRITTEN = Path(".cache/bench-judging.md")
ANSWERS: Mapping[str, Callable[[], list[data.SpokenAnswer]]] = {
    "spoken answers": data.spoken_answers,
    "later answers to questions of the packs": data.more_spoken_answers,
    "answers to questions of no pack": data.answers_outside_the_packs,
}
"""Rows of their own, so that those of the first answers can be compared with older ones."""


class Run:
    """What the parts are measured with; answers are judged once, when the first part asks for them."""

    def __init__(self) -> None:
        self._settings = load_settings()
        self._embedder = MiniLM.load(ensure_models(self._settings).embedder)
        self._reader = EncoderReader()
        self._judge = BuiltInJudge(self._reader, embedder=self._embedder)
        self._folder = os.environ.get("VIVA_JUDGING_DATA")

    @cached_property
    def made(self) -> Mapping[str, spoken.Judged]:
        """The labelled answers with their verdicts, by set."""
        return {name: spoken.judged(self._judge, answers()) for name, answers in ANSWERS.items()}

    @property
    def first(self) -> spoken.Judged:
        """The first set."""
        return next(iter(self.made.values()))

    @cached_property
    def kept(self) -> Mapping[int, Odds]:
        """What the folds' encoders made of what they never saw."""
        return out_of_fold.read() if out_of_fold.KEPT_FILE.is_file() else {}

    def answers(self) -> list[Figure]:
        """Whole spoken answers."""
        return [row for name, made in self.made.items() for row in spoken.figures(name, made, self._embedder)]

    def met(self) -> list[Figure]:
        """What a candidate meets of the judge's mistakes."""
        return met.figures(reduce(add, self.made.values()), self._embedder, "spoken answers of all three sets")

    def at_real_rates(self) -> list[Figure]:
        """Answers that are wrong as seldom as those of real candidates: apart, for the others are wrong so often."""
        made = spoken.judged(self._judge, data.answers_at_real_rates())
        return [
            *spoken.figures("answers at real rates", made, self._embedder),
            *met.figures(made, self._embedder, "answers at real rates"),
        ]

    def known(self) -> list[Figure]:
        """What is read out of the packs."""
        return known.figures(self._judge)

    def pairs(self) -> list[Figure]:
        """Clauses beside points."""
        return [*pairs.independent(self._reader), *pairs.held_out_by_pack(self.kept)]

    def clothes(self) -> list[Figure]:
        """The same in other clothes."""
        return [*spoken.unmoved(self._judge, self.first), spoken.same_twice(self._judge, self.first)]

    def attacks(self) -> list[Figure]:
        """What is said to whoever judges."""
        return spoken.attacked(self._judge, self.first)

    def speed(self) -> list[Figure]:
        """How long a judgement takes."""
        return spoken.speed(self._judge, self.first)

    def graded(self) -> list[Figure]:
        """Graded answers of the public sets, where there are some."""
        if not self._folder:
            return []
        of_folds = graded.labelled(Path(self._folder), self.kept, self._embedder) if self.kept else []
        return [*of_folds, *networks.figures(Path(self._folder), self._judge, self._embedder)]

    def model(self) -> list[Figure]:
        """The model judge, where a language model answers."""
        return asyncio.run(self._beside_model())

    def left_out(self) -> list[str]:
        """Why some rows of all parts are not there, as sentences."""
        why = []
        if not self.kept:
            why.append("What is held out by fold was left out: `make train-judge` writes out_of_fold.npz.")
        if not self._folder:
            why.append(
                "Graded answers were left out: VIVA_JUDGING_DATA names no folder of the public sets "
                "(docs/judging.md says where they come from)."
            )
        return why

    async def _beside_model(self) -> list[Figure]:
        try:
            panel = await make_named_panel("model", self._settings)
        except JudgeChoiceError:
            return []
        return await beside_model.figures(panel, self.first)


PARTS: Mapping[str, Callable[[Run], list[Figure]]] = {
    part.__name__: part
    for part in (
        Run.answers,
        Run.met,
        Run.at_real_rates,
        Run.known,
        Run.pairs,
        Run.clothes,
        Run.attacks,
        Run.speed,
        Run.graded,
        Run.model,
    )
}
"""By name, in the order of the table."""


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench judging", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=PARTS, metavar="PART", help=f"one of {', '.join(PARTS)}; can be given again"
    )
    only: list[str] | None = parser.parse_args(arguments).only
    console, run = Console(), Run()
    figures: dict[str, list[Figure]] = {}
    for name in [name for name in PARTS if only is None or name in only]:
        with console.status(name):
            figures[name] = PARTS[name](run)
    console.print(table([row for rows in figures.values() for row in rows]))
    if only is None:
        _write(run, figures, console)


def _write(run: Run, figures: Mapping[str, list[Figure]], console: Console) -> None:
    rows, error = spoken.calibration(run.first)
    WRITTEN.parent.mkdir(parents=True, exist_ok=True)
    every = [row for rows in figures.values() for row in rows]
    WRITTEN.write_text(written.markdown(every, rows, error), encoding="utf-8")
    reliability = Table("claimed", "verdicts", "really right", title=f"calibration error {error:.3f}", box=None)
    for row in rows:
        reliability.add_row(f"{row.mean:.2f}", str(row.count), f"{row.right:.2f}")
    console.print(reliability)
    for why in run.left_out():
        console.print(why)
    if not figures["model"]:
        console.print("The model judge was left out: no language model of the settings (complex_model) answered.")
    console.print(f"The same as Markdown: {WRITTEN}", soft_wrap=True)


def table(figures: list[Figure]) -> Table:
    """The figures beside the baselines and the goals."""
    made = Table("figure", "Viva", "similarity", "overlap", "model judge", "goal", box=None, pad_edge=False)
    for each in figures:
        values = (each.viva, each.similarity, each.overlap, each.model)
        made.add_row(each.what, *(written.shown(value, each.unit) for value in values), each.goal)
    return made
