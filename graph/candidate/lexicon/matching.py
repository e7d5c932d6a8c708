"""Matching: which skills and fields of work of the lexicon a text names, and where.

Words are looked up in a tree of spellings, the longest first, so that the time grows with the text and not with the
lexicon. A name ends where a word ends: "C" is not in "C++", "R" not in "R&D", "Java" not in "JavaScript". What is also
a plain word or a letter counts where it stands alone in a list, or in a sentence when it is written as a name
("in Excel", not "excel at") and is not the first word; names of one or two letters need a word or mark before them that
goes with a name ("in Go", ", R"). What is the subject of work as often as a skill ("retail") counts only in a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from graph.candidate.lexicon.schema import HYPHENS, LexiconFiles, key_of, load_files, word_key
from graph.candidate.lexicon.spellings import other_spellings

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_BEFORE_A_NAME = frozenset("in with using and or via into from to of for on through know knows".split())
_MARKS_BEFORE_A_NAME = frozenset(",(/&;:|")
_ENDS_A_SENTENCE = frozenset(".!?:\N{BULLET}*>")
_SHORT = 2
"""Letters up to which a plain word needs more than a capital to be a name."""
_LEAST_VERSIONED = 3
_VERSION, _MODEL = re.compile(r"\d{1,4}$"), re.compile(r"[^\W\d_]\d{1,4}$")
"""What stands behind a name without a space."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a spelling stands for."""

    name: str
    category: str
    ambiguous: bool = False
    only_in_lists: bool = False
    is_acronym: bool = False
    """Written in capitals, also where it begins a sentence: "CAN", and not "Can"."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text."""

    entry: Entry
    start: int
    end: int


@dataclass(slots=True)
class _Node:
    next: dict[str, _Node] = field(default_factory=dict)
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class _Token:
    key: str
    start: int
    end: int


class Names:
    """Spellings that can be found in texts.

    Args:
        spellings: each with what it stands for; of two that are the same the first counts.
    """

    def __init__(self, spellings: Sequence[tuple[str, Entry]]) -> None:
        self._root = _Node()
        for spelling, entry in spellings:
            self._add(key_of(spelling), entry)
        for spelling, entry in spellings:
            if not entry.ambiguous:
                as_name = replace(entry, ambiguous=True)
                for key, is_name in other_spellings(spelling):
                    self._add(key, as_name if is_name else entry)

    def exact(self, text: str) -> Entry | None:
        """What the whole of a text stands for."""
        node: _Node | None = self._root
        for part in key_of(text.strip()):
            node = node.next.get(part) if node else None
        return node.entry if node else None

    def find(self, text: str, *, listed: bool = False) -> list[Found]:
        """Every name in a text, in its order; of two that overlap the one that begins first, and the longer.

        Args:
            text: a line or a sentence.
            listed: it is an item of a list of skills, where every word is likely to be a name.
        """
        text = text.strip() if listed else text
        tokens = list(_tokens(text))
        found: list[Found] = []
        at = 0
        while at < len(tokens):
            length = 1
            for entry, size in self._longest_first(tokens, at):
                match = Found(entry, tokens[at].start, tokens[at + size - 1].end)
                if (
                    _ends_with_words(text, match)
                    and (listed or not entry.only_in_lists)
                    and (not entry.ambiguous or _is_meant(text, match, tokens[max(0, at - 1) : at], listed=listed))
                ):
                    found.append(match)
                    length = size
                    break
            at += length
        return found

    def _add(self, key: tuple[str, ...], entry: Entry) -> None:
        node = self._root
        for part in key:
            node = node.next.setdefault(part, _Node())
        node.entry = node.entry or entry

    def _longest_first(self, tokens: list[_Token], at: int) -> list[tuple[Entry, int]]:
        found: list[tuple[Entry, int]] = []
        first = tokens[at].key
        if first not in self._root.next:
            nodes = map(self._root.next.get, _versionless(first))
            return [(node.entry, 1) for node in nodes if node and node.entry][:1]
        node = self._root
        for size, token in enumerate(tokens[at : at + _LONGEST], start=1):
            if (after := node.next.get(token.key)) is None:
                break
            node = after
            if node.entry:
                found.append((node.entry, size))
        return found[::-1]


