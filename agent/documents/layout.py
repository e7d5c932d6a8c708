"""Reading order: pieces of text on a page become lines, column by column (`agent/documents/columns.py`).

A line that was full when the next began, by the width of its first word, goes on there. Lines in larger type are
headings; what is bold at the beginning of a line is marked as in Markdown, unless most of the document is bold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from agent.documents.columns import Columns, find_columns
from agent.documents.pieces import BULLET_ONLY, HEADING, PARAGRAPH, Piece, merged, rows_of, width_of

_NARROW = 0.75
_LONGEST_HEADING = 8
_MOST_BOLD = 0.5
"""Share of bold characters from which on bold says nothing."""
_SENTENCE_WORDS = 6
_CELL_WORDS = 4
"""Words from which on a line is no item of a list, so that the next may continue it; beside a cell with dates fewer."""
_OPEN_END = re.compile(r"(?:\b(?:of|and|for|in|at|the|to|und|de|der)|[&/])$")
"""Words that nothing ends with."""
_PAGE_NUMBER = re.compile(r"(?:page\s{0,3})?\d{1,3}(?:\s{0,3}(?:/|of|von|\|)\s{0,3}\d{1,3})?", re.IGNORECASE)
_ENDS_WITH_PAGE = re.compile(r".{0,80}\bpage\s{0,3}\d{1,3}(?:\s{0,3}(?:/|of)\s{0,3}\d{1,3})?", re.IGNORECASE)


def text_of_pages(pages: Sequence[Sequence[Piece]]) -> str:
    """The text of a document in reading order.

    Of several pages the narrow column stands before the wide one, which goes on over the pages.
    """
    cleaned = _without_margins([merged(page) for page in pages])
    levels = _levels([piece for page in cleaned for piece in page])
    if not _bold_says_something([piece for page in cleaned for piece in page]):
        cleaned = [[replace(piece, bold=0) for piece in page] for page in cleaned]
    head: list[str] = []
    narrow: list[str] = []
    main: list[str] = []
    for number, page in enumerate(cleaned):
        columns = find_columns(page) if len(cleaned) > 1 else None
        if columns is None or not _has_a_narrow_one(columns):
            main += _lines_of(page, levels)
            continue
        side, wide = sorted((columns.left, columns.right), key=width_of)
        (main if number else head).extend(_lines_of(columns.above, levels))
        narrow += _lines_of(side, levels)
        main += _lines_of(wide, levels) + _lines_of(columns.below, levels)
    return "\n".join([*head, *narrow, *main])


def _has_a_narrow_one(columns: Columns) -> bool:
    narrow, wide = sorted((width_of(columns.left), width_of(columns.right)))
    return narrow < _NARROW * wide


def _lines_of(pieces: Sequence[Piece], levels: dict[float, int]) -> list[str]:
    if not pieces:
        return []
    if columns := find_columns(pieces):
        parts = (columns.above, columns.left, columns.right, columns.below)
        return [line for part in parts for line in _lines_of(part, levels)]
    return _paragraphs(rows_of(pieces), levels)


def _without_margins(pages: Sequence[list[Piece]]) -> list[list[Piece]]:
    """Without page numbers, and with what repeats at the top of pages only on the first, at the bottom on the last."""
    ends = [rows[:1] + rows[-1:] if len(rows) > 1 else [] for rows in map(rows_of, pages)]
    tops, bottoms = (Counter(_masked(rows[at]) for rows in ends if rows) for at in (0, -1))
    cleaned = []
    for number, (page, rows) in enumerate(zip(pages, ends, strict=True)):
        gone: set[Piece] = set()
        for at, row in enumerate(rows):
            text = " ".join(piece.text for piece in row).strip()
            again = tops[_masked(row)] > 1 and number > 0 if at == 0 else bottoms[_masked(row)] + tops[_masked(row)] > 1
            is_last = at == 1 and number == len(pages) - 1 and not tops[_masked(row)]
            is_number = _PAGE_NUMBER.fullmatch(text) or ((at == 1 or number > 0) and _ENDS_WITH_PAGE.fullmatch(text))
            if is_number or (again and not is_last):
                gone.update(row)
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
    sizes = sorted((size for size in letters if size >= HEADING * body), reverse=True)
    return {size: min(rank, 4) for rank, size in enumerate(sizes, start=1)}


def _bold_says_something(pieces: Sequence[Piece]) -> bool:
    letters = sum(len(piece.text) for piece in pieces)
    return sum(piece.bold for piece in pieces) < _MOST_BOLD * letters


def _marked(piece: Piece) -> str:
    """Text with what is bold at its beginning between stars, behind its bullet."""
    text = piece.text.strip()
    if not piece.bold:
        return text
    at = 1 if BULLET_ONLY.match(text[:1]) else 0
    at += len(text[at:]) - len(text[at:].lstrip())
    bold = text[at : piece.bold].rstrip()
    return f"{text[:at]}**{bold}**{text[at + len(bold) :]}" if bold else text


def _paragraphs(rows: Sequence[list[Piece]], levels: dict[float, int]) -> list[str]:
    edge = max(row[-1].right for row in rows)
    lines: list[str] = []
    last: list[Piece] | None = None
    for row in rows:
        text = "\t".join(piece.text.strip() for piece in row)
        level = levels.get(round(row[0].size), 0) if len(text.split()) <= _LONGEST_HEADING else 0
        text = text if level else "\t".join(map(_marked, row))
        if last and level == 0 and lines and _goes_on(last, row, edge) and not lines[-1].startswith("#"):
            hyphen = lines[-1].endswith(("-", "\N{HYPHEN}", "\N{SOFT HYPHEN}"))
            lines[-1] += f"\n{text}" if hyphen else f" {text}"
        else:
            if last and row[0].y - last[0].y > PARAGRAPH * median(piece.size for piece in row):
                lines.append("")
            lines.append(f"{'#' * level} {text}" if level else text)
        last = row
    return [*lines, ""]


def _goes_on(last: Sequence[Piece], row: Sequence[Piece], edge: float) -> bool:
    """True when a line continues the one before it, because that one had no room for its first word."""
    piece, before = row[0], last[-1]
    in_a_cell = len(last) > 1
    if len(row) > 1 or BULLET_ONLY.match(piece.text[:1]) or before.size != piece.size:
        return False
    if piece.y - before.y > PARAGRAPH * piece.size or (in_a_cell and abs(piece.left - before.left) > piece.size):
        return False
    if (
        before.is_bold
        and piece.is_bold
        and _OPEN_END.search(before.text)
        and abs(piece.left - before.left) < piece.size
    ):
        return True
    if bool(piece.bold) != before.is_bold and not piece.text[:1].islower():
        return False
    words = piece.text.split()
    width = (piece.right - piece.left) * (len(words[0]) + 1) / max(1, len(piece.text)) if words else 0.0
    is_full = before.right + width > edge
    long_enough = _CELL_WORDS if in_a_cell else _SENTENCE_WORDS
    is_sentence = len(before.text.split()) >= long_enough or piece.text[:1].islower()
    return is_full and is_sentence
