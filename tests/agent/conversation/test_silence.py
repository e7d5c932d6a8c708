"""When nobody speaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.conversation.silence import SilencePolicy, SilenceStep, policy_for

POLICY = SilencePolicy(nudge_s=15, offer_s=40, end_s=90)


@pytest.mark.parametrize(
    ("silent_s", "said", "step"),
    [
        (0, [], "wait"),
        (14.9, [], "wait"),
        (15, [], "nudge"),
        (20, ["nudge"], "wait"),
        (40, ["nudge"], "offer"),
        (41, [], "offer"),
        (60, ["nudge", "offer"], "wait"),
        (90, ["nudge", "offer"], "end"),
        (90, [], "end"),
    ],
)
def test_steps(silent_s: float, said: list[SilenceStep], step: SilenceStep) -> None:
    """A gentle word once, an offer once, and an end only when nobody can be there any more."""
    assert POLICY.step(silent_s, frozenset(said)) == step


@given(st.lists(st.floats(0, 89), max_size=50))
def test_nothing_is_said_twice_about_one_silence(moments: list[float]) -> None:
    """Through any silence there is at most one nudge and one offer, and no end before its time."""
    said: list[SilenceStep] = []
    for moment in sorted(moments):
        step = POLICY.step(moment, frozenset(said))
        assert step != "end"
        if step != "wait":
            assert step not in said
            said.append(step)


def test_a_question_that_wants_more_is_given_more_time() -> None:
    """A story needs a plan before its first word, a "yes" needs none; how it ends does not depend on that."""
    short, ordinary, long = (policy_for(words) for words in (0, 25, 60))
    assert short.nudge_s < ordinary.nudge_s < long.nudge_s
    assert short.offer_s < ordinary.offer_s < long.offer_s
    assert short.end_s == long.end_s


@given(st.integers(0, 200), st.floats(0.1, 10))
def test_patience_is_a_factor_on_all_limits(words: int, patience: float) -> None:
    """Who hosts decides how long a silence may last; in which order things are said about it stays."""
    usual, limits = policy_for(words), policy_for(words, patience)
    assert (limits.nudge_s, limits.offer_s, limits.end_s) == pytest.approx(
        (usual.nudge_s * patience, usual.offer_s * patience, usual.end_s * patience)
    )
    assert limits.nudge_s < limits.offer_s < limits.end_s
