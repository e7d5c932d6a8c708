"""Patience: wait longer or less long in a silence from now on."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import SettingChanged
from domain.vocabulary import PATIENCE_LEVELS
from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.selectors import patience_in_force
from graph.state import InterviewState


async def adjust_patience(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """One step more or less patient. Whoever holds the interview asks `Interview.expected` for it.

    In writing nobody is cut off, so there the reply promises no other wait; the wish is kept all the same.
    """
    context, request, before = runtime.context, state["active_user_request"], patience_in_force(state, runtime.context)
    assert request is not None
    wanted = PATIENCE_LEVELS.index(before) + (1 if request.intent == "more_patience" else -1)
    patience = PATIENCE_LEVELS[min(max(wanted, 0), len(PATIENCE_LEVELS) - 1)]
    situation = request.intent if patience != before else f"{request.intent}.already"
    if state["medium"] == "text":
        situation = f"{request.intent}.text"
    say(state, runtime, "reply", context.wording.say(situation, state["turn"]))
    if patience != before:
        context.emit(SettingChanged(at=context.clock(), turn=state["turn"], what="patience", value=patience))
    return {"patience": patience}
