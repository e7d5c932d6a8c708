"""Where in a stream there is speech."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.stt.segments import LEAD_S, TAIL_S, Segmenter, SpeechSegment

STEP_S = 0.032
END_SILENCE_S = 0.55


def run(voice: list[bool], flushes: frozenset[int] = frozenset()) -> tuple[list[SpeechSegment], list[float]]:
    """Play a voice, one entry per step of a detector like Silero's; return the stretches and the voiced times."""
    segmenter = Segmenter()
    stretches: list[SpeechSegment | None] = []
    speaking, silence_s, voiced = False, 0.0, []
    for step, loud in enumerate(voice):
        at_s = (step + 1) * STEP_S
        segmenter.went_on(at_s, silence_s)
        if step in flushes:
            stretches.append(segmenter.flushed(at_s))
        silence_s = 0.0 if loud else silence_s + STEP_S
        if loud:
            voiced.append(at_s - STEP_S / 2)
            if not speaking:
                speaking = True
                segmenter.started(at_s, STEP_S)
        elif speaking and silence_s >= END_SILENCE_S:
            speaking = False
            stretches.append(segmenter.ended(at_s, silence_s))
    stretches.append(segmenter.flushed(len(voice) * STEP_S))
    return [stretch for stretch in stretches if stretch is not None], voiced


def steps(seconds: float, loud: bool) -> list[bool]:
    """So many seconds of voice or of silence."""
    return [loud] * round(seconds / STEP_S)


def test_a_word_is_one_stretch_with_a_margin() -> None:
    """Soft beginnings and endings are inside."""
    (stretch,), _ = run(steps(1, False) + steps(2, True) + steps(2, False))
    assert stretch.start_s == pytest.approx(1 - LEAD_S, abs=2 * STEP_S)
    assert stretch.end_s == pytest.approx(3 + TAIL_S, abs=2 * STEP_S)


def test_silence_is_never_decoded() -> None:
    """Nor is it when somebody flushes."""
    assert run(steps(60, False), frozenset({10, 500}))[0] == []


def test_a_thinking_pause_gives_two_stretches() -> None:
    """What was said before the pause is final while the candidate thinks."""
    stretches, _ = run(steps(2, True) + steps(1.5, False) + steps(2, True) + steps(1, False))
    assert len(stretches) == 2


def test_a_flush_in_mid_speech_decodes_what_was_said() -> None:
    """The rest follows when it is over; the silence after a flush is not decoded again."""
    flush = round(2.6 / STEP_S)
    stretches, _ = run(steps(1, False) + steps(3, True) + steps(1, False), frozenset({flush}))
    assert len(stretches) == 2
    assert stretches[0].end_s == stretches[1].start_s
    late = round(4.3 / STEP_S)
    stretches, _ = run(steps(1, False) + steps(3, True) + steps(1, False), frozenset({late, late + 3}))
    assert len(stretches) == 1


@given(
    st.lists(st.tuples(st.floats(0.03, 30), st.floats(0.03, 2)), max_size=8),
    st.frozensets(st.integers(0, 3000), max_size=5),
)
def test_every_voiced_moment_is_in_exactly_one_stretch(
    turns: list[tuple[float, float]], flushes: frozenset[int]
) -> None:
    """Whatever the pauses and flushes: no word is lost, none belongs to two."""
    voice = [loud for talk, pause in turns for loud in [*steps(talk, True), *steps(pause, False)]]
    stretches, voiced = run(voice, flushes)
    assert all(stretch.start_s < stretch.end_s for stretch in stretches)
    assert all(before.end_s <= after.start_s for before, after in pairwise(stretches))
    for moment in voiced:
        assert sum(stretch.start_s <= moment < stretch.end_s for stretch in stretches) == 1
