"""What is known of a call, and what of it may be kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.phone.call import Dispatch, dispatched, line_of, masked


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        ("+49 30 123456", "••••••••56"),
        ("sip:+4930123456@pbx.example", "••••••••56"),
        ("1234", "••••"),
        ("12", "••"),
        ("anonymous", ""),
        ("", ""),
    ],
)
def test_of_a_number_at_most_the_last_two_digits_are_kept(number: str, kept: str) -> None:
    """Of a short one none: an extension of four digits would be known by two of them."""
    assert masked(number) == kept


@given(st.text(max_size=60))
def test_no_number_is_kept_whole(number: str) -> None:
    """Whatever a phone says that its number is."""
    shown = [each for each in masked(number) if each != "•"]
    assert len(shown) <= 2
    assert all(each.isdecimal() for each in shown)


@pytest.mark.parametrize(
    ("metadata", "room", "call"),
    [
        ('{"phone": true}', "call-1", Dispatch()),
        ('{"phone": true, "booking": "b1"}', "call-1", Dispatch(booking="b1")),
        ("", "call-1", Dispatch()),
        ("abc123", "interview-abc123", None),
        ("123", "interview-123", None),
        ("[1]", "interview-1", None),
        ('{"phone": false}', "interview-1", None),
    ],
)
def test_a_job_for_a_call_is_told_from_others(metadata: str, room: str, call: Dispatch | None) -> None:
    """By what our line says, or by the room's name: livekit-sip's rule has no metadata of ours."""
    assert dispatched(metadata, room) == call


@given(st.text(max_size=40))
def test_a_job_is_told_which_booking_it_is_for(booking: str) -> None:
    """What our line writes is what the worker reads."""
    assert dispatched(Dispatch(booking).metadata, "call-1") == Dispatch(booking)


def test_a_line_is_read_from_its_attributes() -> None:
    """Ours and livekit-sip's; what is not there, or no number, is not known."""
    line = line_of({"sip.phoneNumber": "+4930", "viva.codec": "PCMU", "viva.loss": "0.021", "viva.jitter_ms": "7"})
    assert (line.number, line.codec, line.loss, line.jitter_ms) == ("+4930", "PCMU", 0.021, 7.0)
    bare = line_of({"viva.loss": "nan", "viva.jitter_ms": "-1"})
    assert (bare.number, bare.codec, bare.loss, bare.jitter_ms) == ("", "", None, None)
    assert line_of({"viva.loss": "7"}).loss == 1.0
