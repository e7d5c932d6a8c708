"""Who may write what into the state of an interview, and of a search for its questions."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.runtime import Runtime

import rag.retrieval.graph
from graph import wiring
from graph.state import CLIENT, OWNERS, InterviewState
from rag.ownership import OwnershipError
from tests.graph.fakes import Rig

NODES = wiring.NODES
RETRIEVAL = {"retrieve": "retrieve", "grade": "grade_candidates", "refine": "refine_query", "package": "package"}
"""Nodes of the retrieval graph, and the functions that they are."""


def greedy(name: str, foreign: str) -> Any:
    """A node of this name that returns this key."""

    async def node(state: object, runtime: object) -> dict[str, object]:
        return {foreign: None}

    node.__name__ = name
    return node


async def run(graph: Any, name: str) -> None:
    """Run one node of a compiled graph, as the graph runs it."""
    runtime = Runtime(context=Rig().context())
    await graph.nodes[name].bound.ainvoke(InterviewState(), {"configurable": {"__pregel_runtime": runtime}})


@pytest.mark.parametrize("name", sorted(OWNERS))
async def test_a_node_that_writes_what_it_does_not_own_fails_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever node of the interview it is: what belongs to another, to the client, or to nobody is refused."""
    foreign = [min(set(InterviewState.__annotations__) - OWNERS[name]), min(CLIENT - OWNERS[name]), "nobody_owns_this"]
    for key in foreign:
        monkeypatch.setattr(wiring, "NODES", [greedy(name, key) if node.__name__ == name else node for node in NODES])
        with pytest.raises(OwnershipError, match=rf"{name} returned \['{key}'\]"):
            await run(wiring.build_graph(None), name)


@pytest.mark.parametrize("name", sorted(rag.retrieval.graph.OWNERS))
async def test_a_node_of_the_retrieval_that_writes_what_it_does_not_own_fails_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of its nodes it is."""
    foreign = min(set(rag.retrieval.graph.RetrievalState.__annotations__) - rag.retrieval.graph.OWNERS[name])
    monkeypatch.setattr(rag.retrieval.graph, RETRIEVAL[name], greedy(RETRIEVAL[name], foreign))
    with pytest.raises(OwnershipError, match=rf"{name} returned \['{foreign}'\]"):
        await run(rag.retrieval.graph.build_graph(), name)


def test_every_node_has_its_keys_and_no_other_has_any() -> None:
    """A new node cannot be forgotten."""
    assert {node.__name__ for node in NODES} == set(OWNERS)
    assert (
        set(rag.retrieval.graph.build_graph().nodes) - {"__start__"}
        == set(rag.retrieval.graph.OWNERS)
        == set(RETRIEVAL)
    )
    retrieved = {"request"}.union(*rag.retrieval.graph.OWNERS.values())
    assert set(rag.retrieval.graph.RetrievalState.__annotations__) == retrieved


def test_every_key_of_the_state_has_an_owner() -> None:
    """No key is nobody's, and the two parallel branches share none."""
    owned_keys = CLIENT.union(*OWNERS.values())
    assert set(InterviewState.__annotations__) == owned_keys
    assert not OWNERS["give_feedback"] & OWNERS["select_question"]
