"""Vocabulary of résumés: words by which roles, organisations, schools, degrees, places and contracts are known.

The words are in `vocabulary.yaml`; here is how they stand in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from domain.frozen_model import FrozenModel
from graph.candidate.lexicon.schema import Words, content_of


class _Vocabulary(FrozenModel):
    """The words, as they are written: each plain, or a part of a regular expression."""

    roles: tuple[Words, ...]
    role_endings: tuple[Words, ...]
    legal_forms: tuple[Words, ...]
    organisations: tuple[Words, ...]
    weak_organisations: tuple[Words, ...]
    departments: frozenset[Words]
    countries: tuple[Words, ...]
    cities: tuple[Words, ...]
    contracts: tuple[Words, ...]
    no_positions: tuple[Words, ...]
    schools: tuple[Words, ...]
    degrees: tuple[Words, ...]
    languages: frozenset[Words]
    function_words: frozenset[Words]
    list_labels: frozenset[Words]


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


_WORDS = _Vocabulary.model_validate(content_of(Path(__file__).with_suffix(".yaml")))
ROLE = re.compile(
    rf"\b(?:{_any_of(_WORDS.roles)}|[^\W\d_]{{0,24}}{_any_of(_WORDS.role_endings)}(?:in)?)\b", re.IGNORECASE
)
_LEGAL = rf"{_any_of(_WORDS.legal_forms)}(?![\w])\.?"
LEGAL_FORM = re.compile(rf"(?<![\w.]){_LEGAL}")
IS_LEGAL = re.compile(rf"{_LEGAL}(?:\s+(?:& )?{_LEGAL}){{0,3}}", re.IGNORECASE)
ORGANISATION = re.compile(rf"\b{_any_of(_WORDS.organisations)}\b", re.IGNORECASE)
WEAK_ORGANISATION = re.compile(rf"\b{_any_of(_WORDS.weak_organisations)}$", re.IGNORECASE)
"""Last words of names of organisations that are words of roles, too."""
PART_OF_ORGANISATION = re.compile(
    r"(?:school|faculty|department|dept|division|institute|laborator(?:y|ies)|lab|centre|center|chair|section|unit|ward|"
    r"college|campus)\b(?=\s(?:of|for|on)\b)|"
    r"(?:[\w&-]{1,30}\s){1,4}(?:lab|laboratory|department|group|division|unit|ward|school)$",
    re.IGNORECASE,
)
DEPARTMENT_WORDS = _WORDS.departments
_COUNTRY, _CITY = f"(?i:{_any_of(_WORDS.countries)})", f"(?i:{_any_of(_WORDS.cities)})"
_REMOTE = r"(?:fully |partly )?(?:remote(?:ly)?|hybrid|on-?site|home office)"
_OR_REMOTE = rf"(?:\s?[(,/]\s{{0,2}}(?i:{_REMOTE})\)?)?"
_REGION = r"[A-ZÀ-Þ][\w.'’-]{1,30}(?:[ -][\w.'’-]{1,30}){0,3}"
KNOWN_PLACE = re.compile(
    rf"(?:(?i:greater )?{_CITY}(?i: area| metropolitan area)?(?:,\s{{0,2}}{_REGION}){{0,2}}|{_COUNTRY})"
    rf"{_OR_REMOTE}|(?i:{_REMOTE})(?:\s?[(,]\s{{0,2}}[^()]{{1,40}}\)?)?"
)
"""A large city, a country, or a word for working from anywhere."""
PLACE = re.compile(
    rf"(?:{_REGION},\s{{0,2}})?(?:{_COUNTRY}|[A-Z]{{2}}(?:\s\d{{4,5}})?){_OR_REMOTE}|{KNOWN_PLACE.pattern}"
)
"""What is written like a place: with its country or state. "Contoso, UK" is, too."""
DURATION = re.compile(
    r"\(?\s?\d{1,2}\+?\s?(?:years?|yrs?|y)(?:,?\s(?:and\s)?\d{1,2}\s?(?:months?|mos?|m))?\s?\)?|"
    r"\(?\s?\d{1,2}\s?(?:months?|mos?)\s?\)?",
    re.IGNORECASE,
)
"""How long something lasted, beside its dates."""
SELF_EMPLOYED = re.compile(
    r"\b(?:freelance|freelancer|self[- ]employed|independent|own business|freiberuflich|selbstständig)\b", re.IGNORECASE
)
CONTRACT = re.compile(rf"\b{_any_of(_WORDS.contracts)}\b", re.IGNORECASE)
NO_POSITION = re.compile(rf"\b{_any_of(_WORDS.no_positions)}\b", re.IGNORECASE)
"""Stretches of time in a history that are no positions."""
SCHOOL = re.compile(rf"\b{_any_of(_WORDS.schools)}\b", re.IGNORECASE)
DEGREE = re.compile(rf"(?<![\w.]){_any_of(_WORDS.degrees)}(?:['’]s)?(?![^\W\d_])", re.IGNORECASE)
NATURAL_LANGUAGES = _WORDS.languages
FUNCTION_WORDS = _WORDS.function_words
"""Words of sentences, which no name of a skill has."""
LIST_LABELS = _WORDS.list_labels
"""Labels before a list of skills that are none by themselves."""


def label(words: str, value: str = r"[^\t]{1,200}") -> re.Pattern[str]:
    """What stands behind a label ("Employer: …", or a cell and the next), as the only group.

    Args:
        words: of the label, as parts of a regular expression.
        value: what may stand there.
    """
    return re.compile(rf"(?:{words})\s{{0,3}}[:\t]\s{{0,5}}({value})", re.IGNORECASE)


def names_role(text: str) -> bool:
    """True when a text has a word for what people are."""
    return bool(ROLE.search(text))


def names_degree(text: str) -> bool:
    """True when a text names a school or a degree."""
    return bool(SCHOOL.search(text) or DEGREE.search(text))
