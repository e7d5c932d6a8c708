"""Words of a sentence, each with what it may be a part of: a known skill, a name, a practice, or nothing.

A name is written with a capital that does not begin a sentence, with capitals within ("GitLab"), or with digits behind
letters ("k6"). Words such as "with" and "several" part one from the next; `words.yaml` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from domain.frozen_model import FrozenModel
from graph.candidate.lexicon.matching import Found
from graph.candidate.lexicon.schema import content_of

Kind = Literal["known", "name", "word", "parting", "number", "mark", "none"]
"""What a word is; "none" are names that are no skills, such as months."""

_WORD_OR_MARK = re.compile(r"[^\W_](?:[\w'\u2019.+#&-]{0,60}[\w+#])?|[^\w\s]")
_NUMBER = re.compile(r"[\d.,]{1,20}[^\W\d_]{0,2}")
_PLURAL_OF_ACRONYM = re.compile(r"[A-Z]{2,5}s")
_NO_NAME = re.compile(r".*['\u2019]s?|.*_.*|.*\.(?:[a-z]{3,4}|[A-Z][a-z]{1,2})|[A-Z]\.?|[^\W\d_]\d{2,}")
"""Possessives, names of files, degrees ("B.Sc"), initials, and prices."""
_BEGINS_SENTENCE = frozenset('.!?:•“"')


class _ListedWords(FrozenModel):
    """The words of `words.yaml`."""

    to_tool: frozenset[str]
    parting: frozenset[str]
    verbs: frozenset[str]
    no_skills: frozenset[str]


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark of a sentence."""

    text: str
    start: int
    end: int
    kind: Kind

    @property
    def is_capital(self) -> bool:
        """True when it begins with a capital."""
        return self.text[0].isupper()


@cache
def listed_words() -> _ListedWords:
    """The words that come with Viva.

    Raises:
        pydantic.ValidationError, yaml.YAMLError: the file has the wrong form.
    """
    return _ListedWords.model_validate(content_of(Path(__file__).with_suffix(".yaml")))


def links_to_tool(word: str) -> bool:
    """True for a word behind which stands what something was done with."""
    return word.casefold() in listed_words().to_tool


def words_of(sentence: str, known: Sequence[Found]) -> list[Word]:
    """The words and marks of a sentence, in their order.

    Args:
        sentence: a line of a résumé.
        known: the skills that are known in it.
    """
    words: list[Word] = []
    for match in _WORD_OR_MARK.finditer(sentence):
        begins = not words or words[-1].text in _BEGINS_SENTENCE
        kind = _kind(match, known, begins=begins)
        words.append(Word(match[0], match.start(), match.end(), kind))
    return words


def is_verb(word: str) -> bool:
    """True for a word that a bullet begins with when it says what was done."""
    low = word.casefold()
    return low.endswith("ed") or low in listed_words().verbs


def _kind(match: re.Match[str], known: Sequence[Found], *, begins: bool) -> Kind:
    text, low = match[0], match[0].casefold()
    if any(each.start <= match.start() and match.end() <= each.end for each in known):
        return "known"
    if not any(map(str.isalnum, text)):
        return "mark"
    if low in listed_words().parting:
        return "parting"
    if _NUMBER.fullmatch(text):
        return "number"
    if low in listed_words().no_skills or _PLURAL_OF_ACRONYM.fullmatch(text) or _NO_NAME.fullmatch(text):
        return "none"
    return "name" if _is_written_as_name(text, begins=begins) else "word"


def _is_written_as_name(text: str, *, begins: bool) -> bool:
    has_capital_within = text[1:] != text[1:].lower() and any(map(str.islower, text))
    is_acronym = text.isupper() and len(text) > 1
    has_digit = text[0].isalpha() and any(map(str.isdigit, text))
    return has_capital_within or is_acronym or has_digit or (text[0].isupper() and not begins)
