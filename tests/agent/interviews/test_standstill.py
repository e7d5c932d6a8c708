"""Time that an interview by phone stands still, and who is still waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.interviews.abandoned import end_abandoned
from agent.interviews.places import taken_places
from agent.interviews.standstill import Standstill
from domain.events import (
    CallBegan,
    CallEnded,
    Event,
    HoldBegan,
    HoldEnded,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
)
from review import RecordStore

BEGAN = CallBegan(at=0.0, room="call-1", number="")
AGAIN = CallBegan(at=400.0, room="call-2", number="", again=True)


@pytest.mark.parametrize(
    ("events", "seconds"),
    [
        ([BEGAN], 0.0),
        ([BEGAN, HoldBegan(at=10.0), HoldEnded(at=40.0)], 30.0),
        ([BEGAN, HoldBegan(at=10.0), HoldBegan(at=20.0), HoldEnded(at=40.0)], 30.0),
        ([BEGAN, HoldBegan(at=470.0)], 30.0),
        ([BEGAN, CallEnded(at=100.0), AGAIN], 300.0),
        ([BEGAN, HoldBegan(at=50.0), CallEnded(at=100.0), AGAIN], 350.0),
        ([BEGAN, InterviewStarted(at=150.0, judge="built-in"), AGAIN], 250.0),
        ([BEGAN, HoldEnded(at=40.0)], 0.0),
    ],
)
def test_holds_and_lost_lines_are_added_up(events: list[Event], seconds: float) -> None:
    """A hold that goes on counts until now; a call whose end nobody recorded ended with its last event."""
    standstill = Standstill()
    for event in events:
        standstill.event(event)
    assert standstill.seconds(500.0) == seconds


def begun_by_phone(store: RecordStore, interview_id: str, at: float) -> None:
    """An interview in a call."""
    created = InterviewCreated(
        at=at, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="call-1",
        medium="phone",
    )  # fmt: skip
    for event in (created, CallBegan(at=at, room="call-1", number=""), InterviewStarted(at=at, judge="built-in")):
        store.append(interview_id, event)


def test_a_lost_call_is_waited_for_and_then_the_interview_ends(tmp_path: Path) -> None:
    """As long as the setting says; then the candidate has left, and whoever finishes the recording is told."""
    store, told = RecordStore(tmp_path / "record.sqlite"), list[str]()
    begun_by_phone(store, "lost", 100.0)
    assert end_abandoned(store, "voice", (), lambda: 5000.0) == 0, "it is none of a browser's"
    assert end_abandoned(store, "phone", (), lambda: 900.0, quiet_s=900.0, on_ended=told.append) == 0
    assert end_abandoned(store, "phone", (), lambda: 1100.0, quiet_s=900.0, on_ended=told.append) == 1
    assert told == ["lost"]
    assert store.events("lost")[-1].event == InterviewEnded(at=1100.0, reason="candidate_left")
    store.close()


def test_a_call_takes_a_place_and_whoever_may_call_again_takes_none(tmp_path: Path) -> None:
    """Soon after the line was lost, others can have an interview."""
    store = RecordStore(tmp_path / "record.sqlite")
    begun_by_phone(store, "lost", 100.0)
    assert taken_places(store, 110.0) == 1
    assert taken_places(store, 400.0) == 0
    store.close()
