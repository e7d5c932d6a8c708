"""How the nodes hang together. This is the whole interview in one picture.

```
START ─┬─ new ───────→ create_plan → greet → select_question → ask_question → maybe_summarize → END
       ├─ after a break → repeat_question → END
       └─ answered ──→ detect_intent
                          ├─ answer → evaluate ─┬→ give_feedback ───┐
                          │                     └→ select_question ─┴→ supervise ─┬→ ask_question ────┐
                          ├─ skip ──→ skip_question → select_question ──↑  ↑      └→ close_interview ─┤
                          ├─ stop ─────────────────────────────────────────┘                          ↓
                          ├─ repeat → repeat_question → END                     maybe_summarize → END
                          └─ hold ──→ wait_for_candidate → END
```

Feedback and the choice of the next question run side by side. Words for the candidate leave through the custom stream
in the order in which they may be heard: feedback the moment it exists, the question only after `supervise`.
"""

from __future__ import annotations

from typing import Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph import nodes
from graph.context import InterviewContext
from graph.ownership import Node, owned
from graph.state import InterviewState

InterviewGraph = CompiledStateGraph[InterviewState, InterviewContext, InterviewState, InterviewState]


def build_graph(
    checkpointer: BaseCheckpointSaver[str] | None, *, node_timeout_s: float | None = 15.0
) -> InterviewGraph:
    """Compile the interview.

    Args:
        checkpointer: where the state is kept after every node; None keeps it for one run only.
        node_timeout_s: a node that takes longer is stopped and the turn fails; None for no limit.
    """
    graph = StateGraph(InterviewState, InterviewContext)
    steps: tuple[Node, ...] = (
        nodes.create_plan,
        nodes.greet,
        nodes.detect_intent,
        nodes.evaluate,
        nodes.give_feedback,
        nodes.select_question,
        nodes.supervise,
        nodes.ask_question,
        nodes.close_interview,
        nodes.repeat_question,
        nodes.wait_for_candidate,
        nodes.skip_question,
        nodes.maybe_summarize,
    )
    for node in steps:
        graph.add_node(node.__name__, owned(node.__name__, node), timeout=node_timeout_s)

    graph.add_conditional_edges(START, enter, ["create_plan", "detect_intent", "repeat_question"])
    graph.add_edge("create_plan", "greet")
    graph.add_edge("greet", "select_question")

    graph.add_conditional_edges(
        "detect_intent",
        route_intent,
        ["evaluate", "repeat_question", "skip_question", "wait_for_candidate", "supervise"],
    )
    graph.add_edge("evaluate", "give_feedback")
    graph.add_edge("evaluate", "select_question")
    graph.add_edge("skip_question", "select_question")
    graph.add_edge("give_feedback", "supervise")
    graph.add_conditional_edges("select_question", after_selection, ["supervise", "ask_question"])
    graph.add_conditional_edges("supervise", go_on_or_close, ["ask_question", "close_interview"])
    graph.add_edge("ask_question", "maybe_summarize")
    graph.add_edge("close_interview", "maybe_summarize")
    for last in ("maybe_summarize", "repeat_question", "wait_for_candidate"):
        graph.add_edge(last, END)
    return graph.compile(checkpointer=checkpointer, name="interview")


def enter(state: InterviewState) -> Literal["create_plan", "detect_intent", "repeat_question"]:
    """A new interview is planned, an answer is understood, and after a break the open question is asked again."""
    if state.get("interview_plan") is None:
        return "create_plan"
    return "repeat_question" if state.get("candidate_response") is None else "detect_intent"


def route_intent(
    state: InterviewState,
) -> Literal["evaluate", "repeat_question", "skip_question", "wait_for_candidate", "supervise"]:
    """Each intent has its own path; only answers are judged."""
    request = state.get("active_user_request")
    match request.intent if request else "answer":
        case "repeat":
            return "repeat_question"
        case "hold":
            return "wait_for_candidate"
        case "skip":
            return "skip_question"
        case "stop":
            return "supervise"
        case _:
            return "evaluate"


def after_selection(state: InterviewState) -> Literal["supervise", "ask_question"]:
    """The first question of an interview needs no decision: nothing has happened that could end it."""
    return "supervise" if state.get("questions_asked") else "ask_question"


def go_on_or_close(state: InterviewState) -> Literal["ask_question", "close_interview"]:
    """The supervisor's decision."""
    return "ask_question" if state["should_continue"] else "close_interview"
