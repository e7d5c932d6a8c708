"""Sections of a résumé: what a heading announces (`graph.candidate.headings`), and the lines below it.

A line is a heading when it is marked as one (Markdown, a heading of a word processor, larger type, a rule below it), or
when it consists of nothing but words that headings are made of. Other lines that look like the headings that were known
(in capitals, in bold, with a colon) begin a section too, of which what stands below tells what it is: positions,
schools, skills, or nothing that is read. A heading of a lower rank within a section is the head of an entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graph.candidate.contents import kind_by_contents
from graph.candidate.dates import find_period
from graph.candidate.headings import BESIDE_WORK, SectionKind, heading_kind
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lines import Line

_ENTRIES: frozenset[SectionKind] = frozenset({"experience", "education", "projects"})
_MOST_WORDS, _MOST_CHARACTERS = 6, 48
_CAPITALS = re.compile(r"[A-ZÀ-Þ][A-ZÀ-Þ&/,'’ :-]{3,40}")
_LEAST_CAPITALS = 3
"""Lines in capitals from which on they are the headings of a document that has none that are known."""


@dataclass(slots=True)
class Section:
    """A heading and what stands below it."""

    kind: SectionKind
    heading: str = ""
    level: int = 0
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Form:
    """What a line looks like."""

    in_capitals: bool
    is_strong: bool
    has_colon: bool

    def __bool__(self) -> bool:
        return self.in_capitals or self.is_strong or self.has_colon


def split_sections(lines: list[Line]) -> list[Section]:
    """A résumé in its sections, in order; first what stands above all headings."""
    lines = list(_with_headings_apart(lines))
    forms = _forms(lines)
    labels = _labels(lines)
    sections = [Section("head")]
    for index, line in enumerate(lines):
        current = sections[-1]
        if line.text.casefold() in labels:
            current.lines.append(line)
            continue
        after_blank = index > 0 and lines[index - 1].kind == "blank"
        kind = _announced(line, current, forms, after_blank=after_blank)
        if kind is not None:
            sections.append(Section(kind, line.text, line.level))
        elif _begins_something_else(lines, index, current, forms):
            sections.append(Section("other", line.text, line.level))
        else:
            current.lines.append(line)
    return [replace(each, kind=kind_by_contents(each.kind, each.heading, each.lines)) for each in sections]


def _with_headings_apart(lines: Sequence[Line]) -> list[Line]:
    """Headings before what they announce, on lines of their own: in the left column of a table, or in bold."""
    last_dated = max((index for index, line in enumerate(lines) if _has_range(line)), default=-1)
    apart: list[Line] = []
    for index, line in enumerate(lines):
        first, tab, rest = line.text.partition("\t")
        is_heading = bool(tab) and (line.is_strong or line.kind == "heading" or bool(_CAPITALS.fullmatch(first)))
        if not tab and line.kind == "plain" and index >= last_dated:
            # Before that, "Technologies:" may be a part of an entry.
            first, _, rest = line.text.partition(":")
            is_heading = line.strong in {len(first), len(first) + 1}
        kind = heading_kind(first) if is_heading else None
        if kind and kind not in BESIDE_WORK and len(rest.split()) > 1 and not find_period(first):
            apart += [Line(first, "heading", line.level), Line(rest.strip(), indent=line.indent)]
        else:
            apart.append(line)
    return apart


def _has_range(line: Line) -> bool:
    period = find_period(line.text)
    return period is not None and period.is_range and not line.text[: period.at].rstrip(" (").endswith(")")


def _labels(lines: Sequence[Line]) -> frozenset[str]:
    """What looks like a heading and is one of the labels that each entry has ("Responsibilities:"): it comes again."""
    counted = Counter(line.text.casefold() for line in lines if len(line.text) <= _MOST_CHARACTERS and line.text)
    return frozenset(text for text, count in counted.items() if count > 1)


def _forms(lines: Sequence[Line]) -> Counter[_Form]:
    """How the headings look that are known by their words, without those that are marked."""
    known = [line for line in lines if line.kind == "plain" and heading_kind(line.text) and not find_period(line.text)]
    forms = Counter(form for line in known if (form := _form(line)))
    capitals = [line for line in lines if line.kind == "plain" and _CAPITALS.fullmatch(line.text)]
    if not forms and not any(line.kind == "heading" for line in lines) and len(capitals) >= _LEAST_CAPITALS:
        forms[_form(capitals[-1])] = len(capitals)
    return forms


def _form(line: Line) -> _Form:
    return _Form(bool(_CAPITALS.fullmatch(line.text)), line.is_strong, line.text.endswith(":"))


def _announced(line: Line, current: Section, forms: Counter[_Form], *, after_blank: bool) -> SectionKind | None:
    if line.kind not in {"heading", "plain"} or find_period(line.text) or "\t" in line.text:
        return None
    form = _form(line)
    if line.kind == "heading":
        kind = heading_kind(line.text, is_marked=True)
        is_lower = current.kind != "head" and 0 < current.level < line.level
        # A heading of a lower rank that is not plainly one of a section's: "Project Manager" in a history.
        return heading_kind(line.text) if kind and is_lower else kind
    if forms and not form and current.kind != "head" and not after_blank:
        return None  # Others are marked by their form; this is a line of a list ("Tools").
    looks_like_one = form.in_capitals or (form in forms and current.kind not in _ENTRIES)
    return heading_kind(line.text, is_marked=bool(looks_like_one and len(line.text.split()) <= _MOST_WORDS))


def _begins_something_else(lines: Sequence[Line], index: int, current: Section, forms: Counter[_Form]) -> bool:
    line = lines[index]
    if line.kind == "heading":
        if current.kind == "head":
            return bool(current.lines) and line.level > 1 and not find_period(line.text)
        return bool(current.level) and line.level <= current.level
    form = _form(line)
    if form not in forms or not current.heading or not _may_be_heading(line, current):
        return False
    near = [each for each in lines[index + 1 : index + 4] if each.kind != "blank"][:2]
    has_dates = any((period := find_period(each.text)) and period.is_range for each in near)
    if current.kind in _ENTRIES:
        return form.in_capitals and not has_dates  # Heads of entries may look the same.
    is_label = form.is_strong and not form.in_capitals and current.kind == "skills"
    return form.in_capitals or has_dates or (not is_label and lines[index - 1].kind == "blank")


def _may_be_heading(line: Line, current: Section) -> bool:
    """True for a short line without commas or dates; a skill among skills is a label."""
    text = line.text
    is_short = len(text) <= _MOST_CHARACTERS and len(text.split()) <= _MOST_WORDS
    if line.kind != "plain" or not is_short or "\t" in text or "," in text:
        return False
    return not find_period(text) and not (current.kind == "skills" and lexicon().skills.exact(text))
