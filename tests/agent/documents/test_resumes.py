"""Sixty résumés of many makers: what is found in them without a model, held at the level that was measured."""

from __future__ import annotations

import pytest

from tests.agent.documents.resumes import levels

pytestmark = pytest.mark.slow

LEAST = {"skills": 0.9, "employers": 0.95, "dates": 0.95, "roles": 0.9, "projects": 0.95, "names": 0.95}
_HELD_OUT = dict.fromkeys(LEAST, (0.95, 0.95))
LEAST_HELD_OUT = {
    "d": _HELD_OUT | {"skills": (0.9, 0.85)},
    "f": _HELD_OUT | {"skills": (0.9, 0.9), "projects": (0.95, 0.9)},
}
"""Precision and recall of the twenty that nobody tunes on: what to expect of résumés that nobody has seen."""


@pytest.mark.parametrize("kind", LEAST)
@pytest.mark.parametrize(
    "ten",
    ["a", "b", "c", "e"],
    ids=["written before the rules", "rules made by them", "rules widened by them", "rules widened by them, too"],
)
def test_what_is_found(ten: str, kind: str) -> None:
    """Precision and recall of each ten stay at least where they were."""
    level = levels(ten)[kind]
    assert level.precision >= LEAST[kind], level.wrong
    assert level.recall >= LEAST[kind], level.missed


@pytest.mark.parametrize("kind", LEAST)
@pytest.mark.parametrize("ten", LEAST_HELD_OUT, ids=["a third author's", "a fifth author's"])
def test_what_is_found_in_what_nobody_tuned_on(ten: str, kind: str) -> None:
    """The held-out tens are read as well as when they were first measured."""
    level, (precision, recall) = levels(ten)[kind], LEAST_HELD_OUT[ten][kind]
    assert level.precision >= precision
    assert level.recall >= recall
