"""Which pieces of a stream are decoded."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.segments import LEAD_S, MAX_S, TAIL_S, Piece, Segmenter

STEP_S = 0.032
END_SILENCE_S = 0.55


def run(voice: list[bool], flushes: frozenset[int] = frozenset()) -> tuple[list[Piece], list[float]]:
    """Play a voice, one entry per step of a detector like Silero's; return the pieces and the voiced times."""
    segmenter = Segmenter()
    pieces: list[Piece | None] = []
    speaking, silence_s, voiced = False, 0.0, []
    for step, loud in enumerate(voice):
        at_s = (step + 1) * STEP_S
        pieces.append(segmenter.went_on(at_s, silence_s, float(loud)))
        if step in flushes:
            pieces.append(segmenter.flushed(at_s))
        silence_s = 0.0 if loud else silence_s + STEP_S
        if loud:
            voiced.append(at_s - STEP_S / 2)
            if not speaking:
                speaking = True
                segmenter.started(at_s, STEP_S)
        elif speaking and silence_s >= END_SILENCE_S:
            speaking = False
            pieces.append(segmenter.ended(at_s, silence_s))
    pieces.append(segmenter.flushed(len(voice) * STEP_S))
    return [piece for piece in pieces if piece is not None], voiced


def steps(seconds: float, loud: bool) -> list[bool]:
    """So many seconds of voice or of silence."""
    return [loud] * round(seconds / STEP_S)


def test_a_word_is_one_piece_with_a_margin() -> None:
    """Soft beginnings and endings are inside."""
    (piece,), _ = run(steps(1, False) + steps(2, True) + steps(2, False))
    assert piece.start_s == pytest.approx(1 - LEAD_S, abs=2 * STEP_S)
    assert piece.end_s == pytest.approx(3 + TAIL_S, abs=2 * STEP_S)


def test_silence_is_never_decoded() -> None:
    """Nor is it when somebody flushes."""
    assert run(steps(60, False), frozenset({10, 500}))[0] == []


def test_a_thinking_pause_gives_two_pieces() -> None:
    """What was said before the pause is decoded while the candidate thinks."""
    pieces, _ = run(steps(2, True) + steps(1.5, False) + steps(2, True) + steps(1, False))
    assert len(pieces) == 2


def test_a_breath_cuts_long_speech_but_not_short_speech() -> None:
    """So that little is left to decode at the end of a long answer."""
    breath = steps(0.35, False)
    long, _ = run(steps(14, True) + breath + steps(3, True) + steps(1, False))
    short, _ = run(steps(4, True) + breath + steps(3, True) + steps(1, False))
    assert (len(long), len(short)) == (2, 1)
    assert long[0].end_s == pytest.approx(14.3, abs=0.1)


def test_speech_without_a_breath_is_cut_where_the_voice_was_faintest() -> None:
    """Several minutes of it, too."""
    faint = [*steps(22, True), False, *steps(8, True), *steps(1, False)]
    pieces, _ = run(faint)
    assert len(pieces) == 2
    assert pieces[0].end_s == pytest.approx(22, abs=2 * STEP_S)
    monologue, _ = run(steps(200, True) + steps(1, False))
    assert len(monologue) >= 8


def test_a_flush_in_mid_speech_decodes_what_was_said() -> None:
    """The rest follows when it is over; the silence after a flush is not decoded again."""
    flush = round(2.6 / STEP_S)
    pieces, _ = run(steps(1, False) + steps(3, True) + steps(1, False), frozenset({flush}))
    assert len(pieces) == 2
    assert pieces[0].end_s == pieces[1].start_s
    late = round(4.3 / STEP_S)
    pieces, _ = run(steps(1, False) + steps(3, True) + steps(1, False), frozenset({late, late + 3}))
    assert len(pieces) == 1


@given(
    st.lists(st.tuples(st.floats(0.03, 30), st.floats(0.03, 2)), max_size=8),
    st.frozensets(st.integers(0, 3000), max_size=5),
)
def test_every_voiced_moment_is_in_exactly_one_piece(turns: list[tuple[float, float]], flushes: frozenset[int]) -> None:
    """Whatever the pauses and flushes: no word is lost, none is decoded twice, no piece is too long for the window."""
    voice = [loud for talk, pause in turns for loud in [*steps(talk, True), *steps(pause, False)]]
    pieces, voiced = run(voice, flushes)
    assert all(piece.start_s < piece.end_s <= piece.start_s + MAX_S + LEAD_S for piece in pieces)
    assert all(before.end_s <= after.start_s for before, after in pairwise(pieces))
    for moment in voiced:
        assert sum(piece.start_s <= moment < piece.end_s for piece in pieces) == 1
