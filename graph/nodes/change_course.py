"""Acknowledge that the candidate wants another question; which one, is chosen after this."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from graph.context import InterviewContext
from graph.node import Update
from graph.planning.requested_question import read_wish
from graph.planning.role import match_topic
from graph.say import say
from graph.state import InterviewState


async def change_course(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Let the question go, and change what is to be different from now on."""
    context, turn, request = runtime.context, state["turn"], state["active_user_request"]
    assert request is not None
    level = state["difficulty_level"]
    wish = read_wish(request, level)
    technical = request.intent == "technical_assessment"
    already = wish.difficulty == level or (technical and state["mode"] == "plan")
    situation = f"{request.intent}.already" if already else request.intent
    if technical and not context.pack.technical:
        situation = "technical_assessment.elsewhere"
    if wish.topic and not await asyncio.to_thread(match_topic, wish.topic, context.pack, context.embedder):
        situation = "change_topic.unknown"
    say(state, runtime, "reply", context.wording.say(situation, turn))
    if wish.difficulty and wish.difficulty != level:
        context.emit(SettingChanged(at=context.clock(), turn=turn, what="difficulty", value=wish.difficulty))
    if technical and not already:
        context.emit(SettingChanged(at=context.clock(), turn=turn, what="mode", value="plan"))
        return {"mode": "plan"}
    return {}
