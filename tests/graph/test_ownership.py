"""Who may write what into the state of an interview."""

from __future__ import annotations

import pytest

from graph.context import InterviewContext
from graph.ownership import OwnershipError, owned
from graph.state import CLIENT, OWNERS, InterviewState
from tests.graph.fakes import Rig


async def test_a_node_that_writes_what_it_does_not_own_fails_at_once() -> None:
    """The ownership map is enforced on every return."""

    async def greedy(state: InterviewState, runtime: object) -> dict[str, object]:
        return {"difficulty_level": "easy"}

    class Runtime:
        context: InterviewContext = Rig().context()

    with pytest.raises(OwnershipError, match="difficulty_level"):
        await owned("give_feedback", greedy)(InterviewState(), Runtime())  # type: ignore[arg-type]


def test_every_key_of_the_state_has_an_owner() -> None:
    """No key is nobody's, and the two parallel branches share none."""
    owned_keys = CLIENT.union(*OWNERS.values())
    assert set(InterviewState.__annotations__) == owned_keys
    assert not OWNERS["give_feedback"] & OWNERS["select_question"]
