"""What older versions called practice is still read, by whoever held an interview and by whoever wishes for one."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from domain.events import InterviewCreated
from domain.feedback import WishedFeedbackMode, feedback_mode_of


def test_practice_of_a_record_gave_nothing_away() -> None:
    """So the interview is shown, and goes on, like that."""
    given = {"at": 0.0, "candidate_name": "Ada", "pack": "p", "pack_title": "P", "minutes": 5, "room": ""}
    assert InterviewCreated.model_validate({**given, "feedback": "practice"}).feedback == "interviewer"
    assert [feedback_mode_of(each) for each in ("practice", "coach", "interviewer", "exam")] == [
        "interviewer", "coach", "interviewer", "exam",
    ]  # fmt: skip


def test_practice_of_a_wish_is_a_coach() -> None:
    """Of a client or a PIN from before there were three; anything else is refused."""
    wished = TypeAdapter(WishedFeedbackMode)
    assert wished.validate_python("practice") == "coach"
    with pytest.raises(ValidationError):
        wished.validate_python("harsh")
