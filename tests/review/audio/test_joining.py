"""Pieces that crashes left become one recording."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review import RecordingError, StereoRecorder, join_recordings
from tests.review.sounds import RATE, decoded, loud_parts, tone

START = 1_700_000_000.0


def piece(path: Path, started_at: float, seconds: float, *, side: str = "candidate") -> tuple[Path, float]:
    """A recording in which one side makes a sound from beginning to end."""
    now = [started_at]
    recorder = StereoRecorder(path, clock=lambda: now[0])
    recorder.write(side, tone(seconds), started_at)  # type: ignore[arg-type]
    now[0] = started_at + seconds
    recorder.close()
    return path, started_at


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a piece of 4 s."""
    path, _ = piece(tmp_path_factory.mktemp("whole") / "piece.ogg", START, 4.0)
    return path.read_bytes()


def test_pieces_stand_at_their_times_with_silence_between(tmp_path: Path) -> None:
    """Each piece begins within 20 ms of its time, on its channel; the gap is silent."""
    pieces = [
        piece(tmp_path / "b.ogg", START + 5.25, 2.0, side="interviewer"),
        piece(tmp_path / "a.ogg", START, 3.0),
        piece(tmp_path / "c.ogg", START + 9.0, 1.0),
    ]
    out = tmp_path / "recording.ogg"
    started_at, duration_s = join_recordings(pieces, out)
    sound = decoded(out)
    assert started_at == START
    assert duration_s == pytest.approx(10.0, abs=0.05)
    assert sound.shape[1] / RATE == pytest.approx(duration_s, abs=0.02)
    assert loud_parts(sound[0]) == [pytest.approx((0.0, 3.0), abs=0.03), pytest.approx((9.0, 10.0), abs=0.03)]
    assert loud_parts(sound[1]) == [pytest.approx((5.25, 7.25), abs=0.03)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ogg", "b.ogg", "c.ogg", "recording.ogg"]


def test_one_piece_is_kept_sample_for_sample(tmp_path: Path) -> None:
    """A recording that was never interrupted is copied, not encoded again."""
    path, started_at = piece(tmp_path / "piece.ogg", START, 2.0)
    started, duration_s = join_recordings([(path, started_at)], tmp_path / "recording.ogg")
    before, after = decoded(path), decoded(tmp_path / "recording.ogg")
    assert started == START
    assert duration_s == pytest.approx(2.0, abs=0.02)
    assert np.array_equal(before, after[:, : before.shape[1]])


def test_a_piece_may_be_replaced_by_the_recording(tmp_path: Path) -> None:
    """The recording may have the name of one of its pieces."""
    first, second = piece(tmp_path / "recording.ogg", START, 1.0), piece(tmp_path / "b.ogg", START + 2, 1.0)
    join_recordings([first, second], first[0])
    assert len(loud_parts(decoded(first[0])[0])) == 2


def test_where_pieces_overlap_the_earlier_one_stands(tmp_path: Path) -> None:
    """A clock that was set back cannot make the recording longer than its time line."""
    pieces = [piece(tmp_path / "a.ogg", START, 3.0), piece(tmp_path / "b.ogg", START + 2.0, 2.0)]
    _, duration_s = join_recordings(pieces, tmp_path / "recording.ogg")
    assert duration_s == pytest.approx(4.0, abs=0.05)
    assert loud_parts(decoded(tmp_path / "recording.ogg")[0]) == [pytest.approx((0.0, 4.0), abs=0.05)]


@settings(deadline=None, max_examples=25)
@given(cut=st.floats(0.05, 1.0))
def test_a_piece_that_was_cut_off_is_used_as_far_as_it_goes(whole: bytes, cut: float) -> None:
    """Wherever a crash cut the file, all whole pages of it are in the recording, and the next piece at its time."""
    with tempfile.TemporaryDirectory() as folder:
        short = Path(folder) / "a.ogg"
        short.write_bytes(whole[: int(len(whole) * cut)])
        pieces = [(short, START), piece(Path(folder) / "b.ogg", START + 5.0, 0.5)]
        problems: list[str] = []
        started_at, _ = join_recordings(pieces, Path(folder) / "recording.ogg", on_problem=problems.append)
        sound = decoded(Path(folder) / "recording.ogg")
    if problems:
        assert cut < 0.2
        return
    first, second = loud_parts(sound[0])
    assert started_at == START
    assert first[1] >= 4.0 * cut - 0.6
    assert second == pytest.approx((5.0, 5.5), abs=0.03)


@pytest.mark.parametrize("content", [b"", b"not a recording " * 100])
def test_an_unreadable_piece_is_named(tmp_path: Path, content: bytes) -> None:
    """A piece without a sound in it is named in a sentence, and the others are joined."""
    broken = tmp_path / "broken.ogg"
    broken.write_bytes(content)
    problems: list[str] = []
    pieces = [(broken, START), (tmp_path / "gone.ogg", START + 1), piece(tmp_path / "good.ogg", START + 2, 1.0)]
    started_at, duration_s = join_recordings(pieces, tmp_path / "recording.ogg", on_problem=problems.append)
    assert started_at == START + 2
    assert duration_s == pytest.approx(1.0, abs=0.02)
    assert [problem.split()[0] for problem in problems] == ["broken.ogg", "gone.ogg"]


def test_nothing_readable_is_an_error(tmp_path: Path) -> None:
    """Without any sound there is no recording, and no file that looks like one."""
    with pytest.raises(RecordingError, match=r"gone\.ogg"):
        join_recordings([(tmp_path / "gone.ogg", START)], tmp_path / "recording.ogg", on_problem=lambda _: None)
    with pytest.raises(RecordingError, match="none was made"):
        join_recordings([], tmp_path / "recording.ogg")
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_said(tmp_path: Path) -> None:
    """When the recording cannot be written the sentence names it, and the piece is still there."""
    path, started_at = piece(tmp_path / "a.ogg", START, 0.5)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordingError, match=r"recording\.ogg could not be written"):
        join_recordings([(path, started_at)], tmp_path / "file" / "recording.ogg")
    assert len(decoded(path)) == 2
