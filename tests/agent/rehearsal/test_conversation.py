from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.rehearsal.conversation import cut_off
from agent.rehearsal.replies import CandidateReply, Phrase
from agent.rehearsal.turn_taking import END_OF_SPEECH_S, PUZZLED_S, Floor, may_speak, sounds_asked


@pytest.mark.parametrize("state", ["speaking", "thinking", "initializing", None])
def test_silence_alone_does_not_give_the_floor(state: str | None) -> None:
    """Between feedback and question the interviewer is silent for as long as it thinks, or is dead for a while."""
    assert not may_speak(Floor(state, quiet_s=60.0, heard=True, asked=True))


def test_a_question_is_answered_after_a_short_silence_and_anything_else_after_a_long_one() -> None:
    """A person waits for the question, and speaks up when none comes."""
    assert may_speak(Floor("listening", quiet_s=END_OF_SPEECH_S, heard=True, asked=True))
    assert not may_speak(Floor("listening", quiet_s=END_OF_SPEECH_S, heard=True, asked=False))
    assert may_speak(Floor("listening", quiet_s=PUZZLED_S, heard=True, asked=False))


@given(st.floats(0, 1000), st.booleans())
def test_nobody_answers_before_anything_was_heard(quiet_s: float, asked: bool) -> None:
    """After its own words the candidate waits for the interviewer's."""
    assert not may_speak(Floor("listening", quiet_s, heard=False, asked=asked))


def test_what_ends_like_a_question_was_one() -> None:
    """Follow-ups are in no pack; their mark tells them from feedback."""
    assert sounds_asked("And what about the gas? ")
    assert not sounds_asked("Take your time.")


def test_words_that_were_cut_off_are_as_many_as_time_allowed() -> None:
    """A closed room or a lost line ends an answer in its middle."""
    reply = CandidateReply((Phrase("One two three.", 0.0), Phrase("Four.", 0.2)))
    assert [cut_off(reply, share) for share in (0.0, 0.5, 1.0)] == ["", "One two", "One two three. Four."]
