"""Entries of a section: positions, projects and degrees, each with its head, its dates and what was done.

An entry is found by its dates. Above the line with the dates belong to its head the short lines up to the body of the
entry before: a bullet, a sentence, a list, or a blank line. Where entries follow each other without a body, as many
lines belong to it as with the others: people write all entries alike. Below the dates, short lines belong to the head
for as long as it is not whole. A heading always begins a head. Sections without any date have an entry for each heading
or line that bullets follow, or for each bullet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from graph.candidate.dates import Period, find_period
from graph.candidate.lines import Line
from graph.candidate.tables import with_labels
from graph.candidate.vocabulary import DURATION

_MOST_ABOVE = 3
"""Lines of a head above its dates."""
_MOST_BELOW = 3
_FEW = 3
"""Characters beside dates that say nothing."""
_LONGEST_HEAD = 12
"""Words of a line of a head."""
_MOST_BESIDE_DATES, _MOST_BESIDE_DATES_AT_EDGE = 14, 40
"""Words beside dates that are those of an entry, and not of a sentence; the second where the dates stand at an edge."""
_MOST_COMMAS = 3
_ABBREVIATION = re.compile(
    r"(?:\b(?:inc|ltd|co|corp|dept|univ|jr|sr|st|approx)|\b[a-z]\.\s?[a-z]|\b[A-Z])\.$", re.IGNORECASE
)
_DATES_LABEL = re.compile(r"\b(?:dates?|period|duration|from|when|time|zeitraum)\s{0,3}[:\t]\s{0,5}$", re.IGNORECASE)
_BODY_LABEL = re.compile(
    r"(?:key |main |used )?(?:technolog(?:y|ies)|tech(?: stack)?|stack|tools?|environment|skills|keywords|duties|tasks|"
    r"responsibilities|achievements|accomplishments|roles? (?:&|and) responsibilities|tags|methods|highlights|"
    r"projects?|description|team size|thesis|reason for leaving|grade|modules|coursework)\b.{0,30}?[:\t]",
    re.IGNORECASE,
)
WORKED_AS = re.compile(
    r"\b(?:work(?:ed|ing)|employed|serv(?:ed|ing)|associated|engaged)\s(?:\w{1,12}\s)?as\b", re.IGNORECASE
)
_END_OF_HEAD = re.compile(r"(?:\.|:|;)\s{1,3}(?=[A-ZÀ-Þ])")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, as lines."""

    head: tuple[str, ...]
    """Lines without their dates; those that only had dates are not there."""
    period: Period | None
    did: tuple[str, ...]
    below: int = 0
    """Lines of the head that stand below the dates."""


def entries_of(
    lines: Sequence[Line], wants: Callable[[list[str], str], bool] = lambda _head, _line: True
) -> list[Entry]:
    """The entries of a section, in their order.

    Args:
        lines: of the section.
        wants: whether the lines of a head want the next line, because they do not say all that a head says.
    """
    labelled = list(with_labels(lines))
    labelled = list(_without_durations(labelled))
    kept = [line for line in labelled if line.kind != "blank"]
    after_blank = {
        id(line) for before, line in zip([None, *labelled], labelled, strict=False) if before and before.kind == "blank"
    }
    dated = [index for index, line in enumerate(kept) if dates_of(line)]
    if not dated:
        return undated(kept)
    starts = _starts(kept, dated, after_blank)
    ends = [*starts[1:], len(kept)]
    entries = undated(kept[: starts[0]])
    return entries + [
        _entry(kept[start:end], index - start, wants) for start, index, end in zip(starts, dated, ends, strict=True)
    ]


def _without_durations(lines: Sequence[Line]) -> Iterator[Line]:
    """Without lines that only say how long something lasted; what stands above one is the heading of an employer."""
    for line, following in zip(lines, [*lines[1:], None], strict=False):
        if DURATION.fullmatch(line.text):
            continue
        is_heading = following is not None and line.kind == "plain" and DURATION.fullmatch(following.text)
        yield replace(line, kind="heading") if is_heading else line


def dates_of(line: Line) -> Period | None:
    """The dates of a line that is the head of an entry."""
    period = find_period(line.text)
    if period is None or line.kind == "columns":
        return None
    before, after = line.text[: period.at].strip(" \t(,"), line.text[period.to :].strip(" \t).")
    rest = line.text[: period.at] + line.text[period.to :]
    is_sentence = ends_sentence(rest, ".")
    if line.kind == "bullet" and (not period.is_range or is_sentence):
        return period if period.is_range and WORKED_AS.search(before) else None
    words = len(rest.split())
    if not period.is_range:
        # A year alone dates an entry at the edge of its line; within it, it is a part of a sentence.
        at_edge = not before or not after
        return period if at_edge and words <= _LONGEST_HEAD and not is_sentence else None
    most = _MOST_BESIDE_DATES_AT_EDGE if not before else _MOST_BESIDE_DATES
    if after and before and before[-1:].islower() and is_sentence:
        return None
    return period if words <= most else None


