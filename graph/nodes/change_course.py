"""Acknowledge that the candidate wants another question; which one, is chosen after this."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from graph.context import InterviewContext
from graph.exploration.policy import anchor_named
from graph.node import Update
from graph.planning.requested_question import read_wish
from graph.planning.role import match_topic
from graph.say import say
from graph.selectors import mode_in_force, resume_anchors
from graph.state import InterviewState


async def change_course(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Let the question go, and change what is to be different from now on."""
    context, turn, request = runtime.context, state["turn"], state["active_user_request"]
    assert request is not None
    level = state["difficulty_level"]
    wish = read_wish(request, level)
    moved = request.intent in ("technical_assessment", "about_resume")
    already = wish.difficulty == level or (moved and state.get("mode", "plan") == mode_in_force(state))
    situation = f"{request.intent}.already" if already else request.intent
    if request.intent == "technical_assessment" and not context.pack.technical:
        situation = "technical_assessment.elsewhere"
    if wish.topic and not await _is_known(wish.topic, state, context):
        situation = "change_topic.unknown"
    say(state, runtime, "reply", context.wording.say(situation, turn))
    if wish.difficulty and wish.difficulty != level:
        context.emit(SettingChanged(at=context.clock(), turn=turn, what="difficulty", value=wish.difficulty))
    return {}


async def _is_known(topic: str, state: InterviewState, context: InterviewContext) -> bool:
    """Whether there are questions about it: in the pack, or about the résumé when that is where they come from."""
    if mode_in_force(state) == "resume" and anchor_named(topic, resume_anchors(state)):
        return True
    return await asyncio.to_thread(match_topic, topic, context.pack, context.embedder) is not None
