"""Levels and quiet places."""

from __future__ import annotations

import numpy as np
import pytest

from speech.audio import SAMPLE_RATE, from_int16, is_inaudible, levels, quietest_place, voiced_frames
from tests.speech.fakes import tone


def test_silence_and_dither_are_inaudible() -> None:
    """Nothing is decoded where nobody can have spoken."""
    dither = np.random.default_rng(1).normal(0, 1e-4, SAMPLE_RATE).astype(np.float32)
    assert is_inaudible(np.zeros(SAMPLE_RATE, dtype=np.float32))
    assert is_inaudible(dither)
    assert is_inaudible(np.zeros(0, dtype=np.float32))


def test_a_short_quiet_word_is_audible() -> None:
    """One soft sound in a second of silence is enough to ask Whisper."""
    assert not is_inaudible(tone((0.5, 0), (0.1, 0.005), (0.4, 0)))


def test_levels_cover_whole_frames_only() -> None:
    """A sine of amplitude 0.2 has the level 0.2/√2; a rest shorter than a frame is left out."""
    assert levels(tone((0.05, 0.2))) == pytest.approx([0.1414, 0.1414], rel=0.05)


def test_pauses_are_told_from_sound() -> None:
    """Also above a soft background noise."""
    noise = np.random.default_rng(2).normal(0, 0.003, 2 * SAMPLE_RATE).astype(np.float32)
    voiced = voiced_frames(tone((0.6, 0), (0.8, 0.2), (0.6, 0)) + noise)
    assert not voiced[:29].any()
    assert voiced[31:69].all()
    assert not voiced[71:].any()


def test_in_steady_loud_noise_everything_counts_as_sound() -> None:
    """Times are then left as the model gave them rather than guessed."""
    noise = np.random.default_rng(3).normal(0, 0.2, SAMPLE_RATE).astype(np.float32)
    assert voiced_frames(noise).all()
    assert not len(voiced_frames(noise[:10]))


def test_the_quietest_place_is_in_the_pause() -> None:
    """Long audio is cut between words, within the time that is allowed."""
    pcm = tone((2, 0.2), (0.3, 0), (3, 0.2), (0.4, 0), (2, 0.2))
    assert 5.3 < quietest_place(pcm, 4, 7) < 5.7
    assert 2.0 < quietest_place(pcm, 1, 4) < 2.3


def test_integers_become_full_scale_floats() -> None:
    """±32768 is ±1."""
    assert from_int16(np.array([-32768, 0, 16384], dtype=np.int16)).tolist() == [-1, 0, 0.5]
