"""What a sound means while the interviewer speaks."""

from __future__ import annotations

import pytest

from agent.conversation.barge_in import RESUMES_S, heard_over, interrupts_after_s, resumes_after_s, stops_by_words

QUESTION = "How would you change the schema of a table that other services read all the time?"


@pytest.mark.parametrize(
    ("said", "playing", "is_heard_as"),
    [
        ("Mm-hmm.", QUESTION, "back-channel"),
        ("MMHN.", QUESTION, "back-channel"),
        ("Okay.", QUESTION, "back-channel"),
        ("Yeah, right.", QUESTION, "back-channel"),
        ("I see.", QUESTION, "back-channel"),
        ("Okay, so I would", QUESTION, "speech"),
        ("Wait, I wasn't finished.", QUESTION, "speech"),
        ("Sorry, could you repeat that?", QUESTION, "speech"),
        ("Okay.", None, "speech"),
        ("change the schema of a table that other", QUESTION, "echo"),
        ("How would you change the schema of the table?", QUESTION, "echo"),
        ("the table that", QUESTION, "speech"),
        ("I would add a new column to the table and fill it", QUESTION, "speech"),
        ("change the schema of a table that other", None, "speech"),
        ("", QUESTION, "speech"),
    ],
)
def test_a_murmur_and_an_echo_are_told_from_speech(said: str, playing: str | None, is_heard_as: str) -> None:
    """A short "okay" only says that somebody listens; the interviewer's own words are nobody's answer."""
    assert heard_over(said, playing) == is_heard_as


@pytest.mark.parametrize(
    ("said", "confidence", "playing", "is_heard_as"),
    [
        ("And then they chat.", 0.16, QUESTION, "back-channel"),
        ("And then they chat.", 0.16, None, "speech"),
        ("Sorry, once more please.", 0.6, QUESTION, "speech"),
        ("Hold on, I was still on the first of the two ideas.", 0.25, QUESTION, "speech"),
    ],
)
def test_words_made_of_a_murmur_are_none(said: str, confidence: float, playing: str | None, is_heard_as: str) -> None:
    """A few words that the recogniser is not sure of do not stop the interviewer; many do, and so do sure ones."""
    assert heard_over(said, playing, confidence) == is_heard_as


def test_feedback_yields_sooner_than_a_question() -> None:
    """Whoever speaks into feedback goes on with the answer; a question outlasts a murmur."""
    assert interrupts_after_s("feedback") < interrupts_after_s("question")
    assert interrupts_after_s("acknowledgement") < interrupts_after_s(None)


def test_a_busy_machine_waits_longer_for_the_words_of_a_sound() -> None:
    """On a quick one it goes on after a second; on a slow one not before words can be known, and not for ever."""
    assert resumes_after_s([]) == resumes_after_s([0.4, 0.6]) == RESUMES_S
    assert resumes_after_s([0.4, 2.0, 0.5]) > 2.0
    assert resumes_after_s([40.0]) < 5.0


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("", False),
        ("Nah.", False),
        ("— ?", False),
        ("Sorry, could", True),
        ("table that other", False),
        ("that table", True),
    ],
)
def test_two_words_that_are_not_the_interviewers_stop_it(text: str, stops: bool) -> None:
    """One word may be made of a cough, and a few of the interviewer's own may be its echo."""
    assert stops_by_words(text, QUESTION) is stops
