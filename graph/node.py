"""Node wrapper: the deadline of all model calls in a node, its own time-out, and the time that it takes.

Models are given up before the node's time-out, and the node goes on by rule within it. What takes longer all the same
(a client that does not let go, a search or a judge on a machine that has no time) is left behind, and the node is run
once more by the rules of `graph.by_rule`: the turn stands.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, cast

from langgraph.runtime import Runtime

from domain.events import FellBack, StageTimed
from graph.by_rule import by_rule
from graph.context import InterviewContext
from graph.in_time import OutOfTimeError, in_time
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


def timed(name: str, node: Node, timeout_s: float | None = None) -> Node:
    """The node under this name, with one deadline for all its model calls; how long it took is an event.

    Args:
        name: of the node.
        node: the step itself.
        timeout_s: seconds after which it is left, and goes by rule; None for no limit.
    """

    @wraps(node)
    async def step(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
        # Not the interview's clock: that one may be virtual, and this is about the machine.
        started, context = time.perf_counter(), runtime.context
        turn, voice = state.get("turn", 0), _Voice(runtime.stream_writer)
        try:
            with models_within(context.model_deadline_s, context.emit):
                update = await in_time(node(state, runtime.override(stream_writer=voice)), timeout_s)
        except OutOfTimeError:
            why = f"{name} took longer than {timeout_s:g} s; it goes on by rule"
            context.emit(FellBack(at=context.clock(), turn=turn, agent=name, why=why))
            last = runtime.override(context=by_rule(context), stream_writer=voice.another())
            with models_within(0.0, context.emit):
                update = await node(state, last)
        finally:
            voice.close()
        seconds = round(time.perf_counter() - started, 4)
        context.emit(StageTimed(at=context.clock(), turn=turn, stage=name, seconds=seconds))
        return update

    return cast("Node", step)


class _Voice:
    """Passes on what a node has to say for as long as it is waited for."""

    def __init__(self, write: Callable[[Any], None], *, silent: bool = False) -> None:
        self._write = write
        self._silent = silent
        self._spoke = False

    def __call__(self, said: object) -> None:
        if not self._silent:
            self._spoke = True
            self._write(said)

    def close(self) -> None:
        """Pass nothing on any more."""
        self._silent = True

    def another(self) -> _Voice:
        """The voice of who takes over: silent when something was said, for nobody says one thing twice."""
        self.close()
        return _Voice(self._write, silent=self._spoke)
