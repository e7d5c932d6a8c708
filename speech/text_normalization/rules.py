"""Rewrite rules: a text and how it is said, so that a time in the speech leads back to the words as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RewrittenPiece:
    """A stretch of a text, and what is said for it."""

    original: str
    spoken: str


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A whole text in pieces: all originals joined are the text, all that is spoken joined is what a voice is given."""

    pieces: tuple[RewrittenPiece, ...]

    @property
    def text(self) -> str:
        """What a voice is given."""
        return "".join(piece.spoken for piece in self.pieces)

    @property
    def original(self) -> str:
        """The text as written."""
        return "".join(piece.original for piece in self.pieces)

    def in_speech(self, offsets: Sequence[int]) -> NDArray[np.float64]:
        """Where places of the text as written (in characters) are in what is said; inside a piece in proportion."""
        written = np.cumsum([0, *(len(piece.original) for piece in self.pieces)])
        said = np.cumsum([0, *(len(piece.spoken) for piece in self.pieces)])
        places: NDArray[np.float64] = np.interp(offsets, written, said)
        return places


@dataclass(frozen=True, slots=True)
class RewriteRule:
    """How one kind of writing is said."""

    pattern: re.Pattern[str]
    say: Callable[[re.Match[str]], str | None]
    """What is said for a match, without blanks around it; None leaves the match to the rules that follow."""
    again: bool = False
    """What is said is itself looked at by all rules: it still has names or numbers in it."""


def apply(text: str, rules: Iterable[RewriteRule], again: Callable[[str], str]) -> SpokenText:
    """Say a text by rules in their order: what one has said, no later one looks at.

    Args:
        text: the text.
        rules: the rules, the more particular ones first.
        again: says a text by all rules.
    """
    taken = bytearray(len(text))
    said: list[tuple[int, int, str]] = []
    for rule in rules:
        for match in rule.pattern.finditer(text):
            start, end = match.span()
            if start == end or any(taken[start:end]):
                continue
            words = rule.say(match)
            if words is None:
                continue
            taken[start:end] = b"\1" * (end - start)
            said.append((start, end, again(words) if rule.again else words))
    return SpokenText(tuple(_joined(_with_the_rest(text, sorted(said)))))


def _with_the_rest(text: str, said: Sequence[tuple[int, int, str]]) -> Iterator[tuple[RewrittenPiece, bool]]:
    """All pieces in order, and whether each was changed by a rule."""
    at = 0
    for start, end, words in said:
        if at < start:
            yield RewrittenPiece(text[at:start], text[at:start]), False
        yield RewrittenPiece(text[start:end], words), True
        at = end
    if at < len(text):
        yield RewrittenPiece(text[at:], text[at:]), False


def _joined(pieces: Iterable[tuple[RewrittenPiece, bool]]) -> Iterator[RewrittenPiece]:
    """Keep words apart that a rule has brought together, and blanks from piling up around what is not said."""
    kept: list[RewrittenPiece] = []
    before, changed_before = " ", False
    for piece, changed in pieces:
        spoken = piece.spoken
        if changed or changed_before:
            if before.isspace():
                blanks = len(spoken) - len(spoken.lstrip(" "))
                if blanks and not changed:  # in a piece of their own, so that the words after them keep their places
                    kept.append(RewrittenPiece(piece.original[:blanks], ""))
                    piece = RewrittenPiece(piece.original[blanks:], piece.spoken[blanks:])  # noqa: PLW2901
                spoken = spoken[blanks:]
            elif spoken[:1].isalnum() and (before.isalnum() or before in ",;:"):
                if changed or not kept:
                    spoken = f" {spoken}"
                else:
                    kept[-1] = RewrittenPiece(kept[-1].original, f"{kept[-1].spoken} ")
        if piece.original:
            kept.append(RewrittenPiece(piece.original, spoken))
        changed_before = changed or (changed_before and not spoken)
        before = spoken[-1:] or before
    return iter(kept)
