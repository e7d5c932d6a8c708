"""Non-claims, set aside: fillers, hedges, thinking aloud, words about oneself or to whoever judges.

A small tagger looks at the answer alone, clause by clause, each with its neighbours: what is said at one place decides
nothing about another. What is left is judged, so that how something was said, how much was said around it, and "give
me full marks" move a verdict as little as may be. No word is lost: quotes are cut from the whole answer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.encoders import runtime
from graph.encoders.runtime import EncoderError
from graph.judging.entailment import WEIGHTS_DIR, Odds, by_word, of_their_words
from graph.judging.quote_matching import plain
from graph.judging.text import clauses

TALK_DIR = WEIGHTS_DIR / "talk"
MAX_TOKENS = 256
"""Three clauses come to fewer, or what is beyond is kept."""
FILLERS_FILE = "fillers.json"
"""Beside the tagger's weights: the fillers and hedges that it was taught."""
_LONGEST_FILLER = 6

_TALK_FROM = 0.7
_SHORTEST_TALK = 5
"""Words. In the midst of claims the tagger is sure of no single word: there only known fillers are set aside."""
_LEFT_OVER_WORDS = 1
"""What stands alone between words that are set aside claims nothing either: "so", "the thing"."""

_DOUBTING = frozenset({"doubt", "doubts", "disagree", "unlikely", "hardly"})
_TURNING = _DOUBTING | frozenset(
    "not don't didn't doesn't wouldn't won't can't couldn't cannot never shouldn't no".split()
)
_HOLDING = frozenset("think believe say suppose imagine expect see agree assume guess call claim bet".split())
"""Verbs for holding something true. Not among them: "know", "sure", "remember", with which nothing is claimed."""
_NEGATIONS = frozenset(
    "no not never nothing none nor without don't doesn't didn't isn't aren't wasn't won't can't".split()
)
_BETWEEN = frozenset("really actually even necessarily quite exactly honestly".split())


class Tagger(Protocol):
    """Tells how likely each word of a text is to claim nothing."""

    def talk(self, words: Sequence[str]) -> Odds:
        """A probability for each word."""
        ...

    def fillers(self, words: Sequence[str]) -> list[bool]:
        """For each word whether it is part of a filler or hedge that is nothing else, wherever it stands."""
        ...


class EncoderTagger:
    """Viva's own tagger, or another one of its kind.

    Args:
        folder: with the encoder's files; loaded at the first answer.
    """

    def __init__(self, folder: Path = TALK_DIR) -> None:
        self._folder = folder

    def talk(self, words: Sequence[str]) -> Odds:
        """A probability for each word.

        Raises:
            EncoderError: the encoder's files are missing or damaged.
        """
        encoder = runtime.load(self._folder, max_tokens=MAX_TOKENS, threads=1)
        seen = neighbourhoods(words)
        texts = [" ".join(words[each.first : each.end]) for each in seen]
        odds = [
            of_their_words(words[each.first : each.end], by_word(text, marked))[each.middle]
            for each, text, marked in zip(seen, texts, encoder.marked(texts), strict=True)
        ]
        return np.concatenate(odds)

    def fillers(self, words: Sequence[str]) -> list[bool]:
        """For each word whether it is part of a filler or hedge that is nothing else.

        Raises:
            EncoderError: the encoder's files are missing or damaged.
        """
        return places_of(_fillers(self._folder / FILLERS_FILE), words)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What the tagger sees of a clause: it, the one before and the one after. Places of words."""

    first: int
    end: int
    middle: slice
    """Where the clause itself is in it."""


def neighbourhoods(words: Sequence[str]) -> list[Neighbourhood]:
    """One for each clause of an answer, in order."""
    each = clauses.split(words)
    found = []
    for number, clause in enumerate(each):
        first, last = each[max(0, number - 1)].first_word, each[min(number + 1, len(each) - 1)].last_word
        found.append(Neighbourhood(first, last + 1, slice(clause.first_word - first, clause.last_word + 1 - first)))
    return found


def claims(words: Sequence[str], tagger: Tagger) -> list[int]:
    """The places of the words that may claim something, in order; all of them, when none is left.

    Args:
        words: the answer, at least one word.
        tagger: Viva's own.
    """
    filler, sure = np.array(tagger.fillers(words), bool), np.asarray(tagger.talk(words)) >= _TALK_FROM
    talk = filler | sure
    for first, end in _runs(~talk):
        if end - first <= _LEFT_OVER_WORDS and first > 0 and end < len(words):
            talk[first:end] = True
    aside = filler.copy()
    for first, end in _runs(talk):
        if end - first >= _SHORTEST_TALK and 2 * np.count_nonzero((sure & ~filler)[first:end]) >= _SHORTEST_TALK:
            aside[first:end] = True
    aside[_negating(words, aside)] = False
    aside[_turning(words)] = False
    return [int(place) for place in np.flatnonzero(~aside)] or list(range(len(words)))


def places_of(fillers: Collection[tuple[str, ...]], words: Sequence[str]) -> list[bool]:
    """For each word whether it is part of one of these, the longest that fits."""
    spoken = [plain(word) for word in words]
    found = [False] * len(words)
    for first in range(len(words)):
        for length in range(min(_LONGEST_FILLER, len(words) - first), 0, -1):
            if tuple(spoken[first : first + length]) in fillers:
                found[first : first + length] = [True] * length
                break
    return found


@cache
def _fillers(path: Path) -> frozenset[tuple[str, ...]]:
    try:
        return frozenset(tuple(line.split()) for line in json.loads(path.read_bytes()))
    except (OSError, ValueError) as error:
        raise EncoderError(
            f"{path} is missing or damaged ({error}). Install Viva again, or run `make train-judge`."
        ) from error


def _negating(words: Sequence[str], aside: NDArray[np.bool_]) -> list[int]:
    """The places of negations of what is kept: "no complaint" is no complaint."""
    return [
        place
        for place, word in enumerate(words[:-1])
        if plain(word) in _NEGATIONS and not aside[place + 1] and word[-1] not in ".,;:!?"
    ]


def _turning(words: Sequence[str]) -> list[int]:
    """The places of hedges that turn a claim round: "I don't think it blocks" says that it does not."""
    spoken = [plain(word) for word in words]
    found: list[int] = []
    for first, word in enumerate(spoken):
        if word not in _TURNING:
            continue
        end = next((place for place in range(first + 1, len(spoken)) if spoken[place] not in _BETWEEN), len(spoken))
        if word in _DOUBTING or (end < len(spoken) and spoken[end] in _HOLDING):
            found += range(first, min(end + 1, len(spoken)))
    return found


def _runs(kept: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First place and the place after the last one of each run of kept words."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], kept.astype(int), [0]))))
    return [(int(first), int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True)]
