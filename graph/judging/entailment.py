"""Entailment: reads an answer beside a point: what it does about it, and which of its words do.

The encoder is fine-tuned from MiniLM on entailment, on graded answers, on clauses and whole answers that were written
for Viva (`training.judge`, `docs/judging.md`). It comes with Viva as int8 ONNX, in `weights/`. It reads an
answer whole: candidates say "that" and "it", take a thing back in the next breath, and spread a point over a minute, so
that a clause by itself says less than it does in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph.encoders import runtime
from graph.judging.pair_labels import LABELS, MAX_TOKENS, pair_texts
from graph.judging.text import clauses

WEIGHTS_DIR = Path(__file__).parents[2] / "assets" / "judge"

LONGEST = 170
"""Words that are read at once. Longer answers are read in parts, each with the end of the one before it. Technical
speech has up to 1.6 word pieces a word; with a point of 40 that is what the encoder takes."""
_AGAIN = 50

Odds = NDArray[np.floating[Any]]
_UNRELATED = LABELS.index("unrelated")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer does about a point."""

    odds: Odds
    """Probabilities of `LABELS`, in their order."""
    words: Odds
    """For each word of the answer how likely it is among those that do it, 0 to 1."""


class PairReader(Protocol):
    """Whoever reads pairs of words and points."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """One reading for each pair."""
        ...


class EncoderReader:
    """The encoder that comes with Viva, or another one of its kind.

    Args:
        folder: with the encoder's files; loaded at the first pair.
        threads: for one answer.
    """

    def __init__(self, folder: Path = WEIGHTS_DIR, threads: int = 2) -> None:
        self._folder = folder
        self._threads = threads

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """One reading for each pair.

        Raises:
            EncoderError: the encoder's files are missing or damaged.
        """
        if not pairs:
            return []
        encoder = runtime.load(self._folder, max_tokens=MAX_TOKENS, threads=self._threads)
        return [reading_of(said, marked) for (said, _), marked in zip(pairs, encoder.marked(pairs), strict=True)]


def read_answer(reader: PairReader, words: Sequence[str], points: Sequence[str]) -> list[Reading]:
    """What an answer of any length does about each point. Of several parts the one counts that does most about it.

    Args:
        reader: reads pairs.
        words: the answer, at least one word.
        points: key points and misconceptions.
    """
    parts = _parts(words)
    pairs = [pair_texts(" ".join(words[first:end]), point) for point in points for first, end in parts]
    read = reader.read(pairs)
    found = []
    for start in range(0, len(read), len(parts)):
        of_point = read[start : start + len(parts)]
        most = min(range(len(parts)), key=lambda part: float(of_point[part].odds[_UNRELATED]))
        first, end = parts[most]
        spread = np.zeros(len(words))
        spread[first:end] = of_their_words(words[first:end], of_point[most].words)
        found.append(Reading(of_point[most].odds, spread))
    return found


def _parts(words: Sequence[str]) -> list[tuple[int, int]]:
    """First word and the word after the last one of each part; parts begin where a clause begins."""
    if len(words) <= LONGEST:
        return [(0, len(words))]
    starts = [clause.first_word for clause in clauses.split(words)]
    parts = [(0, LONGEST)]
    while parts[-1][1] < len(words):
        first = next(start for start in starts if start >= parts[-1][1] - _AGAIN)
        parts.append((first, min(len(words), first + LONGEST)))
    return parts


def reading_of(said: str, marked: runtime.Marked) -> Reading:
    """What an encoder gives for a pair, word by word. `said` is the first text."""
    odds = np.exp(marked.scores - marked.scores.max())
    return Reading(np.asarray(odds / odds.sum(), float), by_word(said, marked))


def by_word(said: str, marked: runtime.Marked) -> Odds:
    """The probability of each word of a text that it is marked: that of its likeliest piece."""
    words = np.zeros(len(said.split()))
    word_at = _word_at(said)
    for log_odds, (first, end) in zip(marked.marks, marked.places, strict=True):
        if first < end:
            place = word_at[first]
            words[place] = max(words[place], 1 / (1 + np.exp(-log_odds)))
    return words


def of_their_words(words: Sequence[str], odds: Odds) -> Odds:
    """What holds for the words of their text, for each of them: one may have a blank in it, or be empty."""
    found = np.zeros(len(words))
    np.maximum.at(found, [place for place, word in enumerate(words) for _ in word.split()], odds)
    return found


def _word_at(text: str) -> list[int]:
    """For each character the number of the word it belongs to."""
    numbers, word, within = [], -1, False
    for character in text:
        if character.isspace():
            within = False
        elif not within:
            word, within = word + 1, True
        numbers.append(max(word, 0))
    return numbers
