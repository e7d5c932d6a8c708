"""Wishes that rules alone recognise: by the phrases of a file, in a stretch of words that says nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from domain.vocabulary import Request
from graph.intents import span_boundaries
from graph.intents.normalize import Stretch, Utterance

_REPORTED = frozenset(
    "say says said saying tell tells told telling ask asks asked asking shout shouted reply replied write wrote that "
    "him her them like goes went called phrase words because if when which".split()
)
"""Behind these the same words are somebody else's ("and I told him, let me finish"), or part of a longer sentence."""
_LEADS_OVER = frozenset("so okay well anyway and because i we".split())
"""With these an answer begins that follows a wish; with "the", what was to be finished or not interrupted."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish and where it was said."""

    request: Request
    said: Stretch


class Phrasebook:
    """Phrases of a file: under each request its patterns, and under `parts` what `{name}` in them stands for.

    Args:
        path: of the file.
        requests: that it has phrases for; what fits several is the first of them.
    """

    def __init__(self, path: Path, *requests: Request) -> None:
        self._path = path
        self._requests = requests

    def request_in(self, said: Stretch) -> Request | None:
        """The wish that a stretch is; None when it is none, or says anything else as well.

        Raises:
            ValueError: the file has the wrong form, or a pattern is none.
        """
        if not 0 < len(said.tokens) <= span_boundaries.SHORT:
            return None
        return next((request for request, pattern in self._patterns if pattern.fullmatch(said.text)), None)

    @cached_property
    def _patterns(self) -> tuple[tuple[Request, re.Pattern[str]], ...]:
        file = yaml.safe_load(self._path.read_text(encoding="utf-8"))
        parts = TypeAdapter(dict[str, str]).validate_python(file.pop("parts"))
        phrases = TypeAdapter(dict[Request, list[str]]).validate_python(file)
        if set(phrases) != set(self._requests):
            raise ValueError(f"{self._path.name} must have phrases for {', '.join(self._requests)}, and no others")
        return tuple((request, _pattern_of(phrases[request], parts)) for request in self._requests)


def at_the_ends(utterance: Utterance) -> Iterator[Stretch]:
    """Stretches that may be a wish behind an answer or before it, the longest of each kind first."""
    last, longest = len(utterance) - 1, span_boundaries.SHORT
    yield from (utterance.stretch(start, last) for start in span_boundaries.tails(utterance))
    heads = [end for end in range(min(last, longest)) if utterance.ends_clause(end) or _leads_over(utterance, end + 1)]
    yield from (utterance.stretch(0, end) for end in reversed(heads))


def is_reported(utterance: Utterance, stretch: Stretch) -> bool:
    """True when somebody else said or did what a stretch says ("and I told him, …")."""
    before = utterance.stretch(max(0, stretch.first - 3), stretch.first - 1).tokens if stretch.first else ()
    return not _REPORTED.isdisjoint(before[-2:])


def _pattern_of(phrases: Sequence[str], parts: dict[str, str]) -> re.Pattern[str]:
    """What is one to three phrases, with polite words around them, and nothing else."""
    one = f"(?:{{lead}} ){{0,6}}(?:{'|'.join(phrases)})(?: {{trail}}){{0,4}}"
    pattern = f"{one}(?: {one}){{0,2}}(?: {{lead}}){{0,2}}"
    for name, part in reversed(parts.items()):
        pattern = pattern.replace(f"{{{name}}}", part)
    return re.compile(pattern)


def _leads_over(utterance: Utterance, index: int) -> bool:
    return not _LEADS_OVER.isdisjoint(utterance.tokens_at(index)[:1])
