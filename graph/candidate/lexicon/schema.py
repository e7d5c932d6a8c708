"""Form of the lexicon: what its YAML files may hold. What is wrong with them says `graph.candidate.lexicon.lint`.

A file of skills names one category, its skills with their other spellings, which of the spellings are also plain words
("go", "excel"), so that they count only where nothing else can be meant, and which count only in lists of skills.
`domains.yaml` names fields of work with the titles of those who work in them; `verb-phrases.yaml` has a form of its own
(`graph.candidate.lexicon.verb_phrases`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from domain.frozen_model import FrozenModel

HERE = Path(__file__).parent
DOMAINS_FILE = "domains.yaml"
VERB_PHRASES_FILE = "verb-phrases.yaml"
PLAIN_WORDS_FILE = "plain-words.yaml"

_NO_SKILLS = frozenset({DOMAINS_FILE, VERB_PHRASES_FILE, PLAIN_WORDS_FILE})

Words = Annotated[str, Field(min_length=1, max_length=60)]

_WORDS_AND_MARKS = re.compile(r"[^\W_]+|[^\w\s]|_")
_BRITISH = re.compile(r"(?<=[iy])s(?=(?:ations?|ing|ed|ers?)$)")
_AMERICAN = {
    "anaesth": "anesth", "artefact": "artifact", "behaviour": "behavior", "catalogue": "catalog",
    "cataloguing": "cataloging",
    "centre": "center", "colour": "color", "counsell": "counsel", "defence": "defense", "enrolment": "enrollment",
    "fibre": "fiber", "fulfilment": "fulfillment", "grey": "gray", "gynaec": "gynec", "haemo": "hemo",
    "haemat": "hemat", "labell": "label", "labour": "labor", "licence": "license", "modell": "model",
    "mould": "mold", "neighbour": "neighbor", "orthopaed": "orthoped", "paediatr": "pediatr",
    "programme": "program", "signall": "signal", "theatre": "theater", "tunnell": "tunnel",
}  # fmt: skip
"""Beginnings of words as the British write them, and as they are compared."""
_BRITISH_BEGINNING = re.compile(rf"(?:{'|'.join(_AMERICAN)})(?!d$|r$|rs$)")


class SkillFile(FrozenModel):
    """The skills of one category."""

    category: Words
    ambiguous: tuple[Words, ...]
    """Spellings that are also plain words."""
    in_lists: tuple[Words, ...] = ()
    """Spellings that in a sentence say what work was about, and not what somebody can do ("retail", "sensors")."""
    skills: Mapping[Words, tuple[Words, ...]]
    """Canonical names, and the other spellings of each."""


class LexiconFiles(FrozenModel):
    """Everything that the lexicon knows, as it is written."""

    skills: tuple[SkillFile, ...]
    domains: Mapping[Words, Mapping[Words, tuple[Words, ...]]]
    """Category, canonical name of the field, titles."""


@cache
def load_files() -> LexiconFiles:
    """All files of the lexicon.

    Raises:
        pydantic.ValidationError, yaml.YAMLError: a file has the wrong form.
    """
    paths = sorted(path for path in HERE.glob("*.yaml") if path.name not in _NO_SKILLS)
    return LexiconFiles.model_validate(
        {"skills": [content_of(path) for path in paths], "domains": content_of(HERE / DOMAINS_FILE)}
    )


def content_of(path: Path) -> object:
    """What a YAML file says, by the quick loader where there is one.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 (both are safe loaders)


def key_of(spelling: str) -> tuple[str, ...]:
    """A spelling as it is compared: words and marks, without case, accents of width, hyphens and British endings."""
    return tuple(word_key(part) for part in _WORDS_AND_MARKS.findall(spelling) if part not in HYPHENS)


@cache
def spelled_words() -> frozenset[str]:
    """Every word that a spelling of the lexicon has, in lower case."""
    files = load_files()
    entries = [*(each.skills for each in files.skills), *files.domains.values()]
    spellings = [spelling for each in entries for name, aliases in each.items() for spelling in (name, *aliases)]
    return frozenset(word.lower() for spelling in spellings for word in re.findall(r"[^\W_]+", spelling))


HYPHENS = frozenset("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}")


def word_key(word: str) -> str:
    """One word as it is compared: "Optimisation" is "optimization", "I²C" is "i2c"."""
    if len(word) == 1 and word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold()
    american = _BRITISH_BEGINNING.sub(lambda match: _AMERICAN[match[0]], folded, count=1)
    return _BRITISH.sub("z", american)
