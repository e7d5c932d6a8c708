"""Sum up, thank the candidate and say goodbye."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.planning.final_report import FinalReport, final_report
from graph.say import say
from graph.selectors import resume_anchors, topic_title
from graph.state import InterviewState
from graph.templates import in_mid_sentence


async def close_interview(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the closing that fits the reason for the end; in practice with what went best, and what to go over."""
    report = final_report(state.get("all_evaluations", []), state.get("answer_metrics", {}))
    wording = runtime.context.wording
    text = wording.say(
        wording.by(state["medium"], f"closing.{state['end_reason']}"),
        name=state["candidate_name"],
        summing_up=_summing_up(report, state, runtime.context),
    )
    say(state, runtime, "closing", text)
    return {"messages": [AIMessage(text)], "final_report": report}


def _summing_up(report: FinalReport, state: InterviewState, context: InterviewContext) -> str:
    """A sentence or two, with a space behind them; nothing in an exam, or when there is nothing good to say."""
    if state["feedback_mode"] == "exam" or not report.best or len(report.topic_scores) < len(("best", "another")):
        return ""

    def title(topic: str) -> str:
        return in_mid_sentence(topic_title(state, context, topic))

    said = context.wording.say("closing.best", state["turn"], best=title(report.best))
    # There is nothing to read up on in what somebody has done.
    if report.to_practise and report.to_practise not in {anchor.id for anchor in resume_anchors(state)}:
        said += f" {context.wording.say('closing.gap', state['turn'], gap=title(report.to_practise))}"
    return f"{said} "
