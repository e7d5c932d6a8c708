"""When a pause is met by a listening signal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.endpointing.listening import AFTER_S, signal_in_s
from agent.endpointing.pauses import Pauses
from agent.endpointing.policy import RISKS, Signals, Wait, wait

LONG_ENOUGH = "I would keep the leaves in a tin, away from the light and from anything that smells"


def due(text: str, *, silent_s: float = 0.6, new_words: int = 16) -> float | None:
    """When a signal is due in this silence of a patient interview."""
    return signal_in_s(wait(Signals(text), risk=RISKS["relaxed"]), silent_s=silent_s, new_words=new_words)


def test_a_pause_at_the_end_of_a_clause_is_met_after_seven_tenths_of_a_second() -> None:
    """The silence so far counts."""
    assert due(LONG_ENOUGH, silent_s=0.6) == pytest.approx(0.1)
    assert due(LONG_ENOUGH, silent_s=0.9) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG_ENOUGH}. Let me think.",
        f"{LONG_ENOUGH} because the",
        f"{LONG_ENOUGH}, and um",
        f"{LONG_ENOUGH}. That's it.",
        "Sorry, could you repeat the question about the tea?",
    ],
)
def test_who_thinks_seeks_a_word_ends_or_asks_is_left_alone(text: str) -> None:
    """It would hurry them, or come where an answer is due."""
    assert due(text) is None


def test_a_signal_is_not_given_twice_in_a_row_nor_late() -> None:
    """Eight words lie between two, and after a second and a half nobody expects one."""
    assert due(LONG_ENOUGH, new_words=7) is None
    assert due(LONG_ENOUGH, silent_s=1.6) is None


@given(
    st.sampled_from(["complete", "unpunctuated", "counting"]),
    st.floats(0.3, 4.0),
    st.floats(0.0, 5.0),
    st.integers(0, 500),
)
def test_a_signal_falls_into_silence_and_leaves_the_end_of_it_free(
    ending: str, wait_s: float, silent_s: float, new_words: int
) -> None:
    """It comes after 0.7 s at the soonest, and is over before the interviewer says something in words."""
    decided = Wait(wait_s, ending, 0.3)  # type: ignore[arg-type]
    in_s = signal_in_s(decided, silent_s=silent_s, new_words=new_words)
    if in_s is not None:
        assert in_s >= 0.0
        assert AFTER_S - 1e-9 <= silent_s + in_s <= wait_s - 0.4


def test_whoever_pauses_long_hears_that_somebody_listens() -> None:
    """Their complete sentences are waited for; the wait is not a silence."""
    slow = Signals(f"{LONG_ENOUGH}.", pauses=Pauses(1.4, 0.4, 20.0))
    assert signal_in_s(wait(slow, risk=RISKS["relaxed"]), silent_s=0.7, new_words=16) == 0.0
