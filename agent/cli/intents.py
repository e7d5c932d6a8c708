"""Intents, `viva intents`: labels utterances, and measures the detector where somebody has labelled them before."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from agent.cli.output import STANDARD, write_result
from graph.intents import ASKS_FROM, RuleDetector, Understood
from graph.intents.evaluation.labelled import LabelledUtterance, read_file, read_lines
from graph.intents.evaluation.metrics import Measured, measure

_LONG = 100
"""Utterances from which on there is a progress bar."""


def label(source: Path, out: Path | None) -> int:
    """Label every line of a file (`-`: standard input), write JSON lines, and print a table where labels were given.

    Raises:
        LabelledError: the file cannot be read, or a line of it is no utterance; nothing was written.
        OSError: the result cannot be written.
    """
    utterances = (
        list(read_lines(sys.stdin.buffer.read().splitlines(), "standard input"))
        if source == STANDARD
        else read_file(source)
    )
    detector = RuleDetector()
    to_people = Console(stderr=True, highlight=False)
    work = track(utterances, "Reading", console=to_people) if len(utterances) >= _LONG else utterances
    understood = [detector.read(each.text.split(), each.question) for each in work]
    lines = [_line(each, found) for each, found in zip(utterances, understood, strict=True)]
    write_result("".join(f"{line}\n" for line in lines), out or STANDARD)
    if measured := measure(utterances, understood):
        to_people.print(table_of(measured))
        to_people.print(
            f"macro F1 {measured.macro_f1:.3f}, right {measured.accuracy:.1%} of {measured.count}; "
            f"of {measured.mixed} answers with a request, {measured.spans_found:.0%} have their words found"
        )
    return 0


def table_of(measured: Measured) -> Table:
    """Precision and recall of each intent."""
    table = Table("intent", "precision", "recall", "F1", "utterances")
    for each in measured.intents:
        table.add_row(each.intent, f"{each.precision:.2f}", f"{each.recall:.2f}", f"{each.f1:.2f}", str(each.count))
    return table


def intent_of(found: Understood) -> str:
    """The request from the confidence on at which the interviewer asks about it; else an answer."""
    return found.request if found.request and found.confidence >= ASKS_FROM else "answer"


def _line(said: LabelledUtterance, found: Understood) -> str:
    words: Sequence[str] = said.text.split()
    answer = " ".join(words[found.answer[0] : found.answer[1] + 1]) if found.answer else ""
    return json.dumps(
        {
            "text": said.text,
            "intent": intent_of(found),
            "confidence": round(found.confidence, 3),
            "detail": found.detail,
            "answer": answer,
            "detector": found.detector,
        },
        ensure_ascii=False,
    )
