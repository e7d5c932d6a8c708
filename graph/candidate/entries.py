"""Entries of a section: positions, projects and degrees, each with its head, its dates and what was done.

An entry is found by its dates. How many lines of the head stand above the one with the dates is told by the first entry
of the section, and holds for all of it: people write all entries alike. Below the dates belong to the head the short
lines up to the first bullet or sentence. Sections without any date (projects, often) have an entry for each heading or
line that bullets follow, or for each bullet, of which the name is what stands before a dash or a colon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domain.candidate import CandidateEducation, CandidateExperience, CandidateProject
from graph.candidate.dates import Period, find_period
from graph.candidate.heads import read_position, read_school
from graph.candidate.lines import Line
from graph.candidate.skills import skills_named

_MOST_ABOVE = 3
"""Lines of a head above its dates."""
_MOST_BELOW = 2
_LONGEST_HEAD = 12
"""Words of a line of a head."""
_MOST_BESIDE_DATES = 14
"""Words beside dates that are those of an entry, and not of a sentence."""
_NAME_AND_REST = re.compile(r"(.{2,60}?)(?:\s[\N{EN DASH}\N{EM DASH}-]\s|:\s|\t)(.{1,2000})")
_ABBREVIATION = re.compile(r"\b(?:inc|ltd|co|corp|dept|univ|e\.v|s\.a|jr|sr)\.$", re.IGNORECASE)
_DATES_LABEL = re.compile(r"\b(?:dates?|period|duration|from|when)\s{0,3}:\s{0,5}$", re.IGNORECASE)
_TEAM = re.compile(r"\s{0,3}\([^()]{0,60}\)$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, as lines."""

    head: tuple[str, ...]
    """Lines without their dates; those that only had dates are not there."""
    period: Period | None
    did: tuple[str, ...]


def read_experience(lines: Sequence[Line]) -> list[CandidateExperience]:
    """The positions of a section."""
    found = []
    for entry in entries_of(lines):
        position = read_position(list(entry.head))
        if not position.employer and not (position.role and entry.period):
            continue
        found.append(
            CandidateExperience(
                employer=position.employer,
                role=position.role,
                start=entry.period.start if entry.period else "",
                end=entry.period.end if entry.period else "",
                did=entry.did,
                skills=skills_named(entry.did),
            )
        )
    return found


def read_projects(lines: Sequence[Line]) -> list[CandidateProject]:
    """The projects of a section."""
    found = []
    for entry in entries_of(lines):
        if not entry.head:
            continue
        name, did = entry.head[0], (*entry.head[1:], *entry.did)
        if match := _NAME_AND_REST.fullmatch(name):
            name, did = match[1], (match[2], *did)
        name = _TEAM.sub("", name).strip(" ,;:|\t")
        found.append(
            CandidateProject(
                name=name,
                did=tuple(did),
                skills=skills_named((name, *did)),
                start=entry.period.start if entry.period else "",
                end=entry.period.end if entry.period else "",
            )
        )
    return found


def read_education(lines: Sequence[Line]) -> list[CandidateEducation]:
    """The degrees and courses of a section."""
    found = []
    for entry in entries_of(lines):
        if (school := read_school(list(entry.head))).name:
            start, end = (entry.period.start, entry.period.end) if entry.period else ("", "")
            found.append(
                CandidateEducation(
                    school=school.name, degree=school.degree, subject=school.subject, start=start, end=end
                )
            )
    return found


def entries_of(lines: Sequence[Line]) -> list[Entry]:
    """The entries of a section, in their order."""
    kept = [line for line in lines if line.kind != "blank"]
    dated = [index for index, line in enumerate(kept) if _dates(line)]
    if not dated:
        return _undated(kept)
    above = _lines_above(kept, dated[0])
    # No head reaches up to the dates of the entry before.
    floors = [0, *(index + 1 for index in dated[:-1])]
    starts = [max(index - above, floor) for index, floor in zip(dated, floors, strict=True)]
    starts = [
        max(_not_in_body(kept, start, index), floor) for start, index, floor in zip(starts, dated, floors, strict=True)
    ]
    ends = [*starts[1:], len(kept)]
    entries = _undated(kept[: starts[0]])
    return entries + [
        _entry(kept[start:end], index - start) for start, index, end in zip(starts, dated, ends, strict=True)
    ]


def _dates(line: Line) -> Period | None:
    """The dates of a line that is the head of an entry."""
    period = find_period(line.text)
    if period is None:
        return None
    rest = line.text[: period.at] + line.text[period.to :]
    if line.kind == "bullet" and (not period.is_range or rest.rstrip().endswith(".")):
        return None
    words = len(rest.split())
    if not period.is_range:
        # A year alone dates an entry at the edge of its line; within it, it is a part of a sentence.
        at_edge = not line.text[: period.at].strip(" \t(,") or not line.text[period.to :].strip(" \t).")
        return period if at_edge and words <= _LONGEST_HEAD and not rest.rstrip().endswith(".") else None
    return period if words <= _MOST_BESIDE_DATES else None


def _lines_above(lines: Sequence[Line], first: int) -> int:
    above = 0
    while above < min(first, _MOST_ABOVE) and _may_be_head(lines[first - above - 1]):
        above += 1
    return above


def _may_be_head(line: Line) -> bool:
    text = line.text.rstrip()
    is_sentence = text.endswith((".", "!", "?")) and not _ABBREVIATION.search(text)
    return line.kind != "bullet" and len(text.split()) <= _LONGEST_HEAD and not is_sentence


def _not_in_body(lines: Sequence[Line], start: int, dated: int) -> int:
    """Where the head begins: behind the last line that belongs to the entry before."""
    body = [index for index in range(start, dated) if not _may_be_head(lines[index])]
    if body:
        return body[-1] + 1
    # A line between a whole bullet and the dates is the beginning of a head that needed two.
    above = lines[start - 1] if start == dated and start > 1 else None
    before = lines[start - 2] if above else None
    if above and before and _may_be_head(above) and before.kind == "bullet" and before.text.endswith("."):
        return start - 1
    return start


def _entry(lines: Sequence[Line], dated: int) -> Entry:
    head: list[str] = []
    period = _dates(lines[dated])
    head += [line.text for line in lines[:dated]]
    if period:
        text = lines[dated].text
        left, right = text[: period.at].strip(" \t,(|"), text[period.to :].strip(" \t,)|")
        left = _DATES_LABEL.sub("", left)
        head += [part for part in (left, right) if part.strip(" -\N{EN DASH}\N{EM DASH}·:")]
    below = dated + 1
    while (
        below < len(lines) and below - dated <= _MOST_BELOW and len(head) < _MOST_ABOVE and _may_be_head(lines[below])
    ):
        head.append(lines[below].text)
        below += 1
    return Entry(tuple(head), period, tuple(line.text for line in lines[below:]))


def _undated(lines: Sequence[Line]) -> list[Entry]:
    if not any(line.kind == "bullet" for line in lines):
        return [Entry((line.text,), None, ()) for line in lines]
    if all(line.kind == "bullet" for line in lines):
        return [Entry((line.text,), None, ()) for line in lines]
    entries: list[list[str]] = []
    for index, line in enumerate(lines):
        before_bullet = index + 1 < len(lines) and lines[index + 1].kind == "bullet"
        if line.kind == "heading" or (line.kind == "plain" and before_bullet and _may_be_head(line)) or not entries:
            entries.append([line.text])
        else:
            entries[-1].append(line.text)
    return [Entry((head,), None, tuple(did)) for head, *did in entries]
