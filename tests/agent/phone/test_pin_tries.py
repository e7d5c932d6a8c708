"""How long somebody waits after wrong PINs, whatever they do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.phone.pin_tries import OF_ADDRESS, OF_CALLER, Allowance, Tries, counted, wait_s

ALLOWANCES = st.sampled_from([OF_CALLER, OF_ADDRESS])
MOMENTS = st.floats(0, 4e9)


def test_the_wait_doubles_up_to_a_limit() -> None:
    """The first wrong ones are free."""
    waits = [wait_s(Tries(wrong, 100.0), OF_CALLER, 100.0) for wrong in range(14)]
    assert waits[:5] == [0.0] * 5
    assert waits[5:9] == [30.0, 60.0, 120.0, 240.0]
    assert waits[-1] == 3600.0


@given(ALLOWANCES, st.integers(0, 10**9), MOMENTS, MOMENTS)
def test_a_wait_has_an_end(allowance: Allowance, wrong: int, last_at: float, now: float) -> None:
    """It is never longer than its limit, whatever the clock does, and never negative."""
    assert 0 <= wait_s(Tries(wrong, last_at), allowance, now) <= allowance.longest_wait_s
    assert wait_s(Tries(wrong, last_at), allowance, last_at + allowance.longest_wait_s + 1) == 0


@given(ALLOWANCES, st.lists(st.floats(0, 3600), max_size=60))
def test_each_wrong_one_makes_the_next_wait_no_shorter(allowance: Allowance, pauses: list[float]) -> None:
    """As long as they are not forgotten."""
    tries, now, before = Tries(), 0.0, 0.0
    for pause in pauses:
        now += pause
        tries = counted(tries, allowance, now)
        after = wait_s(tries, allowance, now)
        assert after >= before or after == pytest.approx(before)  # times are added up
        before = after


@pytest.mark.parametrize(("allowance", "most_a_day"), [(OF_CALLER, 40), (OF_ADDRESS, 330)])
def test_whoever_tries_all_day_gets_few_looks(allowance: Allowance, most_a_day: int) -> None:
    """Who tries as soon as they may: this bounds what guessing is worth."""
    tries, now, looks = Tries(), 1e6, 0
    while now < 1e6 + 24 * 3600:
        tries = counted(tries, allowance, now)
        looks += 1
        now += max(wait_s(tries, allowance, now), 1.0)
    assert looks <= most_a_day


@pytest.mark.parametrize("allowance", [OF_CALLER, OF_ADDRESS])
def test_waiting_until_all_is_forgotten_is_no_quicker(allowance: Allowance) -> None:
    """Than to try as soon as one may."""
    free_a_day = allowance.free * 24 * 3600 / allowance.forgotten_after_s
    assert free_a_day <= 24 * 3600 / allowance.longest_wait_s
