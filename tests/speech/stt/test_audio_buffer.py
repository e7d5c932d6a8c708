"""The part of a stream that is kept."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speech.audio import SAMPLE_RATE, from_int16
from speech.stt.audio_buffer import AudioBuffer


@given(st.lists(st.integers(0, 4000), max_size=20), st.floats(0, 2), st.floats(0, 2), st.floats(0, 2))
def test_a_cut_is_what_was_played_then(blocks: list[int], first_s: float, second_s: float, forget_s: float) -> None:
    """However the stream was chunked, and after older audio was forgotten."""
    played = np.arange(sum(blocks), dtype=np.int64).astype(np.int16)
    buffer = AudioBuffer()
    for end, size in zip(np.cumsum(blocks, dtype=np.int64), blocks, strict=True):
        buffer.append(played[end - size : end])
    start_s, end_s = sorted((first_s, second_s))
    buffer.forget(min(forget_s, start_s))
    expected = played[round(start_s * SAMPLE_RATE) : round(end_s * SAMPLE_RATE)]
    assert np.array_equal(buffer.cut(start_s, end_s), from_int16(expected))
    assert buffer.end_s == len(played) / SAMPLE_RATE


def test_forgotten_audio_takes_no_memory() -> None:
    """An hour's stream keeps only what is still needed; a cut that reaches further back gives what there is."""
    buffer = AudioBuffer()
    for second in range(10):
        buffer.append(np.full(SAMPLE_RATE, second, dtype=np.int16))
        buffer.forget(second - 1)
    assert len(buffer.cut(0, 10)) == 2 * SAMPLE_RATE
