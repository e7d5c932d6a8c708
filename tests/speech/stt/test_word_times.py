"""Silence taken out of the words' times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.audio import voiced_frames
from speech.stt.word_times import HeardWord, settle
from tests.speech.fakes import tone


def word(start_s: float, end_s: float) -> HeardWord:
    """A word with these times."""
    return HeardWord("la", start_s, end_s, 0.5)


def test_the_first_word_begins_where_the_sound_does() -> None:
    """The alignment has it begin with the audio, the lead-in of the detector included."""
    pcm = tone((0.5, 0), (0.4, 0.2), (0.3, 0))
    (settled,) = settle([word(0, 1.1)], voiced_frames(pcm), 1.2)
    assert settled.start_s == pytest.approx(0.5, abs=0.03)
    assert settled.end_s == pytest.approx(0.9, abs=0.03)


def test_a_word_after_a_pause_does_not_swallow_it() -> None:
    """The end of the word before, the pause, the word: the word is what comes after the pause."""
    pcm = tone((0.5, 0.2), (1.0, 0), (0.5, 0.2))
    before, after = settle([word(0, 0.4), word(0.4, 2.0)], voiced_frames(pcm), 2.0)
    assert before.end_s == pytest.approx(0.4)
    assert after.start_s == pytest.approx(1.5, abs=0.03)


def test_a_stop_inside_a_word_does_not_split_it() -> None:
    """The silence of a p, t or k belongs to the word."""
    pcm = tone((0.3, 0.2), (0.1, 0), (0.3, 0.2))
    (settled,) = settle([word(0, 0.7)], voiced_frames(pcm), 0.7)
    assert (settled.start_s, settled.end_s) == pytest.approx((0, 0.7), abs=0.03)


@given(
    st.lists(st.tuples(st.floats(0, 5), st.floats(0, 3)), max_size=15),
    st.lists(st.booleans(), max_size=250),
    st.floats(0.02, 5),
)
def test_times_stay_in_order_and_inside_the_audio(
    spans: list[tuple[float, float]], frames: list[bool], duration_s: float
) -> None:
    """Whatever the model and the sound say: every word is kept, none begins before the one before it."""
    words = [word(start, start + length) for start, length in sorted(spans)]
    settled = settle(words, np.array(frames, dtype=np.bool_), duration_s)
    assert len(settled) == len(words)
    starts = [item.start_s for item in settled]
    assert starts == sorted(starts)
    assert all(0 <= item.start_s <= item.end_s <= duration_s for item in settled)


def test_words_move_with_their_audio() -> None:
    """A piece's words are placed where the piece was."""
    assert word(1, 2).shifted(10) == word(11, 12)
