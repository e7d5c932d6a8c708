"""Patience: wishes about how long the interviewer waits, "please don't interrupt me" or "you can answer faster".

Rules alone recognise them, by the phrases in `patience.yaml`. A stretch of words is a wish only if nothing else is said
in it: "let me finish" is one, "let me finish with an example" is not, nor is anything that threads, servers or
colleagues do to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from domain.vocabulary import Request
from graph.intents import span_boundaries
from graph.intents.normalize import Stretch, Utterance

_PHRASES_FILE = Path(__file__).parent / "patience.yaml"
_TELLING = re.compile(
    r"\b(?:wait|waiting|paus(?:e|es|ing)|interrupt\w*|cut|cutting|jump|jumping|finish|complete|longer|time|patien\w+|"
    r"answer\w*|respond\w*|reply\w*|react\w*|in|over me|too long)\b"
)
"""Without any of these words nothing need be looked at closely."""
_ADDRESSES = re.compile(
    r"\b(?:you|your|me|my|please|i)\b|^do not (?:interrupt|answer|respond|reply|react|jump in|talk|speak)\b"
)
"""What a wish has that is the whole turn: "be more patient" may be an answer."""
_MEANS_US = re.compile(
    r"\b(?:me|my|please|(?:could|can|would|will) you|before you (?:talk|speak))\b|\byou\b.*\bi\b|\bi\b.*\byou\b"
)
"""What one has that stands beside an answer: "with an index you don't have to wait so long" is part of it."""
_REPORTED = frozenset(
    "say says said saying tell tells told telling ask asks asked asking shout shouted reply replied write wrote that "
    "him her them like goes went called phrase words because if when which".split()
)
"""Behind these the same words are somebody else's ("and I told him, let me finish"), or part of a longer sentence."""
_LEADS_OVER = frozenset("so okay well anyway and because i we".split())
"""With these an answer begins that follows a wish; with "the", what was to be finished or not interrupted."""


Patterns = tuple[tuple[Request, re.Pattern[str]], ...]
"""How each request is said."""


class _Phrases(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, str]
    more_patience: list[str]
    less_patience: list[str]


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish about patience and where it was said."""

    request: Request
    said: Stretch


def find(utterance: Utterance) -> Wish | None:
    """A wish about patience: all of an utterance, its end, its beginning, or a sentence in the middle."""
    whole = utterance.whole
    if not _TELLING.search(whole.text):
        return None
    if (request := wish_in(whole, _patterns())) and _ADDRESSES.search(whole.text):
        return Wish(request, whole)
    for stretch in _beside_an_answer(utterance):
        if not _MEANS_US.search(stretch.text) or is_reported(utterance, stretch):
            continue
        if request := wish_in(stretch, _patterns()):
            return Wish(request, stretch)
    return None


def wish_in(said: Stretch, patterns: Patterns) -> Request | None:
    """The wish that a stretch is; None when it is none, or says anything else as well."""
    if not 0 < len(said.tokens) <= span_boundaries.SHORT:
        return None
    return next((request for request, pattern in patterns if pattern.fullmatch(said.text)), None)


@cache
def _patterns() -> Patterns:
    """One for each request.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = _Phrases.model_validate(yaml.safe_load(_PHRASES_FILE.read_text(encoding="utf-8")))
    return (
        ("more_patience", pattern_of(file.more_patience, file.parts)),
        ("less_patience", pattern_of(file.less_patience, file.parts)),
    )


def pattern_of(phrases: Sequence[str], parts: dict[str, str]) -> re.Pattern[str]:
    """What is one to three phrases, with polite words around them, and nothing else."""
    one = f"(?:{{lead}} ){{0,6}}(?:{'|'.join(phrases)})(?: {{trail}}){{0,4}}"
    pattern = f"{one}(?: {one}){{0,2}}(?: {{lead}}){{0,2}}"
    for name, part in reversed(parts.items()):
        pattern = pattern.replace(f"{{{name}}}", part)
    return re.compile(pattern)


def _beside_an_answer(utterance: Utterance) -> Iterator[Stretch]:
    """Stretches of an utterance that may be a wish beside an answer, the longest of each kind first."""
    yield from at_the_ends(utterance)
    last, longest = len(utterance) - 1, span_boundaries.SHORT
    ends = [index for index in range(last) if utterance.ends_clause(index)]
    for number, end in enumerate(ends[1:], start=1):
        near = ends[max(0, number - longest) : number]
        yield from (utterance.stretch(start + 1, end) for start in near if end - start <= longest)


def at_the_ends(utterance: Utterance) -> Iterator[Stretch]:
    """Those that are said behind an answer or before it."""
    last, longest = len(utterance) - 1, span_boundaries.SHORT
    yield from (utterance.stretch(start, last) for start in span_boundaries.tails(utterance))
    heads = [end for end in range(min(last, longest)) if utterance.ends_clause(end) or _leads_over(utterance, end + 1)]
    yield from (utterance.stretch(0, end) for end in reversed(heads))


def _leads_over(utterance: Utterance, index: int) -> bool:
    return not _LEADS_OVER.isdisjoint(utterance.tokens_at(index)[:1])


def is_reported(utterance: Utterance, stretch: Stretch) -> bool:
    """True when somebody else said or did what a stretch says ("and I told him, …")."""
    before = utterance.stretch(max(0, stretch.first - 3), stretch.first - 1).tokens if stretch.first else ()
    return not _REPORTED.isdisjoint(before[-2:])
