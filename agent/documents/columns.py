"""Columns: the longest run of lines on a page that stand in two columns, and what only looks like columns.

A page is cut where a gap runs down between two columns: a run of lines, as long as there is one, of which no piece
crosses the gap. What stands above and below reaches over both and is cut in the same way. No columns are

- dates or places at the right end of lines: their pieces are few, lie on the lines of what is left of them and are far
  from each other, or are dates;
- a table of labels or dates at the left with what they say beside them: each label stands on a line of what it says,
  and the right side has no heading of its own;
- two sections of which only the first is in columns: a heading with nothing beside it ends the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from agent.documents.pieces import BULLET_ONLY, HEADING, PARAGRAPH, SAME_LINE, YEAR, Piece, rows_of, width_of

_GAP_PT = 7.0
"""Width of the gap between columns, in points."""
_LEAST_LINES = 4
_MOST_DATES = 0.4
_LEAST_TOGETHER = 0.5
_LABEL_WORDS, _LABEL_WIDTH = 4, 0.6
"""Words of a label, and the width of labels beside that of what they say."""
_MOST_LABELS_ALONE = 0.15
_CLEAR = 1.2
"""Lines above and below a heading that are clear on the other side, in heights, when it ends a run."""
_LEAST_LABELS = 3
_HEADING_WORDS, _SHORTEST_HEADING = 6, 5


@dataclass(frozen=True, slots=True)
class Columns:
    """A page in columns: what is above them, the two, and what is below."""

    above: list[Piece]
    left: list[Piece]
    right: list[Piece]
    below: list[Piece]


def find_columns(pieces: Sequence[Piece]) -> Columns | None:
    """The longest run of lines that stand in two columns; None when there is none."""
    rows = rows_of(pieces)
    body = median(piece.size for piece in pieces) if pieces else 0.0
    best: tuple[int, Columns] | None = None
    for gap in _gaps(pieces):
        edge = gap - _GAP_PT / 2
        for start, end in _runs(rows, edge, body):
            left = [piece for row in rows[start:end] for piece in row if piece.left < edge]
            right = [piece for row in rows[start:end] for piece in row if piece.left >= edge]
            if (size := min(len(left), len(right))) > (best[0] if best else 0) and _are_columns(left, right):
                above = [piece for row in rows[:start] for piece in row]
                below = [piece for row in rows[end:] for piece in row]
                best = size, Columns(above, left, right, below)
    return best[1] if best else None


def _gaps(pieces: Sequence[Piece]) -> list[float]:
    """Where a column may begin: left edges that several lines have."""
    edges = Counter(round(piece.left) for piece in pieces)
    return [float(edge) for edge, count in edges.most_common(40) if count > 1 and edge > min(edges)]


def _runs(rows: Sequence[Sequence[Piece]], edge: float, body: float) -> list[tuple[int, int]]:
    """First row of each run and the one after its last: rows of which no piece crosses the edge."""
    crossed = [index for index, row in enumerate(rows) if any(piece.left < edge < piece.right for piece in row)]
    bounds = [-1, *crossed, len(rows)]
    runs: list[tuple[int, int]] = []
    for before, after in pairwise(bounds):
        cuts = [index for index in range(before + 2, after) if _ends_a_run(rows, index, edge, body)]
        starts = [before + 1, *cuts]
        runs += [(start, end) for start, end in zip(starts, [*cuts, after], strict=True) if end > start]
    return runs


def _ends_a_run(rows: Sequence[Sequence[Piece]], index: int, edge: float, body: float) -> bool:
    """True for a heading at the left that has nothing beside it, for a line above and below."""
    row = rows[index]
    if len(row) != 1 or row[0].left >= edge or not (row[0].is_bold or _is_heading(row[0], body)):
        return False
    clear = _CLEAR * row[0].size
    return not any(
        piece.left >= edge and abs(piece.y - row[0].y) < clear
        for near in rows[max(0, index - 2) : index + 3]
        for piece in near
    )


def _is_heading(piece: Piece, body: float) -> bool:
    """By its form: few words in larger type or in capitals."""
    few = len(piece.text.split()) <= _HEADING_WORDS
    return few and (piece.size >= HEADING * body or (piece.text.isupper() and len(piece.text) >= _SHORTEST_HEADING))


def _are_columns(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    if min(len(rows_of(left)), len(rows_of(right))) < _LEAST_LINES or _is_table(left, right):
        return False
    for side, other in ((left, right), (right, left)):
        if sum(bool(YEAR.search(piece.text)) for piece in side) > _MOST_DATES * len(side):
            return False
        heights = sorted(piece.y for piece in other)
        beside = [piece for piece in side if _is_beside(piece, heights)]
        if len(beside) == len(side) and len(side) <= len(other) and _together(side) < _LEAST_TOGETHER:
            return False
    return True


def _is_table(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    """True for short labels at the left, each beside what it says."""
    body = median(piece.size for piece in right)
    if any(_is_heading(piece, body) for piece in right):
        return False
    labels = [piece for piece in left if piece.size < HEADING * body]
    heights = sorted(piece.y for piece in right)
    alone = sum(not _is_beside(piece, heights) for piece in labels)
    if len(labels) < _LEAST_LABELS or alone > _MOST_LABELS_ALONE * len(labels):
        return False
    is_short = median(len(piece.text.split()) for piece in labels) <= _LABEL_WORDS
    is_narrow = width_of(labels) < _LABEL_WIDTH * width_of(right)
    return is_short and is_narrow and not any(BULLET_ONLY.match(piece.text[:1]) for piece in labels)


def _is_beside(piece: Piece, heights: Sequence[float]) -> bool:
    return any(abs(piece.y - y) < SAME_LINE * piece.size for y in heights)


def _together(side: Sequence[Piece]) -> float:
    """Share of pieces that have another one of their side directly below."""
    heights = sorted(piece.y for piece in side)
    near = sum(after - before < PARAGRAPH * side[0].size for before, after in pairwise(heights))
    return near / max(1, len(side) - 1)
