"""Understanding what the candidate wants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.intents import detect


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("Could you repeat the question, please?", "repeat"),
        ("sorry can you say that again", "repeat"),
        ("What was the question again?", "repeat"),
        ("I didn't catch that.", "repeat"),
        ("Pardon?", "repeat"),
        ("Repeat that please.", "repeat"),
        ("Let's skip this one.", "skip"),
        ("Skip.", "skip"),
        ("can we skip that question", "skip"),
        ("Next question, please.", "skip"),
        ("I'll pass.", "skip"),
        ("Let's stop here.", "stop"),
        ("I'd like to stop the interview now.", "stop"),
        ("I have to go now, sorry.", "stop"),
        ("stop please", "stop"),
        ("Let me think about that for a moment.", "hold"),
        ("Give me a second.", "hold"),
        ("Hold on.", "hold"),
        ("hmm one moment please", "hold"),
        ("I would skip the cache when the data changes on every request.", "answer"),
        ("You stop the training when the validation loss goes up again.", "answer"),
        ("Then you repeat the question for every fold of the data.", "answer"),
        ("A thread has to wait a moment until the lock is free and then it goes on.", "answer"),
        ("You pass the token in the header of the next request.", "answer"),
        ("I don't know.", "answer"),
        ("Yes.", "answer"),
        ("", "answer"),
        ("Hold on to the connection in a pool, because opening one is expensive.", "answer"),
        ("The gradient tells us where to move on to the next point", "answer"),
    ],
)
def test_intents(said: str, intent: str) -> None:
    """Requests are honoured; answers that only mention their words stay answers."""
    assert detect(said).intent == intent


@given(st.text())
def test_any_text_has_an_intent(said: str) -> None:
    """Whatever the recogniser gives, there is an intent and a confidence from 0 to 1."""
    assert 0 <= detect(said).confidence <= 1
