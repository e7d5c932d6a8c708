"""Tables of entries: rows below column headings ("Period | Company | Position") become lines with labels.

So `graph.candidate.positions` and `graph.candidate.schools` read tables as they read forms, in which labels stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph.candidate.lines import Line

_WORDS = {
    "Dates": r"periods?|dates?|years?|duration|from|to|until|till|when|time|tenure|start|end|passing|zeitraum|jahr",
    "School": r"school|institut(?:e|ion)|college",
    "Position": r"position|role|job title|title|designation|job|function|post",
    "Employer": r"company|employer|organi[sz]ation|firm|arbeitgeber|client|customer",
    "Degree": r"degree|qualification|course|programme?|exam(?:ination)?|diploma|certificate",
    "University": r"university|board",
    "": r"location|place|city|country|marks|grade|result|percentage|cgpa|gpa|score|class|no|nr|sr|subject",
    "Did": (
        r"responsibilities|tasks|duties|description|achievements|details|what i did|activities|project|technologies"
    ),
}
"""By label, the words by which a column is known; the first that fits counts."""
_COLUMNS = {label: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for label, words in _WORDS.items()}
_MOST_LABEL_WORDS = 5


def with_labels(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a section, the rows of a table with a label before each cell but the dates."""
    columns: list[str] = []
    for line in lines:
        if found := _columns(line):
            columns = found
            continue
        cells = line.text.split("\t")
        if line.kind == "plain" and columns and len(cells) == len(columns):
            yield from _row(line, cells, columns)
        elif line.kind != "columns":
            yield line


def _row(line: Line, cells: Sequence[str], columns: Sequence[str]) -> Iterator[Line]:
    named = list(zip(columns, cells, strict=True))
    dates = " \N{EN DASH} ".join(cell for label, cell in named if label == "Dates")
    parts = [f"{label}: {cell}" for label, cell in named if label not in {"Dates", "Did", ""} and cell.strip()]
    yield replace(line, text="\t".join(filter(None, [dates, *parts])), strong=0)
    yield from (Line(cell, "bullet") for label, cell in named if label == "Did")


def _columns(line: Line) -> list[str]:
    """What the columns hold when a line names them; nothing when it does not."""
    cells = line.text.split("\t")
    if line.kind not in {"plain", "columns"} or len(cells) < 2:  # noqa: PLR2004 - a table has two columns
        return []
    labels = [_label(cell) for cell in cells]
    if None in labels or ("Dates" not in labels and not {"Employer", "School", "Degree"} & set(labels)):
        return []
    return [label or "" for label in labels]


def _label(cell: str) -> str | None:
    """What a column holds; None for a cell that is no heading of a column."""
    text = cell.strip()
    if len(text.split()) > _MOST_LABEL_WORDS or any(map(str.isdigit, text)):
        return None
    if text in {"%", "#", ""}:
        return ""
    return next((label for label, words in _COLUMNS.items() if words.search(text)), None)
