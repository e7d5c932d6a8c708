"""Both voices on one time line. The slow test starts a process of its own and kills it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from review import StereoRecorder
from review.audio.recorder import HOLD_S, SETTLE_S, Horizon
from tests.review.sounds import FRAME, RATE, decoded, loud_parts, tone

START = 1_700_000_000.0

RECORDING = """
import sys, time
from pathlib import Path
import numpy as np
from review import StereoRecorder
recorder = StereoRecorder(Path(sys.argv[1]), clock=time.time)
frame = (9000 * np.sin(2 * np.pi * 300 * np.arange(480) / 48000)).astype(np.int16)
begun = time.time()
for number in range(1_000_000):
    at = begun + number / 100
    time.sleep(max(0.0, at - time.time()))
    recorder.write("candidate", frame, at)
    recorder.write("interviewer", frame, at)
    if number % 10 == 9:
        print(time.time() - recorder.started_at, flush=True)
"""


class Room:
    """A recorder and a clock that is moved by what is said."""

    def __init__(self, path: Path) -> None:
        self.now = START
        self.problems: list[str] = []
        self.path = path
        self.recorder = StereoRecorder(path, clock=lambda: self.now, on_problem=self.problems.append)

    def hear(self, candidate: np.ndarray | None, interviewer: np.ndarray | None) -> None:
        """Both sides for as long as the longer one lasts, in frames of 10 ms."""
        sides = {"candidate": candidate, "interviewer": interviewer}
        length = max(len(sound) for sound in sides.values() if sound is not None)
        begun = self.now
        for begin in range(0, length, FRAME):
            self.now = begun + begin / RATE
            for side, sound in sides.items():
                if sound is not None and begin < len(sound):
                    self.recorder.write(side, sound[begin : begin + FRAME], self.now)  # type: ignore[arg-type]
        self.now = begun + length / RATE

    def close(self) -> np.ndarray:
        """End the recording; its samples."""
        self.recorder.close()
        return decoded(self.path)


def test_each_voice_is_on_its_channel_at_its_time(tmp_path: Path) -> None:
    """Candidate left, interviewer right, each where it was said, and the file as long as the interview."""
    room = Room(tmp_path / "folder" / "piece.ogg")
    room.hear(None, tone(2.0))
    room.now += 1.5
    room.hear(tone(1.0), None)
    room.now += 0.5
    sound = room.close()
    assert sound.shape[1] / RATE == pytest.approx(5.0, abs=0.02)
    assert loud_parts(sound[0]) == [pytest.approx((3.5, 4.5), abs=0.02)]
    assert loud_parts(sound[1]) == [pytest.approx((0.0, 2.0), abs=0.02)]
    assert room.problems == []


def test_second_zero_is_the_construction(tmp_path: Path) -> None:
    """`started_at` is the clock's reading when the recorder was made, and sound of before is not lost."""
    room = Room(tmp_path / "piece.ogg")
    assert room.recorder.started_at == START
    room.recorder.write("candidate", tone(0.5), START - 0.1)
    room.now += 1.0
    assert loud_parts(room.close()[0]) == [pytest.approx((0.0, 0.5), abs=0.03)]


def test_both_may_speak_at_once(tmp_path: Path) -> None:
    """An interruption is heard as it was: both voices at the same time, none of them in the other's channel."""
    room = Room(tmp_path / "piece.ogg")
    room.hear(tone(1.0, 400.0), tone(2.0, 250.0))
    sound = room.close()
    assert loud_parts(sound[0]) == [pytest.approx((0.0, 1.0), abs=0.02)]
    assert loud_parts(sound[1]) == [pytest.approx((0.0, 2.0), abs=0.02)]


def test_what_two_sources_of_a_side_say_at_once_is_added_up(tmp_path: Path) -> None:
    """A listening signal has a track of its own: it is heard where it was given, and delays nothing of the voice."""
    room = Room(tmp_path / "piece.ogg")
    voice, signal_ = tone(3.0, 250.0), tone(0.5, 400.0) // 4
    for begin in range(0, len(voice), FRAME):
        room.now = START + begin / RATE
        room.recorder.write("interviewer", voice[begin : begin + FRAME], room.now)
        if RATE <= begin < RATE + len(signal_):
            room.recorder.write("interviewer", signal_[begin - RATE : begin - RATE + FRAME], room.now, source="signals")
    _, right = room.close()
    assert loud_parts(right) == [pytest.approx((0.0, 3.0), abs=0.02)]

    def share_at(hz: float, from_s: float, to_s: float) -> float:
        part = right[round(from_s * RATE) : round(to_s * RATE)]
        return float(np.abs(np.mean(part * np.exp(-2j * np.pi * hz * np.arange(len(part)) / RATE))))

    assert share_at(400.0, 1.1, 1.4) > 20 * share_at(400.0, 1.6, 2.5)
    assert share_at(400.0, 1.1, 1.4) / share_at(250.0, 1.1, 1.4) == pytest.approx(0.25, abs=0.05)