_LONGEST = 12
"""Words and marks of the longest spelling, with room to spare."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lexicon, ready for use."""

    skills: Names
    domains: Names
    categories: Mapping[str, str]
    """Category of each skill and field by its canonical name in lower case."""

    def category(self, name: str) -> str:
        """Category of a skill or a field; empty for one that the lexicon does not know."""
        return self.categories.get(name.casefold(), "")

    def canonical(self, written: str) -> str:
        """The canonical name of a skill; as it was written when it is not known."""
        entry = self.skills.exact(written)
        return entry.name if entry else written.strip()


@cache
def lexicon() -> Lexicon:
    """Viva's own lexicon.

    Raises:
        pydantic.ValidationError, yaml.YAMLError: a file of it has the wrong form.
    """
    return lexicon_of(load_files())


def lexicon_of(files: LexiconFiles) -> Lexicon:
    """A lexicon from its files."""
    skills = [
        (
            spelling,
            Entry(name, file.category, key in ambiguous, key in in_lists, spelling.isupper()),
        )
        for file in files.skills
        for ambiguous, in_lists in [[frozenset(map(key_of, words)) for words in (file.ambiguous, file.in_lists)]]
        for name, aliases in file.skills.items()
        for spelling in (name, *aliases)
        for key in [key_of(spelling)]
    ]
    domains = [
        (spelling, Entry(name, category))
        for category, fields in files.domains.items()
        for name, titles in fields.items()
        for spelling in (name, *titles)
    ]
    categories = {entry.name.casefold(): entry.category for _, entry in (*domains, *skills)}
    return Lexicon(Names(skills), Names(domains), categories)


def _versionless(word: str) -> Iterator[str]:
    """A word without the version or model behind it: "Angular14", "YOLOv5", "STM32H7"."""
    for version in (_VERSION, _MODEL):
        shorter = version.sub("", word)
        if shorter != word and len(shorter) >= _LEAST_VERSIONED:
            yield shorter


def _tokens(text: str) -> Iterator[_Token]:
    """Words and marks; a hyphen between two words joins them as a space does."""
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if text[start] in HYPHENS and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
            continue
        yield _Token(word_key(match[0]), start, end)


def _ends_with_words(text: str, match: Found) -> bool:
    """True when the name is not a part of something longer, such as an address, "C++" or "AT&T"."""
    before, after = text[max(0, match.start - 2) : match.start], text[match.end : match.end + 2]
    if before[-1:] in ("&", "@", "_") or (before[-1:] in (".", "'") and before[:1].isalnum() and len(before) > 1):
        return False
    if not text[match.start].isalnum() and before[-1:].isalnum():
        return False
    return not (after[:1] in ("+", "#", "@", "_") or (after[:1] in ("&", ".") and after[1:].isalpha()))


def _is_meant(text: str, match: Found, before: list[_Token], *, listed: bool) -> bool:
    """Whether a name that is also a plain word is meant as a name."""
    written = text[match.start : match.end]
    if len(written) == len(text) and (listed or not written.islower()):
        return True
    if text[match.start - 1 : match.start] in HYPHENS or text[match.end : match.end + 1] in HYPHENS:
        return False
    if written.islower() or not any(map(str.isalpha, written)):
        return False
    if match.entry.is_acronym and len(written) > _SHORT:
        return written.isupper() and not text.isupper()
    are_capitals = " " in written and all(word[0].isupper() for word in written.split())
    first = (not before or before[0].key in _ENDS_A_SENTENCE) and not are_capitals
    if len(written) > _SHORT:
        return listed or not first
    goes_with = bool(before) and (before[0].key in _BEFORE_A_NAME or before[0].key in _MARKS_BEFORE_A_NAME)
    return goes_with or (listed and first)
