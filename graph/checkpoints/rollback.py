"""Rollback of a turn that failed and will not be tried again: the way back to where nothing was half done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END
from langgraph.types import StateSnapshot

from graph.state import InterviewState
from graph.wiring import InterviewGraph

_AFTERTHOUGHT = "maybe_summarize"
"""The last that follows when a turn is decided and said. Whatever is written in its name, nothing comes after it."""
_AFTERTHOUGHTS = ("word_metrics", _AFTERTHOUGHT)
"""All that follows then."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """A single write that leaves a thread with nothing half done."""

    start: RunnableConfig
    """The checkpoint that it is written upon."""
    values: InterviewState | None
    as_node: str
    lost: int | None
    """Number of the turn that does not count any more; None when the candidate loses no answer."""
    chosen: Sequence[str]
    """Ids of the questions that are chosen then."""


async def way_back(graph: InterviewGraph, config: RunnableConfig, turn: int) -> WayBack | None:
    """How to leave a turn that failed. Its number is not given again.

    Args:
        graph: compiled with the interview's checkpointer.
        config: the interview's own, with its thread id and no checkpoint id.
        turn: number of the turn, as far as the caller knows: the graph may never have got it, or got a later one.

    Returns:
        None when there is nothing to leave: all turns are finished, or the first question was never reached.
    """
    head = await graph.aget_state(config)
    if [task.name for task in head.tasks] in [[name] for name in _AFTERTHOUGHTS]:
        # The next question was asked, or goodbye said: to take that back would ask what is answered already.
        return WayBack(config, None, END, lost=None, chosen=_chosen(head))
    finished = await _last_finished(graph, head)
    if finished is None:
        return None
    failed, done = max(turn, _turn_of(head)), finished.values.get("turn", -1)
    if finished is head and done >= failed:
        return None
    lost = failed if failed > done else None
    values = InterviewState(turn=max(failed, done))
    return WayBack(finished.config, values, _AFTERTHOUGHT, lost=lost, chosen=_chosen(finished))


async def _last_finished(graph: InterviewGraph, head: StateSnapshot) -> StateSnapshot | None:
    """The newest checkpoint, from the head back, after which nothing was to be done; None before the first question."""
    snapshot = head
    while snapshot.tasks and snapshot.parent_config is not None:
        snapshot = await graph.aget_state(snapshot.parent_config)
    return None if snapshot.tasks or not snapshot.values else snapshot


def _turn_of(snapshot: StateSnapshot) -> int:
    """Number of the candidate's turn; 0 when the graph runs for another reason: a break, the button."""
    said = snapshot.values.get("candidate_response")
    return 0 if said is None else int(snapshot.values.get("turn", 0))


def _chosen(snapshot: StateSnapshot) -> Sequence[str]:
    return tuple(snapshot.values.get("conversation_thread", ()))