def test_an_event_loop_that_stood_still_leaves_no_mark(tmp_path: Path) -> None:
    """Frames that pile up while the loop is blocked for 2 s, and then come side after side, are placed right."""
    room = Room(tmp_path / "piece.ogg")
    sound = tone(6.0)
    begun = room.now
    room.hear(sound[: 2 * RATE], sound[: 2 * RATE])
    room.now = begun + 4.0
    for side in ("candidate", "interviewer"):
        for begin in range(2 * RATE, 4 * RATE, FRAME):
            room.recorder.write(side, sound[begin : begin + FRAME], room.now)
            room.now += 0.0001
    room.now = begun + 4.0
    room.hear(sound[4 * RATE :], sound[4 * RATE :])
    room.now = begun + 6.0
    heard = room.close()
    for channel in heard:
        assert loud_parts(channel) == [pytest.approx((0.0, 6.0), abs=0.03)]


def test_an_empty_recording_can_be_closed(tmp_path: Path) -> None:
    """A recorder that heard nothing closes, twice if need be, and takes nothing afterwards."""
    room = Room(tmp_path / "piece.ogg")
    room.recorder.close()
    room.recorder.close()
    room.recorder.write("candidate", tone(0.1), room.now)
    assert room.problems == []


@pytest.mark.parametrize("wrong", [np.zeros(480, np.float32), np.zeros((2, 480), np.int16)])
def test_other_samples_are_refused(tmp_path: Path, wrong: np.ndarray) -> None:
    """Samples of another type or shape are a mistake of the program and are named."""
    room = Room(tmp_path / "piece.ogg")
    with pytest.raises(ValueError, match="int16 samples of one channel"):
        room.recorder.write("candidate", wrong, room.now)
    room.recorder.close()


def test_a_full_disk_is_said_once(tmp_path: Path) -> None:
    """When the disk is full one sentence says so, and speaking on and closing are quiet."""
    full = tmp_path / "piece.ogg"
    full.symlink_to("/dev/full")
    room = Room(full)
    room.hear(tone(5.0), tone(5.0))
    room.recorder.close()
    assert len(room.problems) == 1
    assert "goes on without a recording" in room.problems[0]
    assert "the disk is full. Free some space" in room.problems[0]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """When the file cannot even be opened one sentence says so."""
    (tmp_path / "file").write_text("in the way")
    room = Room(tmp_path / "file" / "piece.ogg")
    room.hear(tone(1.0), None)
    room.recorder.close()
    assert len(room.problems) == 1
    assert "Check the disk and the folder" in room.problems[0]


def test_a_disk_that_is_too_slow_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When frames come faster than they can be written one sentence says so, and nothing ever waits for the disk."""
    monkeypatch.setattr("review.audio.recorder.QUEUE_FRAMES", 20)
    pipe = tmp_path / "piece.ogg"
    os.mkfifo(pipe)
    room = Room(pipe)
    room.hear(tone(0.5), None)
    assert len(room.problems) == 1
    assert "too slow" in room.problems[0]
    reader = threading.Thread(target=pipe.read_bytes)
    reader.start()
    room.recorder.close()
    reader.join()
    assert len(room.problems) == 1


def test_the_horizon_follows_the_clock() -> None:
    """In an even stream everything older than the hold is complete."""
    horizon = Horizon()
    for step in range(100):
        assert horizon.moved(step / 100) == pytest.approx(step / 100 - HOLD_S)


def test_the_horizon_waits_until_a_pile_has_arrived() -> None:
    """After a stall nothing more is complete until the frames behind it had time to come; then it catches up."""
    horizon = Horizon()
    before = horizon.moved(10.0)
    assert horizon.moved(12.0) == before
    assert horizon.moved(12.1) == before
    assert horizon.moved(12.0 + SETTLE_S) == pytest.approx(12.0 + SETTLE_S - HOLD_S)


def test_the_horizon_does_not_wait_for_ever() -> None:
    """Frames that only come in bursts are written too."""
    horizon = Horizon()
    reached = [horizon.moved(float(step)) for step in range(60)]
    assert reached[-1] >= 59.0 - 5.0


@pytest.mark.slow
@pytest.mark.spoken
def test_a_killed_recorder_leaves_what_was_said(tmp_path: Path) -> None:
    """After SIGKILL the file can be decoded and holds both voices, all but the last 1.5 s."""
    path = tmp_path / "piece.ogg"
    process = subprocess.Popen([sys.executable, "-c", RECORDING, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    heard_s = 0.0
    while heard_s < 6.0:
        heard_s = float(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.communicate()[0].split()
    heard_s = float(rest[-1]) if rest else heard_s
    sound = decoded(path)
    assert sound.shape[1] / RATE >= heard_s - 1.5
    for channel in sound:
        begin, end = loud_parts(channel)[0]
        assert begin == pytest.approx(0.0, abs=0.1)
        assert end >= heard_s - 1.5
