"""The score scale: limits have their meaning, whatever the model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.bank.score_scale import HIGH, LOW, MINILM_SCALE, ScoreScale, fit_scale


def test_the_measured_cosines_read_as_the_limits_of_the_grades() -> None:
    """A question like the best tenth of other topics scores low, one like the wanted topic's middle high."""
    assert MINILM_SCALE.score(MINILM_SCALE.cosine_at_low) == pytest.approx(LOW)
    assert MINILM_SCALE.score(MINILM_SCALE.cosine_at_high) == pytest.approx(HIGH)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_scores_keep_the_order_of_cosines_and_their_bounds(one: float, other: float) -> None:
    """Nearer never scores less, and scores are 0 to 1."""
    low, high = sorted((one, other))
    assert 0 <= MINILM_SCALE.score(low) <= MINILM_SCALE.score(high) <= 1


def test_a_scale_is_fitted_to_a_model() -> None:
    """Nine of ten other cosines stay below the low point, half of the wanted ones below the high point."""
    other = [n / 100 for n in range(11)]

    assert fit_scale(wanted=[0.3, 0.5, 0.9], other=other) == ScoreScale(cosine_at_low=0.09, cosine_at_high=0.5)


def test_a_model_that_sees_no_topics_has_no_scale() -> None:
    """Calibrating a useless model is refused with its figures."""
    with pytest.raises(ValueError, match=r"do not stand out.*cannot search"):
        fit_scale(wanted=[0.2, 0.2], other=[0.3, 0.3])
