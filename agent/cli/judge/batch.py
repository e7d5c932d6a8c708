"""Batch judging, `viva judge batch`: judges the lines of a file and writes verdicts, all of them or none."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent.cli.judge.choice import JudgeName, make_labeller, make_named_panel
from agent.cli.output import STANDARD, write_result
from agent.settings import Settings
from graph.judging import BuiltInJudge, JudgePanel
from graph.judging.offline.batch import BatchError, BatchLine, as_json, judged, question_of, read_lines
from graph.judging.offline.labels import Labeller


def judge_file(source: Path, target: Path, name: JudgeName, settings: Settings) -> int:
    """Judge every line of a file and write a line for each, in the same order.

    Raises:
        BatchError: the file cannot be read, or a line of it cannot be used; nothing was written.
        JudgeChoiceError, LanguageModelError, ModelError: the judge cannot be used.
        OSError: the result cannot be written.
    """
    lines = _read(source)
    _may_write(target)

    async def run() -> list[str]:
        panel = await make_named_panel(name, settings)
        return await judge_lines(lines, panel, make_labeller(settings) if panel.name == BuiltInJudge.name else None)

    write_result("".join(f"{line}\n" for line in asyncio.run(run())), target)
    return 0


async def judge_lines(lines: Sequence[BatchLine], panel: JudgePanel, labeller: Labeller | None = None) -> list[str]:
    """The lines out, with a progress bar for people.

    Args:
        lines: what to judge.
        panel: who judges, and who takes over; each line names who did.
        labeller: labels answers beside model answers; without one the label follows from the verdicts.
    """
    out = []
    for number, line in enumerate(track(lines, "Judging", console=Console(stderr=True, highlight=False)), start=1):
        found = await panel.evaluate(question_of(line), line.words, turn=number, however_short=True)
        by_references = labeller and line.words and not line.key_points
        whole = labeller.label(line.answer, line.references, line.question) if labeller and by_references else None
        out.append(as_json(judged(line, found.verdicts, found.judge, whole)))
    return out


def _read(source: Path) -> list[BatchLine]:
    if source == STANDARD:
        return read_lines(sys.stdin.buffer.read().splitlines(), "standard input")
    try:
        return read_lines(source.read_bytes().splitlines(), source.name)
    except OSError as error:
        raise BatchError(f"{source} cannot be read ({error.strerror})") from None


def _may_write(target: Path) -> None:
    """Say now, and not after an hour of judging, that there is no such folder."""
    if target != STANDARD and (target.is_dir() or not target.parent.is_dir()):
        what = "is a folder" if target.is_dir() else "cannot be written: its folder does not exist"
        raise BatchError(f"{target} {what}. Name a file for the verdicts, or - for standard output.")
