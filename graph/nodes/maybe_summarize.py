"""Keep the memory bounded: the last three turns stay in full, older ones become a summary."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.ownership import Update
from graph.state import InterviewState

RECENT_TURNS = 3
"""Turns kept in full."""
BATCH = 3
"""Older turns that are summarised at once."""


async def maybe_summarize(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Summarise what was judged before the recent turns, by rule; most turns there is nothing to do."""
    evaluations = state.get("all_evaluations", [])
    summarized = state.get("summary_turn_count", 0)
    if len(evaluations) - summarized - RECENT_TURNS < BATCH:
        return {}
    older = evaluations[: len(evaluations) - RECENT_TURNS]
    sentences = []
    for evaluation in older:
        topic = runtime.context.topic_title(evaluation.topic)
        made = evaluation.credited[0].point if evaluation.credited else "nothing that counts"
        open_ = evaluation.missed[0] if evaluation.missed else "nothing"
        sentences.append(f"{topic}: made {made}; open {open_}.")
    return {"conversation_summary": " ".join(sentences), "summary_turn_count": len(older)}
