"""What is known of a candidate's pauses."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from agent.endpointing.pauses import LONGEST_S, Pauses, _student

SHARES = st.floats(0.002, 0.998)


@pytest.mark.parametrize("freedom", [4.0, 8.0, 12.0, 30.0])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.8, 0.95, 0.98])
def test_quantiles_are_those_of_students_distribution(freedom: float, share: float) -> None:
    """The plain arithmetic agrees with SciPy's to two per cent."""
    assert _student(share, freedom) == pytest.approx(student.ppf(share, freedom), rel=0.02, abs=1e-9)


@given(SHARES, st.floats(0.51, LONGEST_S), st.integers(1, 30))
def test_what_was_heard_again_and_again_is_known_ever_more_surely(share: float, pause_s: float, times: int) -> None:
    """The distribution narrows around a pause that does not vary, and lies nearer to it."""
    less, more = Pauses().heard([pause_s] * times), Pauses().heard([pause_s] * (times + 1))
    assert abs(log(more.median_s) - log(pause_s)) <= abs(log(less.median_s) - log(pause_s)) + 1e-9
    assert more.weight == less.weight + 1
    assert more.spread_weight == less.spread_weight + 1


def test_long_pauses_are_thought_likelier_before_a_candidate_is_known() -> None:
    """Of the same median and spread the one with less behind it has the longer tail, and the same middle."""
    new, known = Pauses(weight=3, spread_weight=8), Pauses(weight=300, spread_weight=800)
    assert new.exceeded_by(0.03) > 1.2 * known.exceeded_by(0.03)
    assert new.exceeded_by(0.5) == pytest.approx(known.exceeded_by(0.5))


def test_one_long_pause_moves_what_the_next_are_expected_to_be() -> None:
    """Who stops for two seconds once is likely to do so again."""
    assert Pauses().heard([2.0]).exceeded_by(0.05) > 1.2 * Pauses().exceeded_by(0.05)


@given(st.lists(st.floats(0.5, 20.0), min_size=1, max_size=12))
def test_pauses_are_learned_in_any_order(pauses: list[float]) -> None:
    """What is known after all of them is the posterior of the textbook, however they came."""
    known, turned = Pauses().heard(pauses), Pauses().heard(reversed(pauses))
    assert known.median_s == pytest.approx(turned.median_s)
    assert known.spread == pytest.approx(turned.spread)
    logs = [log(min(each, LONGEST_S)) for each in pauses]
    prior = Pauses()
    mean = (prior.weight * log(prior.median_s) + sum(logs)) / (prior.weight + len(logs))
    assert known.median_s == pytest.approx(exp(mean))
