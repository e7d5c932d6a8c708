"""The shortest paths: a sentence for the candidate, and the question stays as it is. Nothing here is ever judged."""

from __future__ import annotations

from itertools import takewhile

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.node import Update
from graph.say import say
from graph.state import InterviewState

_TIMES_UNHEARD = 3
"""Turns in a row that could not be understood before it is more likely the microphone than the words."""


async def wait_for_candidate(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Grant the time the candidate asked for, or the floor to go on."""
    request = state["active_user_request"]
    situation = "hold" if request and request.intent == "hold" else "go_ahead"
    say(state, runtime, "reply", runtime.context.wording.say(situation, state["turn"]))
    return {}


async def ask_again(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Nothing could be made out: ask for it again, and after a while look to the microphone."""
    unheard = takewhile(lambda each: each.intent == "unintelligible", reversed(state.get("detected_intents", [])))
    often, wording = sum(1 for _ in unheard) >= _TIMES_UNHEARD and state["medium"] != "text", runtime.context.wording
    situation = wording.by(state["medium"], "unheard.often") if often else "unheard"
    say(state, runtime, "reply", wording.say(situation, state["turn"]))
    return {}


async def steady_candidate(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Stay calm when the candidate is not, and say what they can do."""
    request = state["active_user_request"]
    assert request is not None
    say(state, runtime, "reply", runtime.context.wording.say(request.intent, state["turn"]))
    return {}


async def confirm_request(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Ask whether the request was meant: the words may have been part of an answer."""
    pending, wording = state["pending_request"], runtime.context.wording
    assert pending is not None, "there is something to ask about"
    text = wording.say("confirm", state["turn"], wish=wording.say(f"wish.{pending.request}"))
    say(state, runtime, "reply", text)
    return {}


async def await_correction(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """The candidate wants to correct an earlier answer and has not said how yet."""
    say(state, runtime, "reply", runtime.context.wording.say("correction", state["turn"]))
    return {}
