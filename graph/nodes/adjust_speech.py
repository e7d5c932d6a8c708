"""Speak slower or faster from now on."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from domain.vocabulary import FASTEST_PACE, SLOWEST_PACE
from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.state import InterviewState

STEP = 0.15


async def adjust_speech(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """One step slower or faster; the reply is already spoken at the new pace."""
    context, request, before = runtime.context, state["active_user_request"], state.get("pace", 1.0)
    assert request is not None
    wanted = before + (STEP if request.intent == "faster" else -STEP)
    pace = round(min(FASTEST_PACE, max(SLOWEST_PACE, wanted)), 2)
    situation = request.intent if pace != before else f"{request.intent}.already"
    slower_or_faster: InterviewState = {**state, "pace": pace}
    say(slower_or_faster, runtime, "reply", context.wording.say(situation, state["turn"]))
    if pace != before:
        context.emit(SettingChanged(at=context.clock(), turn=state["turn"], what="pace", value=pace))
    return {"pace": pace}
