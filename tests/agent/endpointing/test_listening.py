"""When a pause is met by a listening signal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.endpointing.listening import AFTER_S, granted, meanwhile_in_s, signal_in_s
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


@given(st.none() | st.floats(0, 1), st.floats(0, 1), st.sampled_from(sorted(RISKS.values())))
def test_a_silence_that_was_met_may_last_longer_and_not_for_ever(
    touched: float | None, over: float, risk: float
) -> None:
    """It is never shortened, and not lengthened beyond 2.2 s."""
    signals = Signals(f"{LONG_ENOUGH}.", touched=touched, end_of_turn=over)
    decided = wait(signals, risk=risk)
    longer = granted(decided, signals, risk=risk)
    assert decided.seconds <= longer.seconds <= max(decided.seconds, 2.2)
    assert (longer.ending, longer.chance_of_more) == (decided.ending, decided.chance_of_more)


def test_only_who_may_have_more_of_what_was_asked_to_say_is_given_longer() -> None:
    """With a question that is half answered the signal buys time; where nothing is known of it, it buys none."""
    half = Signals(f"{LONG_ENOUGH}.", touched=0.6, end_of_turn=0.9)
    risk = RISKS["relaxed"]
    assert granted(wait(half, risk=risk), half, risk=risk).seconds > wait(half, risk=risk).seconds + 0.2
    unknown = Signals(f"{LONG_ENOUGH}.", end_of_turn=0.3)
    assert granted(wait(unknown, risk=risk), unknown, risk=risk) == wait(unknown, risk=risk)


def test_while_it_is_judged_a_pause_is_met_at_once_or_not_at_all() -> None:
    """Words that are known late leave no room for a signal: whoever only paused goes on about then."""
    assert meanwhile_in_s("complete", silent_s=0.5, new_words=12) == pytest.approx(AFTER_S - 0.5)
    assert meanwhile_in_s("complete", silent_s=0.9, new_words=12) == 0.0
    assert meanwhile_in_s("complete", silent_s=1.2, new_words=12) is None
    assert meanwhile_in_s("complete", silent_s=0.9, new_words=3) is None
    assert meanwhile_in_s("open", silent_s=0.9, new_words=12) is None
    assert meanwhile_in_s("closing", silent_s=0.9, new_words=12) is None
