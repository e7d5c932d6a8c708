"""Keep the memory bounded: the last three answers stay in full, older ones become a summary, three at a time."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.verdict import Evaluation, standing
from graph.context import InterviewContext
from graph.language_models.prompt_history import (
    BATCH,
    RECENT_TURNS,
    SUMMARY_TOKENS,
    cut_at_sentence,
    tokens,
    unsummarised,
)
from graph.language_models.tasks import SUMMARY, SummaryReply
from graph.node import Update
from graph.selectors import topic_title
from graph.state import InterviewState
from graph.validators import Check, first_fault


async def maybe_summarize(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Summarise what was judged before the recent turns; most turns there is nothing to do."""
    new_ones, evaluations = unsummarised(state)[:-RECENT_TURNS], state.get("all_evaluations", [])
    if len(new_ones) < BATCH:
        return {}
    last = new_ones[-1].turn
    before = state.get("conversation_summary", "") or "none yet"
    new = extract(new_ones, state, runtime.context)
    reply = await runtime.context.ask(
        SUMMARY, {"summary": before, "turns": new}, turn=state["turn"], check=_short_enough
    )
    older = [each for each in standing(evaluations) if each.turn <= last]
    summary = reply.summary.strip() if reply else extract(older, state, runtime.context)
    return {
        "conversation_summary": summary,
        "summary_turn_count": sum(each.turn <= last for each in evaluations),
    }


def extract(evaluations: list[Evaluation], state: InterviewState, context: InterviewContext) -> str:
    """What was shown and what was open, a sentence for each topic, the newest of it, within the summary's budget."""
    lines: dict[str, str] = {}
    for each in evaluations:
        made = each.credited[0].point if each.credited else "nothing certain"
        left = each.missed[0] if each.missed else "nothing"
        lines.pop(each.topic, None)
        title = topic_title(state, context, each.topic)
        lines[each.topic] = f"{title}: showed {made.rstrip('.')}; open {left.rstrip('.')}."
    return cut_at_sentence(" ".join(reversed(lines.values())), SUMMARY_TOKENS)


def _too_long(reply: SummaryReply) -> str:
    return "" if tokens(reply.summary) <= SUMMARY_TOKENS else f"it must be shorter: {SUMMARY_TOKENS} tokens at most"


SUMMARY_CHECKS: tuple[Check[SummaryReply], ...] = (Check("short enough", _too_long),)
"""What a model's summary must pass."""


def _short_enough(reply: SummaryReply) -> str:
    return first_fault(SUMMARY_CHECKS, reply)
