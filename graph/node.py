"""Node wrapper: the deadline of all model calls in a node, where their events go, and the time that the node takes."""

from __future__ import annotations

import time
from functools import wraps
from typing import Protocol, cast

from langgraph.runtime import Runtime

from domain.events import StageTimed
from graph.context import InterviewContext
from graph.language_models.deadline import models_within
from graph.state import InterviewState

Update = InterviewState
"""What a node returns: only the keys that change, of those that `WRITES` gives it."""


class Node(Protocol):
    """A step of the interview: a function of state and context that returns what it changes."""

    __name__: str

    async def __call__(self, state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        """Part of the state: only the keys that change."""
        ...


def timed(name: str, node: Node) -> Node:
    """The node under this name, with one deadline for all its model calls; how long it took is an event."""

    @wraps(node)
    async def step(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        # Not the interview's clock: that one may be virtual, and this is about the machine.
        started, context = time.perf_counter(), runtime.context
        with models_within(context.model_deadline_s, context.emit):
            update = await node(state, runtime)
        seconds = round(time.perf_counter() - started, 4)
        context.emit(StageTimed(at=context.clock(), turn=state.get("turn", 0), stage=name, seconds=seconds))
        return update

    return cast("Node", step)
