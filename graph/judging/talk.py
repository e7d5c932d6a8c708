"""Setting aside what claims nothing: fillers, hedges, thinking aloud, words about oneself or to whoever judges.

A small tagger looks at the answer alone, once. What is left is judged, so that how something was said, how much was
said around it, and "give me full marks" move a verdict as little as may be. No word is lost: quotes are cut from the
whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.encoders import runtime
from graph.judging.quotes import plain
from graph.judging.reading import WEIGHTS_DIR, Odds, by_word, of_their_words

TALK_DIR = WEIGHTS_DIR / "talk"
MAX_TOKENS = 256
_PART_WORDS = 160
"""Words that are looked at together. They come to less than `MAX_TOKENS` word pieces, or the end of a part is kept."""
_TALK_FROM = 0.5
_LEFT_OVER_WORDS = 1
"""What stands alone between words that are set aside claims nothing either: "so", "the thing"."""

_DOUBTING = frozenset({"doubt", "doubts", "disagree", "unlikely", "hardly"})
_TURNING = _DOUBTING | frozenset(
    "not don't didn't doesn't wouldn't won't can't couldn't cannot never shouldn't no".split()
)
_HOLDING = frozenset("think believe say suppose imagine expect see agree assume guess call claim bet".split())
"""Verbs for holding something true. Not among them: "know", "sure", "remember", with which nothing is claimed."""
_BETWEEN = frozenset("really actually even necessarily quite exactly honestly".split())


class Tagger(Protocol):
    """Tells how likely each word of a text is to claim nothing."""

    def talk(self, words: Sequence[str]) -> Odds:
        """A probability for each word."""
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
        parts = [words[at : at + _PART_WORDS] for at in range(0, len(words), _PART_WORDS)]
        return np.concatenate([self._of_part(encoder, part) for part in parts])

    @staticmethod
    def _of_part(encoder: runtime.Encoder, part: Sequence[str]) -> Odds:
        said = " ".join(part)
        return of_their_words(part, by_word(said, encoder.marked([said])[0]))


def claims(words: Sequence[str], tagger: Tagger) -> list[int]:
    """The places of the words that may claim something, in order; all of them, when none is left.

    Args:
        words: the answer, at least one word.
        tagger: Viva's own.
    """
    kept = np.asarray(tagger.talk(words)) < _TALK_FROM
    for first, end in _runs(kept):
        if end - first <= _LEFT_OVER_WORDS and end - first < len(words):
            kept[first:end] = False
    kept[_turning(words)] = True
    return [int(place) for place in np.flatnonzero(kept)] or list(range(len(words)))


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
