"""What a report says of the phone."""

from __future__ import annotations

from domain.events import (
    CallBegan,
    CallEnded,
    Event,
    HoldBegan,
    HoldEnded,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    KeyPressed,
)
from review import build_report, build_transcript
from review.http.exports import markdown
from tests.review.sample_interview import sample_events


def by_phone() -> list[Event]:
    """An interview in two calls."""
    created = InterviewCreated(
        at=0.0, candidate_name="Robin", pack="p", pack_title="Backend", minutes=5, feedback="coach", room="call-1",
        medium="phone",
    )  # fmt: skip
    return [
        created,
        CallBegan(at=1.0, room="call-1", number="••••••56", codec="PCMU"),
        InterviewStarted(at=1.0, judge="built-in"),
        KeyPressed(at=5.0, key="3", request="hint"),
        KeyPressed(at=6.0, key="3", request="hint"),
        HoldBegan(at=10.0),
        HoldEnded(at=22.0),
        CallEnded(at=30.0, loss=0.05, jitter_ms=3.0),
        CallBegan(at=90.0, room="call-2", number="••••••56", codec="G722", again=True),
        InterviewStarted(at=90.0, judge="built-in", resumed=True),
        KeyPressed(at=95.0, key="0"),
        CallEnded(at=100.0, loss=0.01, jitter_ms=9.0),
        InterviewEnded(at=100.0, reason="stopped"),
    ]


def test_the_report_knows_the_line_and_the_keys() -> None:
    """The number and codec of the last call, the worst of loss and jitter, each key with how often it was pressed."""
    report = build_report(by_phone())
    assert report.medium == "phone"
    assert report.call is not None
    assert report.call.model_dump() == {
        "calls": 2, "number": "••••••56", "codec": "G722", "loss": 0.05, "jitter_ms": 9.0, "keys": {"0": 1, "3": 2},
        "on_hold_s": 12.0,
    }  # fmt: skip
    assert any("by phone" in caveat for caveat in report.caveats)


def test_whoever_calls_again_has_not_crashed() -> None:
    """An interview that was taken up by a new call says nothing of a crash; one whose worker died does."""
    events = by_phone()
    assert build_report(events).resumed == 0
    assert not any("crash" in caveat for caveat in build_report(events).caveats)
    died = [*events[:-2], InterviewStarted(at=97.0, judge="built-in", resumed=True), *events[-2:]]
    assert build_report(died).resumed == 1


def test_keys_and_calls_are_notes_of_the_transcript() -> None:
    """In their order, in words."""
    notes = [note.text for note in build_transcript(by_phone()).notes]
    assert notes == [
        "The call begins, from ••••••56, codec PCMU.",
        "The candidate pressed 3: hint.",
        "The candidate pressed 3: hint.",
        "The interview is on hold: from here on nothing is heard, and no time is counted.",
        "The interview goes on after the hold.",
        "The call is over (5.0% of the packets lost, jitter 3 ms).",
        "The candidate called again, from ••••••56, codec G722, and the interview goes on where it was.",
        "The candidate pressed 0: what the keys do.",
        "The call is over (1.0% of the packets lost, jitter 9 ms).",
    ]


def test_the_report_that_can_be_kept_has_it_too() -> None:
    """In a line at its head."""
    page = markdown(build_report(by_phone()))
    assert "by phone" in page
    assert "keys pressed: 0, 3 2x" in page


def test_an_interview_in_a_browser_has_no_call() -> None:
    """Nothing of it is shown there."""
    report = build_report(sample_events(0.0))
    assert report.call is None
    assert "The line:" not in markdown(report)
