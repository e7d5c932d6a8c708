"""Skills: what the lists of a résumé name as such, and what its sentences name of the lexicon.

A list is divided at commas, semicolons, bars and bullets outside of brackets; what is in brackets is a list of its own.
A label before a colon ("Databases: …") is no item, though it counts when it is a skill by itself. An item that the
lexicon does not know is a skill as it was written, when it is short enough to be a name. Of a sentence counts only what
the lexicon knows, by a name or by a verb with its object ("trained colleagues"). A line of an entry that begins with
"Stack:" or the like is a list, and so are brackets that hold nothing but names of the lexicon. A standard counts by its
number ("ISO 15189"), known or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from graph.candidate.dates import find_period
from graph.candidate.lexicon.matching import Found, lexicon
from graph.candidate.lexicon.verb_phrases import skills_said
from graph.candidate.lines import Line
from graph.candidate.vocabulary import FUNCTION_WORDS, LIST_LABELS, NATURAL_LANGUAGES, PLACE

_LABEL = re.compile(r"([^:\t.]{2,40})(?::|\t)\s{0,5}(?=\S)")
_IN_BRACKETS = re.compile(r"\(([^()]{1,200})\)")
_DIVIDERS = re.compile(r"[,;|•·\t]|\s[/\N{EN DASH}\N{EM DASH}]\s|\.\s")
_TOOLS = re.compile(
    r"(?:tech(?:nolog(?:y|ies))?(?: stack)?(?: used)?|stack|tools?(?: used| (?:and|&) technologies)?|environment|"
    r"skills(?: used)?|built with|key (?:skills|technologies))\s{0,3}[:\t]",
    re.IGNORECASE,
)
"""Begins a line of an entry that lists what was used."""
_LONGEST_WORD = 30
"""Characters before a name in which the word that shares its end stands."""
_AND_BEFORE = re.compile(r"(?:^|[\s(])([^\W\d_][\w-]{1,20})\s(?:and|or|&)\s$")
_STANDARD = re.compile(r"\b(?:ISO|IEC|ISO/IEC|IEEE|DIN|ASTM|ASME)\s?\d{3,6}(?:-\d{1,3})?\b")
_COMMA = re.compile(r"[,;|•·\t:]")
_AND = re.compile(r"\s(?:and|und|&)\s")
_LEVEL = re.compile(
    r"\b(?:advanced|basic|beginner|intermediate|expert|fluent|proficient|good|very good|excellent|strong|working|solid|"
    r"knowledge of|experience (?:with|in)|familiar with|skilled in|etc|years?|level|native|a little|some|other|various|"
    r"including|such as|e\.g)\b\.?",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b\d{1,2}\+?\s{0,3}(?:years?|yrs?)\b|\b[1-5]/5\b|[★☆●○]{1,10}")
_SHORTEST_ITEM = 2
_NO_SKILL = re.compile(
    r"@|https?:|www\.|\b(?:19|20)\d\d\b|^[ABC][12]$|^(?:class|category|page|grade|gpa|born|single|married|available)\b|%|"
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|months?|client|"
    r"project #)\b",
    re.IGNORECASE,
)
_LONGEST_ITEM = 5
"""Words of something that may be a skill nobody knows."""


def skills_named(sentences: Iterable[str]) -> tuple[str, ...]:
    """Canonical names of what sentences name of the lexicon, each once, in their order; of a list all its items."""
    return once(chain.from_iterable(map(_of_sentence, sentences)))


def _of_sentence(sentence: str) -> Iterable[str]:
    if label := _TOOLS.match(sentence):
        return skills_listed([Line(sentence[label.end() :])])
    known = lexicon().skills.find(sentence)
    found = [(each.start, each.entry.name) for each in known]
    found += [(each.start, name) for each in known for name in _coordinated(sentence, each)]
    found += [(each.start, each.skill) for each in skills_said(sentence)]
    for brackets in _IN_BRACKETS.finditer(sentence):
        entries = [lexicon().skills.exact(item) for item in _COMMA.split(brackets[1])]
        found += [(brackets.start(), entry.name) for entry in entries if entry and all(entries)]
    for standard in _STANDARD.finditer(sentence):
        if not lexicon().skills.find(standard[0]):
            found.append((standard.start(), standard[0]))
    return (name for _, name in sorted(found, key=lambda each: each[0]))


def _coordinated(sentence: str, found: Found) -> Iterator[str]:
    """The other skill of two that share their last word: "unit" of "unit and integration tests"."""
    words = sentence[found.start : found.end].split()
    before = _AND_BEFORE.search(sentence[max(0, found.start - _LONGEST_WORD) : found.start])
    if before and len(words) > 1 and (entry := lexicon().skills.exact(f"{before[1]} {words[-1]}")):
        yield entry.name


def skills_listed(lines: Sequence[Line], *, known_only: bool = False) -> tuple[str, ...]:
    """Canonical names of the items of a list, and unknown items as they were written.

    Args:
        lines: of the section.
        known_only: leave out what the lexicon does not know (certificates are more than skills).
    """
    return once(name for line in _unbroken(lines) for name in _of_line(line, known_only=known_only))


def names_natural_language(text: str) -> bool:
    """True when a text names a language that people speak."""
    return any(word in NATURAL_LANGUAGES for word in re.findall(r"[^\W\d_]{4,14}", text.casefold()))


def _unbroken(lines: Sequence[Line]) -> list[Line]:
    """Lines of which none begins within a skill of the lexicon: "Miro, Adobe" and "XD, Maze" are one."""
    whole: list[Line] = []
    for line in lines:
        if whole and line.kind == whole[-1].kind == "plain":
            last, first = _COMMA.split(whole[-1].text)[-1], _COMMA.split(line.text)[0]
            if lexicon().skills.exact(f"{last} {first}"):
                whole[-1] = replace(whole[-1], text=f"{whole[-1].text} {line.text}")
                continue
        whole.append(line)
    return whole


def _of_line(line: Line, *, known_only: bool) -> Iterator[str]:
    text = line.text
    if line.kind == "columns" or (names_natural_language(text) and not lexicon().skills.find(text)):
        return
    is_label = line.is_strong and line.strong >= len(text.rstrip(" :"))
    label = _LABEL.match(text) if text.count("\t") <= 1 else None
    if label or is_label:
        name = (label[1] if label else text).strip(" :")
        if (entry := lexicon().skills.exact(name)) and name.casefold() not in LIST_LABELS:
            yield entry.name
        text = text[label.end() :] if label else ""
    inner = _IN_BRACKETS.findall(text)
    outer = _IN_BRACKETS.sub("", text)
    if _is_sentence(text):
        yield from skills_named([text])
        return
    known_only = known_only or find_period(text) is not None
    for item in _items(outer):
        yield from _of_item(item, known_only=known_only)
    for group in inner:
        for item in _items(group):
            yield from _of_item(item, known_only=True)


def _items(text: str) -> Iterator[str]:
    """The items of a list; "and" divides one when the lexicon knows a part of it and not the whole."""
    for piece in _DIVIDERS.split(text):
        parts = _AND.split(piece)
        if len(parts) > 1 and not lexicon().skills.exact(piece) and any(map(lexicon().skills.exact, parts)):
            yield from parts
        else:
            yield piece


def _of_item(item: str, *, known_only: bool) -> Iterator[str]:
    plain = _LEVEL.sub(" ", _YEARS.sub(" ", item))
    plain = " ".join(plain.split()).strip(" .:-\N{EN DASH}\N{EM DASH}'\"")
    if not plain:
        return
    if entry := lexicon().skills.exact(item) or lexicon().skills.exact(plain):
        yield entry.name
        return
    found = lexicon().skills.find(plain, listed=True)
    yield from (each.entry.name for each in found)
    if not found and not known_only and _may_be_a_skill(plain):
        yield plain


def _may_be_a_skill(item: str) -> bool:
    """Whether an item that the lexicon does not know may be a skill: a name of few words, and nothing else."""
    words = [word.strip("(),.") for word in item.casefold().split()]
    if len(words) > _LONGEST_ITEM or not any(map(str.isalpha, item)) or len(item) < _SHORTEST_ITEM:
        return False
    if words[0] in NATURAL_LANGUAGES or _NO_SKILL.search(item) or item.casefold() in LIST_LABELS:
        return False
    return not any(word in FUNCTION_WORDS for word in words) and not PLACE.fullmatch(item)


def _is_sentence(text: str) -> bool:
    words = text.split()
    return len(words) > _LONGEST_ITEM and text.rstrip().endswith(".") and text.count(",") * 6 < len(words)


def once(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, whatever its case, as it is written first."""
    kept: dict[str, str] = {}
    for name in names:
        kept.setdefault(name.casefold(), name)
    return tuple(kept.values())
