"""Where the samples of a live track belong. Time is counted in samples here; nothing waits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from review.audio.mixing import SideTrack
from tests.review.sounds import FRAME, RATE, tone

HOLD = RATE * 8 // 10


def taken(track: SideTrack, frames: Iterator[tuple[int, NDArray[np.int16]]], end: int) -> NDArray[np.int16]:
    """Feed frames as they are seen, and take what is old enough, as the recorder does."""
    parts = []
    for at, pcm in frames:
        track.add(pcm, at)
        parts.append(track.take(max(track.position, at - HOLD)))
    parts.append(track.take(max(end, track.position)))
    return np.concatenate(parts)


def frames_of(
    sound: NDArray[np.int16], seen_at: Callable[[int], int], length: int = FRAME
) -> Iterator[tuple[int, NDArray[np.int16]]]:
    """A sound in frames, each with the sample at which it is seen."""
    for begin in range(0, len(sound), length):
        yield seen_at(begin), sound[begin : begin + length]


def onset(sound: NDArray[np.int16]) -> int:
    """The first sample that is not silence."""
    return int(np.flatnonzero(sound)[0])


def test_a_perfect_track_comes_out_as_it_went_in() -> None:
    """Frames that are seen exactly on time are joined to the very samples that were sent."""
    sound = tone(2.0)
    assert np.array_equal(taken(SideTrack(), frames_of(sound, lambda begin: begin), len(sound)), sound)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), jitter_ms=st.integers(1, 55), length=st.sampled_from([FRAME, 2 * FRAME, 1000]))
def test_jitter_makes_no_gap_and_no_click(seed: int, jitter_ms: int, length: int) -> None:
    """Under 60 ms of jitter the sound is unbroken, sample for sample, and begins within that of its time."""
    rng = random.Random(seed)
    sound = tone(1.5)
    start = RATE
    frames = frames_of(sound, lambda begin: start + begin + rng.randint(0, jitter_ms * RATE // 1000), length)
    heard = taken(SideTrack(), frames, start + 2 * len(sound))
    begin = onset(heard[RATE // 2 :]) + RATE // 2 - onset(sound)
    assert abs(begin - start) <= jitter_ms * RATE // 1000
    assert np.array_equal(heard[begin : begin + len(sound)], sound)


@pytest.mark.parametrize("gap_ms", [80, 300, 2500])
def test_a_real_gap_becomes_silence(gap_ms: int) -> None:
    """Sound after a pause of the sender is placed at its time, and the pause is silent."""
    sound, gap = tone(1.0) + np.int16(1), gap_ms * RATE // 1000
    frames = frames_of(sound, lambda begin: begin + (gap if begin >= RATE // 2 else 0))
    heard = taken(SideTrack(), frames, len(sound) + gap)
    assert np.array_equal(heard[: RATE // 2], sound[: RATE // 2])
    assert not heard[RATE // 2 : RATE // 2 + gap].any()
    assert np.array_equal(heard[RATE // 2 + gap :], sound[RATE // 2 :])


@pytest.mark.parametrize("stall_ms", [100, 400, 700])
def test_a_stall_leaves_no_mark(stall_ms: int) -> None:
    """Frames that were held back and are then seen all at once stay joined to the ones before."""
    sound = tone(3.0)
    stalled_until = RATE + stall_ms * RATE // 1000
    frames = frames_of(sound, lambda begin: stalled_until if RATE <= begin < stalled_until else begin)
    assert np.array_equal(taken(SideTrack(), frames, len(sound)), sound)


def test_a_silent_side_is_padded() -> None:
    """A side that never says anything is silence of the length that is asked for."""
    track = SideTrack()
    assert len(track.take(1234)) == 1234
    assert not track.take(5000).any()
    assert track.position == 5000
    assert len(track.take(4000)) == 0


def test_sound_that_comes_all_at_once_is_played_out() -> None:
    """Synthesised speech that is handed over in one moment is not lost: it begins at its time and lasts its length."""
    sound, start = tone(3.0), 2 * RATE
    heard = taken(SideTrack(), frames_of(sound, lambda _: start), start + 4 * RATE)
    loud = np.flatnonzero(np.abs(heard.astype(np.int32)) > 1000)
    assert abs(int(loud[0]) - start) <= 60 * RATE // 1000
    assert abs(int(loud[-1] - loud[0]) - len(sound)) <= len(sound) // 50


def test_a_lead_is_given_back_in_pauses() -> None:
    """After sound that came faster than it can be played, the next words are back at their time."""
    begins = [0, 4 * RATE, 8 * RATE]
    words = [*[tone(1.5), np.zeros(RATE // 2, np.int16)] * 2, tone(1.0)]
    burst = np.concatenate(words)
    track = SideTrack()
    frames = [(begin, part) for begin in begins for _, part in frames_of(burst, lambda begin: begin)]
    heard = taken(track, iter(frames), 20 * RATE)
    assert len(heard) == 20 * RATE
    last = np.flatnonzero(np.abs(heard.astype(np.int32)) > 1000)[-1]
    assert last <= 8 * RATE + len(burst) + RATE


@settings(deadline=None)
@given(
    frames=st.lists(st.tuples(st.integers(-RATE, 20 * RATE), st.integers(1, 3 * FRAME)), max_size=60),
    steps=st.lists(st.integers(0, 3 * RATE), min_size=1, max_size=20),
)
def test_whatever_comes_the_track_is_unbroken(frames: list[tuple[int, int]], steps: list[int]) -> None:
    """However frames are timed, each take has exactly the length that was asked for."""
    track = SideTrack()
    for index, step in enumerate(steps):
        for at, length in frames[index :: len(steps)]:
            track.add(np.full(length, 5000, np.int16), at)
        until = track.position + step
        assert len(track.take(until)) == step
        assert track.position == until


@dataclass(frozen=True, slots=True)
class Line:
    """A way from a sender to the recorder."""

    drift_ppm: float
    jitter_s: float
    pauses: bool
    """Whether the sender stops now and then."""


NUMBERS = 30_000
"""How many different frames there are."""

LINES = [
    Line(drift_ppm=180.0, jitter_s=0.03, pauses=False),
    Line(drift_ppm=-180.0, jitter_s=0.05, pauses=False),
    Line(drift_ppm=60.0, jitter_s=0.05, pauses=True),
    Line(drift_ppm=0.0, jitter_s=0.01, pauses=False),
]


def worst_error_s(line: Line, seconds: int, seed: int) -> float:
    """How far any sample ends up from the moment it was said.

    Each frame holds its own number, so that it can be found again. Jitter is what an arrival has: never negative,
    mostly small, with a stall now and then.
    """
    rng = random.Random(seed)
    track = SideTrack()
    said_at: list[float] = []
    checked = 0
    worst = 0.0
    held_until = 0.0
    for number in range(seconds * 100):
        now = number * 0.01 * (1 + line.drift_ppm * 1e-6)
        if line.pauses and number % 1000 > 850:
            continue
        # The last frame before a pause cannot be told from one after it: nothing that follows gives it away.
        if rng.random() < 0.0005 and number % 1000 < 800:
            held_until = now + rng.uniform(0.1, 0.4)
        seen = max(held_until, now + rng.uniform(0, line.jitter_s))
        said_at.append(now)
        track.add(np.full(FRAME, 200 + (len(said_at) - 1) % NUMBERS, np.int16), round(seen * RATE))
        begin = track.position
        part = track.take(max(begin, round((seen - 0.8) * RATE)))
        for index in np.flatnonzero(np.diff(part, prepend=0)):
            if part[index] == 200 + checked % NUMBERS:
                worst = max(worst, abs((begin + int(index)) / RATE - said_at[checked]))
                checked += 1
    assert checked > 0.95 * len(said_at)
    return worst


@pytest.mark.parametrize("line", LINES)
def test_a_minute_stays_on_the_clock(line: Line) -> None:
    """With jitter, stalls, pauses and a strong drift every sample of a minute is within 50 ms of its time."""
    strong = Line(line.drift_ppm * 10, line.jitter_s, line.pauses)
    assert worst_error_s(strong, 60, seed=1) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES[::2])
def test_an_hour_stays_on_the_clock(line: Line) -> None:
    """With jitter, stalls, pauses and drift every sample of an hour is within 50 ms of its time."""
    assert worst_error_s(line, 3600, seed=2) < 0.05


@pytest.mark.parametrize("pitch_hz", [110.0, 300.0, 997.0])
def test_a_correction_cannot_be_heard(pitch_hz: float) -> None:
    """Where drift is corrected the sound makes no step larger than the tone itself makes."""
    sound = tone(20.0, pitch_hz)
    heard = taken(SideTrack(), frames_of(sound, lambda begin: round(begin * 1.002)), round(len(sound) * 1.002))
    steepest = np.abs(np.diff(sound.astype(np.int32))).max()
    ends = int(np.flatnonzero(heard)[-1])
    assert ends > len(sound) + RATE // 100
    assert np.abs(np.diff(heard[:ends].astype(np.int32))).max() <= 1.5 * steepest
