"""The demo that the pages are developed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.events import RecordingFinished, UtteranceHeard
from review import RecordStore, interview_dir
from tests.review.sample_interview import sample_events, write_demo
from tests.review.sounds import decoded


def test_the_sample_is_in_the_order_of_its_times() -> None:
    """Events come in time order and begin at the time that was asked for."""
    times = [event.at for event in sample_events(500.0)]
    assert times[0] == 500.0
    assert times == sorted(times)


@pytest.mark.slow
def test_the_demo_can_be_listened_to(tmp_path: Path) -> None:
    """In the demo's recording each recognised word sounds on the candidate's channel at its time."""
    interview_id = write_demo(tmp_path, 1_700_000_000.0)
    events = [stored.event for stored in RecordStore(tmp_path / "record.sqlite").events(interview_id)]
    finished = events[-1]
    assert isinstance(finished, RecordingFinished)
    sound = decoded(interview_dir(tmp_path, interview_id) / finished.path)
    assert sound.shape[1] / 48_000 == pytest.approx(finished.duration_s, abs=0.05)
    for event in events:
        for word in event.words if isinstance(event, UtteranceHeard) else ():
            middle = round(((word.start_at + word.end_at) / 2 - finished.started_at) * 48_000)
            assert abs(sound[0, middle - 500 : middle + 500]).max() > 0.05
            assert abs(sound[1, middle - 500 : middle + 500]).max() < 0.05
