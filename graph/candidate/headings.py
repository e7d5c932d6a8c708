"""Heading: what a short line announces, in whatever words (`headings.yaml`).

The words of a heading are looked up as phrases, the longest first ("research interests" before "interests"). A line
that nothing marks is a heading when it has such a phrase and otherwise only words that say nothing by themselves ("my",
"selected", "where"); of one that the document marks a single phrase is enough ("Projects I did for the love of it").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from domain.frozen_model import FrozenModel
from graph.candidate.lexicon.schema import Words, content_of

SectionKind = Literal[
    "head", "summary", "experience", "projects", "education", "skills", "certificates", "languages", "strengths",
    "weaknesses", "traits", "other", "personal",
]  # fmt: skip
"""What a section is about. Of "other" only skills are read; of "personal", what is about the person and not their work,
nothing."""

BESIDE_WORK: frozenset[SectionKind] = frozenset({"traits", "other", "personal"})
"""Sections that say nothing of work."""
_FILE = Path(__file__).with_suffix(".yaml")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[&+/|]")
_CONTRACTED = re.compile(r"(?<=\bi)'?(m|ve)\b")
_NUMBERING = re.compile(r"^(?:\d{1,2}|[IVX]{1,4}|[A-H])[.)]\s{1,3}")
_MOST_WORDS, _MOST_CHARACTERS = 9, 60
_SHORTEST_WITHIN = 6


class HeadingWords(FrozenModel):
    """What headings are made of, as it is written."""

    kinds: Mapping[SectionKind, tuple[Words, ...]]
    """What each phrase announces. Of a heading that announces several kinds, the first of these counts."""
    weak: tuple[Words, ...]
    """Phrases that announce something alone, and say nothing beside another."""
    fillers: frozenset[Words]
    """Words that say nothing by themselves."""
    entry_labels: frozenset[Words]
    """Labels within an entry, which are no headings."""

    @cached_property
    def phrases(self) -> Mapping[str, SectionKind]:
        """What each phrase announces."""
        return {phrase: kind for kind, phrases in self.kinds.items() for phrase in phrases}

    @cached_property
    def most_words(self) -> int:
        """Of a phrase."""
        return max(len(phrase.split()) for phrase in self.phrases)


@cache
def heading_words() -> HeadingWords:
    """The words that come with Viva.

    Raises:
        ValueError, yaml.YAMLError: the file has the wrong form.
    """
    return HeadingWords.model_validate(content_of(_FILE))


def heading_kind(text: str, *, is_marked: bool = False) -> SectionKind | None:
    """What a heading announces; None when the text is no heading of a résumé's sections.

    Args:
        text: a line.
        is_marked: the document says that it is a heading, so that one phrase of it is enough.
    """
    plain = _NUMBERING.sub("", text.strip(" :\t.-\N{EN DASH}\N{EM DASH}|•").replace("\t", " "))
    if not plain or len(plain) > _MOST_CHARACTERS or any(map(str.isdigit, plain)):
        return None
    words = _WORD.findall(_uncontracted(plain.lower().replace("’", "'")))
    if not words or len(words) > _MOST_WORDS or (not is_marked and _is_sentence(plain)):
        return None
    if " ".join(words) in heading_words().entry_labels:
        return None
    kinds, unknown = _looked_up(words)
    if not kinds and len(words) == 1 and plain.isupper():
        kinds = _within(words[0])
    if not kinds or (unknown and not is_marked):
        return None
    kind = next(kind for kind in heading_words().kinds if kind in kinds)
    # Of what stands below "Strengths and weaknesses" nobody can tell for which of the two it is.
    return "other" if kind == "weaknesses" and "strengths" in kinds else kind


def _uncontracted(text: str) -> str:
    return _CONTRACTED.sub(lambda match: " am" if match[1] == "m" else " have", text)


def _is_sentence(plain: str) -> bool:
    return plain.endswith((",", ";", "?", "!")) or any(mark in plain for mark in ("@", ";", "(", ": ", ". "))


def _looked_up(words: Sequence[str]) -> tuple[set[SectionKind], int]:
    """What the phrases announce, and how many words are neither part of one nor a filler."""
    known = heading_words()
    found: list[str] = []
    unknown = at = 0
    while at < len(words):
        sizes = range(min(known.most_words, len(words) - at), 0, -1)
        size = next((size for size in sizes if " ".join(words[at : at + size]) in known.phrases), 0)
        if size:
            found.append(" ".join(words[at : at + size]))
        elif words[at] not in known.fillers:
            unknown += 1
        at += size or 1
    strong = [phrase for phrase in found if phrase not in known.weak or len(words) == 1]
    return {known.phrases[phrase] for phrase in strong or found}, unknown


def _within(word: str) -> set[SectionKind]:
    """What a line announces whose words run into each other ("ACTIVITIESANDAWARDS")."""
    single = ((phrase, kind) for phrase, kind in heading_words().phrases.items() if " " not in phrase)
    return {kind for phrase, kind in single if len(phrase) >= _SHORTEST_WITHIN and word.startswith(phrase)}
