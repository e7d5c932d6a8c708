"""The state of an interview: who writes which key, and what happens when two nodes write the same one."""

from __future__ import annotations

from typing import Annotated, get_args, get_origin, get_type_hints

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph

from graph import build_graph
from graph.checkpoints.serializer import serializer
from graph.state import CLIENT, WRITES, InterviewState
from graph.wiring import NODES
from rag.retrieval.graph import RetrievalState
from tests.graph.checkpoints.conversation import CONVERSATION, SETUP, interview
from tests.graph.fakes import Rig, spoken

WRITTEN_ONCE_A_STEP = [
    (schema, key)
    for schema in (InterviewState, RetrievalState)
    for key, hint in get_type_hints(schema, include_extras=True).items()
    if get_origin(hint) is not Annotated
]
"""Keys without a reducer."""


async def test_a_node_writes_only_the_keys_that_are_said_of_it() -> None:
    """In an interview that visits every node, every result that was saved is looked at."""
    graph, saver = build_graph(None), InMemorySaver(serde=serializer())
    held = interview(Rig(), graph, saver)
    await spoken(held.begin())
    for turn, text in enumerate(CONVERSATION, start=1):
        await spoken(held.answer(text, turn))

    visited = set()
    config = {"configurable": {"thread_id": SETUP.interview_id}}
    async for snapshot in graph.copy({"checkpointer": saver}).aget_state_history(config):  # type: ignore[arg-type]
        for task in snapshot.tasks:
            if task.name != START:
                visited.add(task.name)
                assert set(task.result or {}) <= WRITES[task.name], task.name
    assert visited == set(WRITES)


def test_every_key_has_somebody_who_writes_it() -> None:
    """No key is nobody's, no node is forgotten, and the two parallel branches share no key."""
    assert {node.__name__ for node in NODES} == set(WRITES)
    assert set(InterviewState.__annotations__) == CLIENT.union(*WRITES.values())
    assert not WRITES["give_feedback"] & WRITES["select_question"]


@pytest.mark.parametrize(("schema", "key"), WRITTEN_ONCE_A_STEP)
async def test_two_branches_that_write_one_key_fail(schema: type, key: str) -> None:
    """Neither quietly overwrites the other; keys that take both have a reducer."""
    graph = StateGraph(schema)
    for name in ("one", "other"):
        graph.add_node(name, lambda _state, name=name: {key: name})
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    with pytest.raises(InvalidUpdateError, match=f"At key '{key}'"):
        await graph.compile().ainvoke({})


def test_every_reducer_is_one() -> None:
    """A key that is annotated with something else than a reducer would keep its last value in silence."""
    for schema in (InterviewState, RetrievalState):
        for hint in get_type_hints(schema, include_extras=True).values():
            assert get_origin(hint) is not Annotated or callable(get_args(hint)[-1])