def is_of_head(line: Line) -> bool:
    """True for a line that may belong to the head of an entry: short, no bullet, no sentence, no list."""
    text = line.text.rstrip()
    is_sentence = ends_sentence(text, ".!?;:")
    if line.kind in {"bullet", "columns"} or is_sentence or _BODY_LABEL.match(text) or text.count(",") > _MOST_COMMAS:
        return False
    begins_small = text[:1].islower() and text[1:2].islower() and line.kind != "heading"
    return len(text.split()) <= _LONGEST_HEAD and not begins_small


def ends_sentence(text: str, marks: str = ".!?") -> bool:
    """True where a text ends with one of the marks, and not with an abbreviation."""
    text = text.rstrip()
    return text.endswith(tuple(marks)) and not _ABBREVIATION.search(text)


def _starts(lines: Sequence[Line], dated: Sequence[int], after_blank: set[int]) -> list[int]:
    """The first line of each entry."""
    runs: list[tuple[int, bool]] = []
    for number, index in enumerate(dated):
        first = dated[number - 1] + 1 if number else 0
        runs.append(_run_above(lines, index, first, after_blank, is_first=number == 0))
    certain = Counter(run for run, is_certain in runs if is_certain)
    usual = min(certain, key=lambda run: (-certain[run], run)) if certain else 0
    return [
        index - (run if is_certain else min(run, usual)) for index, (run, is_certain) in zip(dated, runs, strict=True)
    ]


def _run_above(
    lines: Sequence[Line], index: int, first: int, after_blank: set[int], *, is_first: bool
) -> tuple[int, bool]:
    """How many lines above one with dates may belong to its head, and whether something shows where they begin."""
    period = dates_of(lines[index])
    assert period is not None
    begins = len(lines[index].text) - (period.to - period.at) > _FEW or (
        index + 1 < len(lines) and is_of_head(lines[index + 1])
    )
    run = 0
    while True:
        at = index - run
        if at <= first or run == _MOST_ABOVE:
            return run, is_first or run == _MOST_ABOVE
        if run and lines[at].kind == "heading" and lines[at - 1].kind != "heading":
            return run, True
        if id(lines[at]) in after_blank and (run or begins) and lines[at - 1].kind != "heading":
            return run, True
        if not is_of_head(lines[at - 1]):
            return run, True
        run += 1


def _entry(lines: Sequence[Line], dated: int, wants: Callable[[list[str], str], bool]) -> Entry:
    head = [line.text for line in lines[:dated]]
    period = dates_of(lines[dated])
    did: list[str] = []
    if period:
        text = lines[dated].text
        left, right = text[: period.at].strip(" \t,(|"), _without_edges(text[period.to :])
        left = _DATES_LABEL.sub("", f"{left}\t" if left and text[: period.at].endswith("\t") else left).strip()
        if len(right.split()) > _LONGEST_HEAD and (cut := _END_OF_HEAD.search(right)):
            did.append(right[cut.end() :])
            right = right[: cut.start()]
        right = DURATION.sub("", right, count=1) if DURATION.match(right) else right
        head += [part for part in (left, right) if part.strip(" -\N{EN DASH}\N{EM DASH}·:.()")]
    below = dated + 1
    while below < len(lines) and below - dated <= _MOST_BELOW and len(head) < _MOST_ABOVE:
        if not is_of_head(lines[below]) or not wants(head, lines[below].text):
            break
        head.append(lines[below].text)
        below += 1
    said = (*did, *(line.text for line in lines[below:]))
    return Entry(tuple(head), period, said, below - dated - 1)


def _without_edges(text: str) -> str:
    """What stands behind dates; the bracket that closes theirs is none of it."""
    return text.strip(" \t,|:") if "(" in text else text.strip(" \t,)|:")


def undated(lines: Sequence[Line]) -> list[Entry]:
    """Entries of lines without dates."""
    kinds = {line.kind for line in lines}
    if "bullet" not in kinds or kinds == {"bullet"}:
        return [Entry((line.text,), None, ()) for line in lines]
    entries: list[list[str]] = []
    for index, line in enumerate(lines):
        before_bullet = index + 1 < len(lines) and lines[index + 1].kind == "bullet"
        if line.kind == "heading" or (line.kind == "plain" and before_bullet and is_of_head(line)) or not entries:
            entries.append([line.text])
        else:
            entries[-1].append(line.text)
    return [Entry((head,), None, tuple(did)) for head, *did in entries]
