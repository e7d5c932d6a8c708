"""Reading order: whatever the pieces on a page, each is read once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.documents.columns import find_columns
from agent.documents.layout import text_of_pages
from agent.documents.pieces import Piece
from tests.examples import examples

WORDS = [f"{first}{second}{third}" for first in "bcdfglmn" for second in "aeiou" for third in "krstx"]


@st.composite
def page(draw: st.DrawFn) -> list[Piece]:
    """Pieces of different words on a grid that is not quite one."""
    words = draw(st.lists(st.sampled_from(WORDS), unique=True, min_size=1, max_size=40))
    places = st.tuples(st.integers(3, 40), st.integers(3, 70), st.sampled_from([8.0, 10.0, 14.0]))
    return [
        Piece(word, left * 13.0, left * 13.0 + 6 * len(word), y * 11.0, size)
        for word, (left, y, size) in ((word, draw(places)) for word in words)
    ]


@settings(max_examples=examples(80), deadline=None)
@given(page())
def test_each_piece_is_read_once(pieces: list[Piece]) -> None:
    """No piece of a page is lost or read twice, wherever it stands."""
    text = text_of_pages([pieces])
    # Pieces that overlap are one word.
    assert all(text.count(piece.text) == 1 for piece in pieces)
    assert len("".join(text.replace("#", "").split())) == sum(len(piece.text) for piece in pieces)


def test_a_narrow_column_comes_before_a_wide_one_that_goes_on() -> None:
    """Of two pages with a narrow column at the right, the wide column is read through."""
    texts = iter(WORDS)

    def rows(left: float, width: float, number: int) -> list[Piece]:
        return [Piece(f"{next(texts)} {next(texts)}.", left, left + width, 100 + 14 * at, 10) for at in range(number)]

    wide, narrow, rest = rows(40, 300, 6), rows(400, 100, 5), rows(40, 300, 6)
    assert find_columns([*wide, *narrow]) is not None
    read = [line for line in text_of_pages([[*wide, *narrow], rest]).replace(". ", ".\n").split("\n") if line]
    assert read == [piece.text for piece in (*narrow, *wide, *rest)]
