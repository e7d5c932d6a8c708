"""Verb phrases: skills that a sentence says by what somebody did with what, and not by a name.

"Trained six new colleagues" is Training. A verb counts with an object that follows it within `_NEAR` words and before
a mark; `verb-phrases.yaml` lists both. Time grows with the words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from domain.frozen_model import FrozenModel
from graph.candidate.lexicon.schema import HERE, VERB_PHRASES_FILE, LexiconFiles, Words, content_of

_WORDS_AND_MARKS = re.compile(r"[^\W_]+|[.;:()!?]")
_NEAR = 5
"""Words between which a verb and its object may stand: "trained six newly hired night nurses"."""
_ADJECTIVE_AFTER = frozenset({"newly", "recently"})
"""Words after which a participle is no verb: "newly hired nurses"."""


class VerbPhrase(FrozenModel):
    """Verbs and objects that together say one skill."""

    skill: Words
    """A canonical name of the lexicon."""
    verbs: tuple[Words, ...]
    objects: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A skill that a text says by a verb and its object."""

    skill: str
    start: int
    """Where the verb begins."""


@cache
def load_verb_phrases() -> tuple[VerbPhrase, ...]:
    """All verb phrases.

    Raises:
        pydantic.ValidationError, yaml.YAMLError: the file has the wrong form.
    """
    return TypeAdapter(tuple[VerbPhrase, ...]).validate_python(content_of(HERE / VERB_PHRASES_FILE))


def skills_said(text: str) -> Iterator[Said]:
    """Skills that verbs with their objects say, in the order of the verbs."""
    words = [(match[0].casefold(), match.start()) for match in _WORDS_AND_MARKS.finditer(text)]
    for at, (word, start) in enumerate(words):
        if at and words[at - 1][0] in _ADJECTIVE_AFTER:
            continue
        for skill, objects in _by_verb().get(word, ()):
            if any(_singular(near) in objects for near in _before_a_mark(words[at + 1 : at + 1 + _NEAR])):
                yield Said(skill, start)


def unknown_skills(files: LexiconFiles, phrases: tuple[VerbPhrase, ...]) -> list[str]:
    """Skills of verb phrases that are no canonical names of the lexicon, a sentence each."""
    names = {name for each in files.skills for name in each.skills}
    unknown = [each.skill for each in phrases if each.skill not in names]
    return [f"{skill!r} of the verb phrases is no name of the lexicon" for skill in unknown]


@cache
def _by_verb() -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    found: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for phrase in load_verb_phrases():
        objects = frozenset(map(_singular, phrase.objects))
        for form in {form for verb in phrase.verbs for form in _forms(verb)}:
            found[form] = (*found.get(form, ()), (phrase.skill, objects))
    return found


def _forms(verb: str) -> tuple[str, ...]:
    """A verb and its regular forms; those of an irregular one do no harm."""
    stem = verb.removesuffix("e")
    return verb, f"{verb}s", f"{stem}ed", f"{stem}ing"


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _before_a_mark(words: list[tuple[str, int]]) -> Iterator[str]:
    for word, _ in words:
        if not word[0].isalnum():
            return
        yield word
