"""Understand what the candidate wants before anything is judged: an answer, or a request."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph import intents
from graph.context import InterviewContext
from graph.ownership import Update
from graph.state import InterviewState


async def detect_intent(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Open the turn: detect the intent, and clear what the turn before left."""
    intent = intents.detect(state["candidate_response"] or "", state["turn"])
    runtime.context.recorder.intent_detected(intent)
    return {
        "detected_intents": [intent],
        "active_user_request": None if intent.intent == "answer" else intent,
        "current_evaluation": None,
        "current_feedback": "",
    }
