"""Whether the interviewer asked what was meant: decided in the graph, kept in the record, shown by the replay."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.events import AnswerTaken, Event, IntentDetected
from domain.vocabulary import Request
from review import build_transcript
from tests.graph.fakes import Rig, begun, spoken


async def turn_of(words: str) -> tuple[list[Event], str]:
    """The record of a first turn with these words, and the interviewer's first sentence after it."""
    rig = Rig()
    events: list[Event] = [
        AnswerTaken(at=0.0, turn=1, question_id="q", text=words, words=[], speech_ended_at=0.0),
    ]
    rig.notes = events.append  # type: ignore[assignment]
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(words, 1))  # type: ignore[attr-defined]
    return events, says[0].text


def intent_in(events: list[Event]) -> IntentDetected:
    """The only intent of the record."""
    (intent,) = [event for event in events if isinstance(event, IntentDetected)]
    return intent


@pytest.mark.parametrize("request_", get_args(Request))
async def test_the_replay_doubts_a_request_where_the_interviewer_did(request_: str) -> None:
    """Of a request that was not sure the transcript says "perhaps" when the interviewer asked, and only then."""
    events, reply = await turn_of(f"#{request_}?")
    asked = "would you like" in reply
    assert intent_in(events).asked == asked
    (entry,) = build_transcript(events).entries
    assert entry.unsure == asked


@pytest.mark.parametrize("words", ["good tea is hot", "#hint", "#skip"])
async def test_what_was_sure_was_not_asked_about(words: str) -> None:
    """An answer and a sure request are recorded as not asked about."""
    events, _ = await turn_of(words)
    assert intent_in(events).asked is False
