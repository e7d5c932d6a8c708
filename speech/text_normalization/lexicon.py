"""Lexicon: the data by which an English voice says what is not written as it is spoken, in `lexicon.yaml`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from speech.text_normalization.rules import RewriteRule

FILE = Path(__file__).parent / "lexicon.yaml"

_VOWELS = frozenset("AEIOUY")
_ALWAYS_SPELLED = 3
"""Up to so many capitals are letters, unless they are a known word."""
_SHOUTED_WORDS = 3
_END = r"(?P<plural>s|['’]s)?(?![^\W\d_])"


class Lexicon(BaseModel):
    """What the file holds; each part is explained there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: dict[str, str]
    words: str
    plural_letters: dict[str, str]
    units: dict[str, str]
    per: dict[str, str]
    scales: dict[str, str]
    money: dict[str, str]
    versioned: str
    months: str
    decades: dict[str, str]
    fractions: dict[str, str]
    signs: dict[str, str] = Field(min_length=1)
    greek: dict[str, str]

    @functools.cached_property
    def known_words(self) -> frozenset[str]:
        """Capitals that are not spelled."""
        return frozenset(self.words.split())

    def spelled(self, letters: str, *, plural: bool = False) -> str:
        """Capitals letter by letter, as the phonemiser takes them."""
        if not plural:
            return ".".join(letters)
        return f"{'.'.join(letters[:-1])} {self.plural_letters[letters[-1]]}".strip()


@functools.cache
def english() -> Lexicon:
    """The lexicon, read once."""
    return Lexicon.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))


def counted(name: str, number: str) -> str:
    """The name of a unit after a number: "byte" after 1, "bytes" after all others, "bits per second" after 2.

    A plural that is not made by an s on the first word follows a bar.
    """
    one, _, many = name.partition("|")
    if number == "1":
        return one
    first, _, rest = one.partition(" ")
    return many or f"{first}s {rest}".strip()


def alternatives(terms: Iterable[str]) -> str:
    """A pattern that finds one of some terms, the longest there is."""
    return "|".join(re.escape(term) for term in _longest_first(terms))


def term_rules(said: Mapping[str, str]) -> list[RewriteRule]:
    """Rules for terms that are said in a way of their own. One with a capital is found as written, others in any case."""
    exact = {term: words for term, words in said.items() if term != term.lower()}
    folded = {term.casefold(): words for term, words in said.items() if term not in exact}
    return [
        *([_terms(exact, lambda found: exact[found], re.NOFLAG)] if exact else []),
        *([_terms(folded, lambda found: folded[found.casefold()], re.IGNORECASE)] if folded else []),
    ]


def _terms(terms: Iterable[str], look_up: Callable[[str], str], flags: re.RegexFlag) -> RewriteRule:
    # A term begins and ends where a word does; one that begins or ends with a sign needs no such border there.
    found = "|".join((r"(?<![^\W_])" if term[0].isalnum() else "") + re.escape(term) for term in _longest_first(terms))
    ended = rf"(?<=[^\W_]){_END}|(?<![^\W_])(?P<last>(?=\s*$|\s+(?-i:[A-Z])))?"

    def say(match: re.Match[str]) -> str:
        words = look_up(match["term"])
        if match["plural"]:
            return f"{words}s"
        return words if match["last"] is not None else words.removesuffix(".")

    return RewriteRule(re.compile(f"(?P<term>{found})(?:{ended})", flags), say)


def _longest_first(terms: Iterable[str]) -> list[str]:
    return sorted(terms, key=len, reverse=True)


def capital_rules(lexicon: Lexicon) -> list[RewriteRule]:
    """Acronyms that the lexicon does not know: letters, unless they can be read as a word."""

    def say(match: re.Match[str]) -> str | None:
        letters = match["letters"]
        if letters in lexicon.known_words or _is_shouted(match.string, lexicon.known_words):
            return None
        if len(letters) > _ALWAYS_SPELLED and not _VOWELS.isdisjoint(letters):
            return None
        return lexicon.spelled(letters, plural=bool(match["plural"]))

    return [RewriteRule(re.compile(rf"(?<![^\W_])(?P<letters>[A-Z]{{2,5}}){_END}"), say)]


def _is_shouted(text: str, known_words: frozenset[str]) -> bool:
    """Capitals say nothing in a text that has no small letters; a list of acronyms has no words among them."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    return text.upper() == text and len(words) >= _SHOUTED_WORDS and not known_words.isdisjoint(words)
