"""How much it says that a candidate sounds finished."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.endpointing.melody import Melody

SOUNDS = st.lists(st.none() | st.floats(0, 1), max_size=40)


def test_a_voice_of_which_nothing_is_known_is_believed_as_anybodys() -> None:
    """What counts is what was fitted on people."""
    assert Melody().trust == pytest.approx(1.0)
    assert Melody().heard([None, None]) == Melody()


def test_who_sounds_finished_in_each_pause_is_hardly_believed_after_eight() -> None:
    """Their voice falls after each sentence, and more comes all the same."""
    assert Melody().heard([0.95] * 8).trust < 0.25
    assert Melody().heard([0.95] * 2).trust < 0.75


def test_who_sounds_unfinished_in_pauses_is_believed_no_more_than_anybody() -> None:
    """Little was heard of them, and the weight of the sound is a mean over people."""
    assert Melody().heard([0.02] * 20).trust == 1.0


@given(SOUNDS)
def test_each_pause_that_sounded_like_an_end_makes_the_sound_count_less(sounds: list[float | None]) -> None:
    """And never less than not at all."""
    known = Melody().heard(sounds)
    assert 0.0 <= known.heard([0.9]).trust <= known.trust <= 1.0
