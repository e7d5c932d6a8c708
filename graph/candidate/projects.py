"""Projects of a section: what was made, under the name that stands before a dash, a colon, or in bold.

A project begins at a label ("Title: …"), at a heading, at a line that begins in bold, or at one with dates; where there
is none of these, each line or bullet is one, or each line that bullets follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from domain.candidate import CandidateProject
from graph.candidate.dates import find_period
from graph.candidate.entries import Entry, entries_of
from graph.candidate.lines import Line
from graph.candidate.positions import IN_BRACKETS
from graph.candidate.skills import skills_named
from graph.candidate.vocabulary import label

_NAME_AND_REST = re.compile(r"(.{2,80}?)(?:\s[\N{EN DASH}\N{EM DASH}|·-]\s|:\s|\t|\s\N{EM DASH}$)(.{0,2000})")
_TITLE = label(r"(?:project(?: (?:title|name))?|title|name)(?:\s?#?\d{1,2})?", value=r".{2,120}")
_OPEN_BRACKET = re.compile(r"\s{0,3}\([^()]{0,120}$")
"""A remark of which the end, with the dates, is gone."""
_NUMBER = re.compile(r"project\s{0,2}[#№]?\s?\d{1,2}\s{0,2}[:.)-]?", re.IGNORECASE)
_DURATION = re.compile(r"(?:duration|period|dates?|year|time)\s{0,3}[:\t]", re.IGNORECASE)
_COMMA_AND_REST = re.compile(r"(.{2,80}?),\s(.{20,2000})")
_LEAST_MARKED = 0.5
_EDGES = ' ,;:|\t-\N{EN DASH}\N{EM DASH}·"“”'


def read_projects(lines: Sequence[Line]) -> list[CandidateProject]:
    """The projects of a section."""
    return [project for project in _projects(lines) if project.name]


def _projects(lines: Sequence[Line]) -> list[CandidateProject]:
    kept = [line for line in lines if line.kind not in {"blank", "columns"}]
    if any(_TITLE.fullmatch(line.text) for line in kept):
        return [_labelled(group) for group in _groups(kept, _has_title) if _has_title(group[0])]
    if any(line.kind == "heading" for line in kept):
        return [_marked(group) for group in _groups(kept, lambda line: line.kind == "heading")]
    if _are_marked(kept):
        return [_marked(group) for group in _groups(kept, lambda line: bool(line.strong)) if group[0].strong]
    return [_of_entry(entry) for entry in entries_of(lines) if entry.head and not _NUMBER.fullmatch(entry.head[0])]


def _has_title(line: Line) -> bool:
    return bool(_TITLE.fullmatch(line.text)) and not _NUMBER.fullmatch(line.text)


def _are_marked(lines: Sequence[Line]) -> bool:
    """True when the lines that are not below another begin in bold."""
    heads = [line for line in lines if line.kind != "bullet"] or list(lines)
    strong = [line for line in lines if line.strong and not line.text[: line.strong].endswith(":")]
    return bool(strong) and len(strong) >= _LEAST_MARKED * len(heads)


def _groups(lines: Sequence[Line], begins: Callable[[Line], bool]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line in lines:
        if begins(line) or not groups:
            groups.append([line])
        else:
            groups[-1].append(line)
    return groups


def _labelled(group: Sequence[Line]) -> CandidateProject:
    match = _TITLE.fullmatch(group[0].text)
    assert match is not None
    said = [line.text for line in group[1:] if not _NUMBER.fullmatch(line.text)]
    dates = next((text for text in said if _DURATION.match(text)), "")
    return _project(match[1], said, dates)


def _marked(group: Sequence[Line]) -> CandidateProject:
    first = group[0]
    cut = first.strong if 0 < first.strong < len(first.text) else 0
    name, rest = (first.text[:cut], first.text[cut:]) if cut else _name_and_rest(first.text)
    near = [rest, *(line.text for line in group[1:2] if line.kind != "bullet")]
    dates = next((text for text in (name, *near) if find_period(text)), "")
    return _project(_without_dates(name), [rest.strip(_EDGES), *(line.text for line in group[1:])], dates)


def _of_entry(entry: Entry) -> CandidateProject:
    name, rest = _name_and_rest(entry.head[0])
    said = (rest, *entry.head[1:], *entry.did)
    project = _project(name, said, "")
    if entry.period is None:
        return project
    return project.model_copy(update={"start": entry.period.start, "end": entry.period.end})


def _name_and_rest(text: str) -> tuple[str, str]:
    match = _NAME_AND_REST.fullmatch(text) or (_COMMA_AND_REST.fullmatch(text) if len(text.split()) > 6 else None)  # noqa: PLR2004 - words of a name
    return (match[1], match[2]) if match else (text, "")


def _without_dates(name: str) -> str:
    period = find_period(name)
    return name[: period.at] + name[period.to :] if period else name


def _project(name: str, said: Sequence[str], dates: str) -> CandidateProject:
    name = _OPEN_BRACKET.sub("", IN_BRACKETS.sub("", name.strip(_EDGES))).strip(_EDGES)
    did = tuple(text for text in said if text.strip())
    period = find_period(dates) if dates else None
    return CandidateProject(
        name=name,
        did=did,
        skills=skills_named((name, *did)),
        start=period.start if period else "",
        end=period.end if period else "",
    )
