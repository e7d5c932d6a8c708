"""The steps from verdicts to scores are those that `scoring` takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.verdict import Counts, Verdict
from domain.vocabulary import VerdictStatus
from graph.judging.offline.explain import counts, steps
from graph.judging.scoring import score

SHARES = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


def counted(shares: list[int]) -> Counts:
    """Parts of a verdict, in proportion to some numbers."""
    covered, partly, missing, contradicted = (share / sum(shares) for share in shares)
    return Counts(covered=covered, partly=partly, missing=missing, contradicted=contradicted)


VERDICTS = st.lists(
    st.builds(
        Verdict,
        point=st.just("p"),
        status=st.sampled_from(["covered", "partly", "missing", "contradicted"]),
        probability=st.floats(0, 1).map(lambda p: round(p, 3)),
        rule=st.just("r"),
        counts=st.none() | SHARES.map(counted),
    ),
    min_size=1,
    max_size=8,
)
IDEAS = st.lists(
    st.builds(
        Verdict,
        point=st.just("i"),
        kind=st.just("misconception"),
        status=st.sampled_from(["contradicted", "missing"]),
        probability=st.just(1.0),
        rule=st.just("r"),
    ),
    max_size=3,
)


@given(VERDICTS, IDEAS, st.integers(0, 4))
def test_the_steps_lead_to_the_scores(points: list[Verdict], ideas: list[Verdict], hints: int) -> None:
    """Every step has the value that the scores have, and its numbers come out at it."""
    verdicts = [*points, *ideas]
    scores = score(verdicts, hints)
    assert scores is not None
    told = {step.name: step for step in steps(verdicts, hints)}
    assert ("left after hints" in told) == bool(hints)
    for name, value in scores.model_dump().items():
        assert told[name.replace("_", " ")].value == value
    for name in ("credit", "completeness", "technical accuracy", "depth", "clarity", "overall"):
        assert eval(told[name].numbers.replace("·", "*")) == pytest.approx(told[name].value, abs=0.15)
    squares = told["spread"].numbers.removeprefix("√").replace("²", "**2")
    assert eval(squares) ** 0.5 == pytest.approx(told["spread"].value, abs=0.15)


@pytest.mark.parametrize("status", ["contradicted", "missing"])
def test_counts_are_in_words(status: VerdictStatus) -> None:
    """A misconception counts when it was stated, and is no key point."""
    point = Verdict(point="p", status="partly", probability=1, rule="r")
    idea = Verdict(point="i", kind="misconception", status=status, probability=1, rule="r")
    told = counts([point, idea])
    assert told.startswith("n = 1 key points: c = 0 covered, p = 1 partly")
    assert f"k = {int(status == 'contradicted')} " in told


def test_without_a_key_point_there_are_no_steps() -> None:
    """Nothing is computed from nothing."""
    assert steps([]) == []
