"""The events as they lie in records, also in those of earlier versions."""

from __future__ import annotations

import pytest

from domain.events import (
    AnswerJudged,
    FeedbackReady,
    IntentDetected,
    InterviewCreated,
    QuestionSelected,
    SettingChanged,
    event_adapter,
)
from review import build_report, build_transcript
from tests.review.sample_interview import sample_events
from tests.review.sample_requests import requests_by_text, requests_by_voice

NEW_FIELDS = {
    "interview_created": {"medium", "difficulty", "focus_topics"},
    "intent_detected": {"detector", "detail", "asked"},
    "answer_judged": {"spans", "replaces_turn", "hints"},
    "feedback_ready": {"delivery"},
    "question_selected": {"topic_title", "minutes"},
}
"""What events did not have when the first records were written."""


def test_records_from_before_are_read() -> None:
    """An event without the fields that came later has their defaults, and the report is the same."""
    events = sample_events(1_700_000_000.0)
    old = [event.model_dump(exclude=NEW_FIELDS.get(event.kind)) for event in events]
    read = [event_adapter.validate_python(one) for one in old]
    assert build_transcript(read).model_dump() == build_transcript(events).model_dump()
    assert build_report(read).overall_score == build_report(events).overall_score
    for event in read:
        match event:
            case InterviewCreated():
                assert (event.medium, event.difficulty, event.focus_topics) == ("voice", "medium", [])
            case IntentDetected():
                assert (event.detector, event.detail, event.asked) == ("", "", None)
            case AnswerJudged():
                assert (event.spans, event.replaces_turn, event.hints) == ((), None, 0)
            case QuestionSelected():
                assert (event.topic_title, event.minutes) == ("", 0.0)
            case FeedbackReady():
                assert event.delivery is None
            case _:
                pass


@pytest.mark.parametrize(
    ("what", "value", "reads"),
    [
        ("feedback_mode", "exam", ("feedback", "exam")),
        ("feedback", "practice", ("feedback", "interviewer")),
        ("feedback", "coach", ("feedback", "coach")),
        ("difficulty", "hard", ("difficulty", "hard")),
        ("mode", "plan", ("mode", "plan")),
        ("pace", "0.85", ("pace", 0.85)),
    ],
)
def test_every_setting_that_was_ever_recorded_is_read(what: str, value: str, reads: tuple[str, object]) -> None:
    """Values were text once, and one setting had two names."""
    event = event_adapter.validate_python(
        {"kind": "setting_changed", "at": 1.0, "turn": 1, "what": what, "value": value}
    )
    assert isinstance(event, SettingChanged)
    assert (event.what, event.value) == reads


@pytest.mark.parametrize("sample", [sample_events, requests_by_voice, requests_by_text])
def test_events_come_back_as_they_were(sample: object) -> None:
    """Each event survives being written as JSON and read again."""
    assert callable(sample)
    for event in sample(1_700_000_000.0):
        assert event_adapter.validate_json(event.model_dump_json()) == event
