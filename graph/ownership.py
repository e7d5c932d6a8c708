"""A node writes only what it owns, checked on every return.

Around it the terms are set on which models are asked in it: one deadline for all calls, and the recorder of this run.
"""

from __future__ import annotations

import time
from functools import wraps
from typing import Any, Protocol, cast

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.language_models.deadline import models_within
from graph.state import OWNERS, InterviewState
from rag import ownership

Update = dict[str, Any]
"""Part of an `InterviewState`: only the keys that change."""


class Node(Protocol):
    """A step of the interview: a function of state and context that returns what it changes."""

    __name__: str

    async def __call__(self, state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        """Part of the state: only the keys the node owns."""
        ...


def owned(name: str, node: Node) -> Node:
    """The node, watched: its update may hold only keys that `OWNERS` gives it, and models have a part of its time."""
    checked = ownership.owned(name, node, OWNERS[name])

    @wraps(node)
    async def watched(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        # Not the interview's clock: that one may be virtual, and this is about the machine.
        started, context = time.perf_counter(), runtime.context
        with models_within(context.model_deadline_s, context.recorder):
            update = await checked(state, runtime)
        context.recorder.stage_timed(state.get("turn", 0), name, time.perf_counter() - started)
        return update

    return cast("Node", watched)
