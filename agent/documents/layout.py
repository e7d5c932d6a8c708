"""Reading order: pieces of text on a page become lines, column by column.

A page is cut where a gap runs down between two columns: a run of lines, as long as there is one, of which no piece
crosses the gap. What stands above and below reaches over both columns and is cut in the same way. Dates or places at
the right end of lines are no column: their pieces are few, lie on the lines of what is left of them and are far from
each other, or are dates. A line that was full when the next began, by the width of its first word, goes on there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

_SAME_LINE = 0.5
"""Share of a piece's height by which two on one line may differ in height on the page."""
_APART = 1.6
"""Gap between pieces of a line, in heights of its text, from which on they stand apart."""
_GAP_PT = 7.0
"""Width of the gap between columns, in points."""
_LEAST_LINES = 4
_MOST_DATES = 0.4
_LEAST_TOGETHER = 0.5
_PARAGRAPH = 1.9
"""Distance of two lines, in heights, from which on they do not belong together."""
_NARROW = 0.75
_HEADING = 1.12
"""Size of a heading beside that of the body."""
_LONGEST_HEADING = 8
_SENTENCE_WORDS = 6
_CELL_WORDS = 4
"""Words from which on a line is no item of a list, so that the next may continue it; beside a cell with dates fewer."""
_BULLET_ONLY = re.compile(r"[\u2022\u25aa\u25cf\u25e6\u2023\u25a0\u25b8\u2043\u00b7\uf0b7*\u2013\u2014-]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNKNOWN_BULLET = re.compile(r"^(?:\(cid:\d{1,6}\)|[\ue000-\uf8ff])(?=\s|$)")
"""A bullet of a font that does not say what its signs mean."""
_JUSTIFIED = re.compile(r"(?<=\S) {2}(?=\S)")
"""A word space of justified text; three and more stand between what is apart."""
_OPEN_DATE = re.compile(r"(?:[\u2010-\u2015-]|\b(?:to|until)|(?:[\u2010-\u2015-]|\bto)\s{0,2}[^\W\d_]{3,9}\.?)$")
_REST_OF_DATE = re.compile(r"(?:[^\W\d_]{3,9}\.?\s{1,2})?(?:19|20)\d\d$|[^\W\d_]{3,8}$")
_PAGE_NUMBER = re.compile(r"(?:page\s{0,3})?\d{1,3}(?:\s{0,3}(?:/|of|von|\|)\s{0,3}\d{1,3})?", re.IGNORECASE)
_ENDS_WITH_PAGE = re.compile(r".{0,80}\bpage\s{0,3}\d{1,3}(?:\s{0,3}(?:/|of)\s{0,3}\d{1,3})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text on a page; lengths in points, `y` counts downwards."""

    text: str
    left: float
    right: float
    y: float
    """Of the middle of its height."""
    size: float


@dataclass(frozen=True, slots=True)
class Columns:
    """A page in columns: what is above them, the two, and what is below."""

    above: list[Piece]
    left: list[Piece]
    right: list[Piece]
    below: list[Piece]


def text_of_pages(pages: Sequence[Sequence[Piece]]) -> str:
    """The text of a document in reading order.

    Of several pages the narrow column stands before the wide one, which goes on over the pages.
    """
    cleaned = _without_margins([_merged(page) for page in pages])
    levels = _levels([piece for page in cleaned for piece in page])
    head: list[str] = []
    narrow: list[str] = []
    main: list[str] = []
    for number, page in enumerate(cleaned):
        columns = find_columns(page)
        if len(cleaned) == 1 or columns is None or not _has_a_narrow_one(columns):
            main += _lines_of(page, levels)
            continue
        side, wide = sorted((columns.left, columns.right), key=_width)
        (main if number else head).extend(_lines_of(columns.above, levels))
        narrow += _lines_of(side, levels)
        main += _lines_of(wide, levels) + _lines_of(columns.below, levels)
    return "\n".join([*head, *narrow, *main])


def find_columns(pieces: Sequence[Piece]) -> Columns | None:
    """The longest run of lines that stand in two columns; None when there is none."""
    rows = _rows(pieces)
    best: tuple[int, Columns] | None = None
    for gap in _gaps(pieces):
        start = 0
        for end in range(len(rows) + 1):
            if end < len(rows) and not any(piece.left < gap - _GAP_PT / 2 < piece.right for piece in rows[end]):
                continue
            run = rows[start:end]
            left = [piece for row in run for piece in row if piece.left < gap - _GAP_PT / 2]
            right = [piece for row in run for piece in row if piece.left >= gap - _GAP_PT / 2]
            if (size := min(len(left), len(right))) > (best[0] if best else 0) and _are_columns(left, right):
                above = [piece for row in rows[:start] for piece in row]
                below = [piece for row in rows[end:] for piece in row]
                best = size, Columns(above, left, right, below)
            start = end + 1
    return best[1] if best else None


def _gaps(pieces: Sequence[Piece]) -> list[float]:
    """Where a column may begin: left edges that several lines have."""
    edges = Counter(round(piece.left) for piece in pieces)
    return [float(edge) for edge, count in edges.most_common(40) if count > 1 and edge > min(edges)]


def _are_columns(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    if min(len(_rows(left)), len(_rows(right))) < _LEAST_LINES:
        return False
    for side, other in ((left, right), (right, left)):
        if sum(bool(_YEAR.search(piece.text)) for piece in side) > _MOST_DATES * len(side):
            return False
        heights = sorted(piece.y for piece in other)
        beside = [piece for piece in side if _is_beside(piece, heights)]
        if len(beside) == len(side) and len(side) <= len(other) and _together(side) < _LEAST_TOGETHER:
            return False
    return True


def _is_beside(piece: Piece, heights: Sequence[float]) -> bool:
    return any(abs(piece.y - y) < _SAME_LINE * piece.size for y in heights)


def _together(side: Sequence[Piece]) -> float:
    """Share of pieces that have another one of their side directly below."""
    heights = sorted(piece.y for piece in side)
    near = sum(after - before < _PARAGRAPH * side[0].size for before, after in pairwise(heights))
    return near / max(1, len(side) - 1)


def _has_a_narrow_one(columns: Columns) -> bool:
    narrow, wide = sorted((_width(columns.left), _width(columns.right)))
    return narrow < _NARROW * wide


def _width(pieces: Sequence[Piece]) -> float:
    return max(piece.right for piece in pieces) - min(piece.left for piece in pieces)


def _lines_of(pieces: Sequence[Piece], levels: dict[float, int]) -> list[str]:
    if not pieces:
        return []
    if columns := find_columns(pieces):
        parts = (columns.above, columns.left, columns.right, columns.below)
        return [line for part in parts for line in _lines_of(part, levels)]
    return _paragraphs(_rows(pieces), levels)


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces by the line they stand on, from the top, each from the left."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.y, piece.left)):
        if rows and abs(piece.y - rows[-1][0].y) < _SAME_LINE * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces of one line that are close to each other are one, and a bullet belongs to what follows it."""
    merged: list[Piece] = []
    pieces = [
        replace(piece, text=_JUSTIFIED.sub(" ", _UNKNOWN_BULLET.sub("\N{BULLET}", piece.text))) for piece in pieces
    ]
    for row in _rows(_with_whole_dates(pieces)):
        last: Piece | None = None
        for piece in row:
            near = last is not None and piece.left - last.right < _APART * piece.size
            if last and (near or (_BULLET_ONLY.fullmatch(last.text) and piece.left - last.right < 4 * piece.size)):
                space = " " if piece.left - last.right > 0.12 * piece.size else ""
                last = replace(last, text=f"{last.text}{space}{piece.text}", right=piece.right)
                merged[-1] = last
            else:
                merged.append(last := piece)
    return merged


def _with_whole_dates(pieces: Sequence[Piece]) -> list[Piece]:
    """Dates that a narrow cell divides ("June 2017 – September", "2020" below it) are one piece, on the second line."""
    opened = [piece for piece in pieces if _YEAR.search(piece.text) and _OPEN_DATE.search(piece.text)]
    whole: dict[Piece, Piece] = {}
    gone: set[Piece] = set()
    for first in opened[:_MOST_OPEN]:
        for second in pieces:
            is_below = 0 < second.y - first.y < _PARAGRAPH * first.size and abs(second.left - first.left) < first.size
            if is_below and _REST_OF_DATE.match(second.text):
                whole[second] = replace(second, text=f"{first.text} {second.text}")
                gone.add(first)
    return [whole.get(piece, piece) for piece in pieces if piece not in gone]


_MOST_OPEN = 100


def _without_margins(pages: Sequence[list[Piece]]) -> list[list[Piece]]:
    """Without page numbers, and without what was at the top or the bottom of a page before."""
    ends = [rows[:1] + rows[-1:] if len(rows) > 1 else [] for rows in map(_rows, pages)]
    repeated = Counter(key for page in ends for key in {_masked(row) for row in page})
    seen: set[str] = set()
    cleaned = []
    for page, rows in zip(pages, ends, strict=True):
        gone: set[Piece] = set()
        for row in rows:
            text = " ".join(piece.text for piece in row).strip()
            is_number = _PAGE_NUMBER.fullmatch(text) or (row is rows[-1] and _ENDS_WITH_PAGE.fullmatch(text))
            if is_number or (repeated[_masked(row)] > 1 and _masked(row) in seen):
                gone.update(row)
            seen.add(_masked(row))
        cleaned.append([piece for piece in page if piece not in gone])
    return cleaned


def _masked(row: Sequence[Piece]) -> str:
    return re.sub(r"\d+", "0", " ".join(piece.text for piece in row))


def _levels(pieces: Sequence[Piece]) -> dict[float, int]:
    """Sizes of headings with their ranks, the largest first; the body has the size of most characters."""
    letters: Counter[float] = Counter()
    for piece in pieces:
        letters[round(piece.size)] += len(piece.text)
    body = letters.most_common(1)[0][0] if letters else 0.0
    sizes = sorted((size for size in letters if size >= _HEADING * body), reverse=True)
    return {size: min(rank, 4) for rank, size in enumerate(sizes, start=1)}


def _paragraphs(rows: Sequence[list[Piece]], levels: dict[float, int]) -> list[str]:
    edge = max(row[-1].right for row in rows)
    lines: list[str] = []
    last: list[Piece] | None = None
    for row in rows:
        text = "\t".join(piece.text.strip() for piece in row)
        level = levels.get(round(row[0].size), 0) if len(text.split()) <= _LONGEST_HEADING else 0
        if last and level == 0 and lines and _goes_on(last, row, edge) and not lines[-1].startswith("#"):
            hyphen = lines[-1].endswith(("-", "\N{HYPHEN}", "\N{SOFT HYPHEN}"))
            lines[-1] += f"\n{text}" if hyphen else f" {text}"
        else:
            if last and row[0].y - last[0].y > _PARAGRAPH * median(piece.size for piece in row):
                lines.append("")
            lines.append(f"{'#' * level} {text}" if level else text)
        last = row
    return [*lines, ""]


def _goes_on(last: Sequence[Piece], row: Sequence[Piece], edge: float) -> bool:
    """True when a line continues the one before it, because that one had no room for its first word."""
    piece, before = row[0], last[-1]
    in_a_cell = len(last) > 1
    if len(row) > 1 or _BULLET_ONLY.match(piece.text[:1]) or before.size != piece.size:
        return False
    if piece.y - before.y > _PARAGRAPH * piece.size or (in_a_cell and abs(piece.left - before.left) > piece.size):
        return False
    words = piece.text.split()
    width = (piece.right - piece.left) * (len(words[0]) + 1) / max(1, len(piece.text)) if words else 0.0
    is_full = before.right + width > edge
    long_enough = _CELL_WORDS if in_a_cell else _SENTENCE_WORDS
    is_sentence = len(before.text.split()) >= long_enough or piece.text[:1].islower()
    return is_full and is_sentence
