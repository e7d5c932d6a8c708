"""Piece: a stretch of text on a page with its place, and how pieces that belong together become one.

Pieces of a line that are close are one, unless a column begins between them: where many lines of a page begin, a gap
that would be a wide word space parts them. A bullet belongs to what follows it. What is bold at the beginning of a
piece is kept: a line in bold is a heading, a few bold words at its beginning are the name of what follows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

SAME_LINE = 0.5
"""Share of a piece's height by which two on one line may differ in height on the page."""
PARAGRAPH = 1.9
"""Distance of two lines, in heights, from which on they do not belong together."""
HEADING = 1.12
"""Size of a heading beside that of the body."""
BULLET_ONLY = re.compile(
    r"[\u2022\u25aa\u25cf\u25e6\u25cb\u2023\u25a0\u25a1\u25b8\u25ba\u25b6\u2043\u2192\u27a2\u2713\u2714\u2756"
    r"\u00b7\uf0b7*\u2013\u2014-]"
)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_APART = 1.6
"""Gap between pieces of a line, in heights of its text, from which on they stand apart."""
_APART_AT_EDGE = 0.7
"""The same where a column begins."""
_LEAST_OF_EDGE = 8
"""Lines that begin where a column begins."""
_WORD_SPACE = 0.12
_UNKNOWN_BULLET = re.compile(r"^(?:\(cid:\d{1,6}\)|[\ue000-\uf8ff])(?=\s|$)")
"""A bullet of a font that does not say what its signs mean."""
_JUSTIFIED = re.compile(r"(?<=\S) {2}(?=\S)")
"""A word space of justified text; three and more stand between what is apart."""
_OPEN_DATE = re.compile(r"(?:[\u2010-\u2015-]|\b(?:to|until)|(?:[\u2010-\u2015-]|\bto)\s{0,2}[^\W\d_]{3,9}\.?)$")
_REST_OF_DATE = re.compile(r"(?:[^\W\d_]{3,9}\.?\s{1,2})?(?:19|20)\d\d$|[^\W\d_]{3,8}$|\d{1,2}[./](?:19|20)\d\d$")
_MOST_OPEN = 100


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text on a page; lengths in points, `y` counts downwards."""

    text: str
    left: float
    right: float
    y: float
    """Of the middle of its height."""
    size: float
    bold: int = 0
    """Characters at its beginning that are bold."""

    @property
    def is_bold(self) -> bool:
        """All of it is."""
        return bool(self.bold) and self.bold >= len(self.text.rstrip())


def rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces by the line they stand on, from the top, each from the left."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.y, piece.left)):
        if rows and abs(piece.y - rows[-1][0].y) < SAME_LINE * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def width_of(pieces: Sequence[Piece]) -> float:
    """From the left edge of the first to the right edge of the last, in points."""
    return max(piece.right for piece in pieces) - min(piece.left for piece in pieces)


def merged(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of a page, of which those that belong together are one."""
    joined: list[Piece] = []
    pieces = [_cleaned(piece) for piece in pieces]
    edges = _edges(pieces)
    for row in rows_of(_with_whole_dates(pieces)):
        last: Piece | None = None
        for piece in row:
            if last and _belong_together(last, piece, edges):
                joined[-1] = last = _one(last, piece)
            else:
                joined.append(last := piece)
    return joined


def _cleaned(piece: Piece) -> Piece:
    text = _JUSTIFIED.sub(" ", _UNKNOWN_BULLET.sub("\N{BULLET}", piece.text))
    return piece if text == piece.text else replace(piece, text=text, bold=len(text) if piece.is_bold else 0)


def _edges(pieces: Sequence[Piece]) -> frozenset[int]:
    """Where a column begins, to a point: left edges that many lines have."""
    counted = Counter(round(piece.left) for piece in pieces)
    return frozenset(
        edge for edge, count in counted.items() if count + counted[edge - 1] + counted[edge + 1] >= _LEAST_OF_EDGE
    )


def _belong_together(last: Piece, piece: Piece, edges: Collection[int]) -> bool:
    gap = piece.left - last.right
    if BULLET_ONLY.fullmatch(last.text):
        return gap < 4 * piece.size
    most = _APART_AT_EDGE if round(piece.left) in edges else _APART
    return gap < most * piece.size


def _one(last: Piece, piece: Piece) -> Piece:
    space = " " if piece.left - last.right > _WORD_SPACE * piece.size else ""
    text = f"{last.text}{space}{piece.text}"
    bold = last.bold
    if last.is_bold or (piece.bold and BULLET_ONLY.fullmatch(last.text)):
        bold = len(last.text) + len(space) + piece.bold if piece.bold else last.bold
    return replace(last, text=text, right=max(last.right, piece.right), bold=bold)


def _with_whole_dates(pieces: Sequence[Piece]) -> list[Piece]:
    """Dates that a narrow cell divides ("June 2017 – September", "2020" below it) are one piece, on the second line."""
    opened = [piece for piece in pieces if YEAR.search(piece.text) and _OPEN_DATE.search(piece.text)]
    whole: dict[Piece, Piece] = {}
    gone: set[Piece] = set()
    for first in opened[:_MOST_OPEN]:
        for second in pieces:
            is_below = 0 < second.y - first.y < PARAGRAPH * first.size
            is_aligned = min(abs(second.left - first.left), abs(second.right - first.right)) < first.size
            if is_below and is_aligned and _REST_OF_DATE.match(second.text):
                whole[second] = replace(second, text=f"{first.text} {second.text}")
                gone.add(first)
    return [whole.get(piece, piece) for piece in pieces if piece not in gone]
