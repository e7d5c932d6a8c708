"""Wiring of the nodes: the whole interview in one picture.

```
START ─┬─ new ─→ (extract_context →) create_plan → greet → select_question → validate_question → ask_question ──┐
       ├─ after a break → repeat_question → END                                                                 │
       └─ answered ─→ detect_intent                                                                             │
            ├─ an answer → evaluate ─┬→ measure_* (three) → combine_metrics → END                               │
            │                        ├→ give_feedback ───┐                                                      │
            │                        └→ select_question ─┴→ validate_question → supervise ─┬→ ask_question ─────┤
            ├─ another question → change_course → select_question ↗              ↑         ├→ close_interview ──┤
            ├─ stop, or no time is left ─────────────────────────────────────────┘         │                    │
            ├─ about the interview → tell_progress, adjust_*, switch_feedback ←────────────┘     maybe_summarize
            ├─ about the question → repeat_question, rephrase_question, clarify_question, give_hint             ↓
            └─ anything else → a short reply                                          all of these → END       END
```

Feedback and the choice of the next question run side by side, and beside both the three metrics, which wait for each
other behind a barrier; neither feedback nor question waits for them. A model words what they come to after the question
was asked (`word_metrics`, before `maybe_summarize`). Words for the candidate leave through the custom
stream in the order in which they may be heard: feedback the moment it exists, the question only after `supervise`. An
answer that ends with a request goes the way of the answer, and the request is honoured after `supervise`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import Literal

import httpx
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy

from domain.vocabulary import Request
from graph import nodes
from graph.context import InterviewContext
from graph.dialogue.policy import MOVE
from graph.node import Node, timed
from graph.selectors import resume_anchors
from graph.state import InterviewState

InterviewGraph = CompiledStateGraph[InterviewState, InterviewContext, InterviewState, InterviewState]

NODES: tuple[Node, ...] = (
    nodes.extract_context,
    nodes.create_plan,
    nodes.greet,
    nodes.detect_intent,
    nodes.evaluate,
    nodes.measure_technical_accuracy,
    nodes.measure_reasoning_depth,
    nodes.measure_communication_clarity,
    nodes.combine_metrics,
    nodes.give_feedback,
    nodes.select_question,
    nodes.validate_question,
    nodes.supervise,
    nodes.ask_question,
    nodes.close_interview,
    nodes.repeat_question,
    nodes.rephrase_question,
    nodes.clarify_question,
    nodes.give_hint,
    nodes.wait_for_candidate,
    nodes.ask_again,
    nodes.steady_candidate,
    nodes.confirm_request,
    nodes.await_correction,
    nodes.change_course,
    nodes.tell_progress,
    nodes.adjust_speech,
    nodes.adjust_patience,
    nodes.switch_feedback,
    nodes.word_metrics,
    nodes.maybe_summarize,
)

PATHS: dict[Request, str] = {
    "repeat": "repeat_question",
    "go_on": "wait_for_candidate",
    "rephrase": "rephrase_question",
    "clarify": "clarify_question",
    "hint": "give_hint",
    "hold": "wait_for_candidate",
    "unintelligible": "ask_again",
    "distress": "steady_candidate",
    "abuse": "steady_candidate",
    "correct_myself": "await_correction",
    "skip": "change_course",
    "change_topic": "change_course",
    "easier": "change_course",
    "harder": "change_course",
    "technical_assessment": "change_course",
    "about_resume": "change_course",
    "how_am_i_doing": "tell_progress",
    "time_left": "tell_progress",
    "slower": "adjust_speech",
    "faster": "adjust_speech",
    "more_patience": "adjust_patience",
    "less_patience": "adjust_patience",
    "feedback_now": "switch_feedback",
    "feedback_later": "switch_feedback",
    "feedback_coach": "switch_feedback",
    "feedback_interviewer": "switch_feedback",
    "stop": "supervise",
}
"""The node that honours a request by itself."""

_METRICS = ("measure_technical_accuracy", "measure_reasoning_depth", "measure_communication_clarity")
_TELLING = ("tell_progress", "adjust_speech", "adjust_patience", "switch_feedback")
_ALWAYS_LAST = (
    "maybe_summarize", "repeat_question", "rephrase_question", "clarify_question", "give_hint", "wait_for_candidate",
    "ask_again", "steady_candidate", "confirm_request", "await_correction", "combine_metrics",
)  # fmt: skip


def build_graph(
    checkpointer: BaseCheckpointSaver[str] | None,
    *,
    node_timeout_s: float | None = 15.0,
    pause_for_review: bool = False,
) -> InterviewGraph:
    """The interview, with a place for its state.

    Args:
        checkpointer: where the state is kept after every node; None keeps it for one run only.
        node_timeout_s: a node that takes longer is left and goes by rule, so that the turn stands (`graph.node`); one
            that finds no end in as long again is stopped, and the turn fails. None for no limit.
        pause_for_review: stop before every decision of the supervisor, for a person to look at the turn.
    """
    return compiled(node_timeout_s, pause_for_review=pause_for_review).copy({"checkpointer": checkpointer})


@cache
def compiled(node_timeout_s: float | None, *, pause_for_review: bool) -> InterviewGraph:
    """The interview without a place for its state, compiled once: it takes 50 ms, and a candidate waits."""
    graph = StateGraph(InterviewState, InterviewContext)
    for node in NODES:
        graph.add_node(
            node.__name__,
            timed(node.__name__, node, node_timeout_s),
            timeout=None if node_timeout_s is None else 2 * node_timeout_s,
            retry_policy=RetryPolicy(max_attempts=2, initial_interval=0.2, jitter=True, retry_on=is_transient),
        )

    graph.add_conditional_edges(START, enter, ["extract_context", "create_plan", "detect_intent", "repeat_question"])
    graph.add_edge("extract_context", "create_plan")
    graph.add_edge("create_plan", "greet")
    graph.add_edge("greet", "select_question")

    graph.add_conditional_edges("detect_intent", route_intent, ["evaluate", "confirm_request", *set(PATHS.values())])
    graph.add_conditional_edges("evaluate", after_judging, ["give_feedback", "select_question", *_METRICS])
    # Waits for all three, and for nothing else.
    graph.add_edge([*_METRICS], "combine_metrics")
    graph.add_edge("change_course", "select_question")
    graph.add_edge("select_question", "validate_question")
    graph.add_conditional_edges("validate_question", after_selection, ["supervise", "ask_question"])
    graph.add_conditional_edges("give_feedback", after_feedback, ["validate_question", "supervise"])
    graph.add_conditional_edges(
        "supervise", after_decision, ["ask_question", "close_interview", "repeat_question", *_TELLING]
    )
    for telling in _TELLING:
        graph.add_conditional_edges(telling, after_telling, ["ask_question", END])
    for said in ("ask_question", "close_interview"):
        graph.add_conditional_edges(said, after_speaking, ["word_metrics", "maybe_summarize"])
    graph.add_edge("word_metrics", "maybe_summarize")
    for last in _ALWAYS_LAST:
        graph.add_edge(last, END)
    return graph.compile(name="interview", interrupt_before=["supervise"] if pause_for_review else None)


def is_transient(error: Exception) -> bool:
    """True for a fault that may be gone a moment later: a lost connection, a locked database. Never our own faults."""
    if isinstance(error, sqlite3.OperationalError):
        return "locked" in str(error) or "busy" in str(error)
    return isinstance(error, ConnectionError | httpx.TransportError)


def enter(state: InterviewState) -> Literal["extract_context", "create_plan", "detect_intent", "repeat_question"]:
    """A new interview is planned, an answer is understood, and after a break the open question is asked again."""
    if state.get("interview_plan") is None:
        documents = state.get("resume") or state.get("job_description") or state.get("resume_structured")
        return "extract_context" if documents else "create_plan"
    if state.get("candidate_response") is None and not state.get("end_requested"):
        return "repeat_question"
    return "detect_intent"


def route_intent(state: InterviewState) -> str:
    """Each intent has its own path; only answers are judged. With no time left nothing is granted that goes on."""
    request = state.get("active_user_request")
    if state["unsure_of_request"]:
        return "confirm_request"
    if state["answer"] or request is None:
        return "evaluate"
    stays = request.intent == "about_resume" and not resume_anchors(state)
    if state.get("out_of_time") and (stays or request.intent not in MOVE):
        return "supervise"
    if stays or (request.intent == "go_on" and not state["answer_so_far"]):
        return "repeat_question"
    assert request.intent != "answer"
    return PATHS[request.intent]


def after_judging(state: InterviewState) -> Sequence[str]:
    """Feedback, and beside it the choice of the next question when there is to be one, and what is measured."""
    evaluation = state["current_evaluation"]
    return [
        "give_feedback",
        *(("select_question",) if _needs_question(state) else ()),
        *(_METRICS if evaluation and evaluation.scores else ()),
    ]


def after_feedback(state: InterviewState) -> Literal["validate_question", "supervise"]:
    """Where the two branches meet; alone, feedback leads to the decision."""
    return "validate_question" if _needs_question(state) else "supervise"


def after_selection(state: InterviewState) -> Literal["supervise", "ask_question"]:
    """The first question of an interview needs no decision: nothing has happened that could end it."""
    return "supervise" if state["turn"] else "ask_question"


def after_decision(state: InterviewState) -> str:
    """The supervisor's decision; then what the candidate asked for at the end of an answer, then the question."""
    if not state["should_continue"]:
        return "close_interview"
    if state.get("correcting"):
        return "repeat_question"
    request = state.get("active_user_request")
    path = PATHS[request.intent] if request and request.intent != "answer" else ""
    return path if path in _TELLING else "ask_question"


def after_speaking(state: InterviewState) -> Literal["word_metrics", "maybe_summarize"]:
    """What is left to do while the candidate listens."""
    return "word_metrics" if state["turn"] in state.get("answer_metrics", {}) else "maybe_summarize"


def after_telling(state: InterviewState) -> Literal["ask_question", "__end__"]:
    """After an answer the next question is due; else the open one stays open."""
    return "ask_question" if state.get("current_evaluation") else "__end__"


def _needs_question(state: InterviewState) -> bool:
    """A correction leaves the open question open, and the end needs none."""
    request = state.get("active_user_request")
    return not state.get("correcting") and not (request and request.intent == "stop")
