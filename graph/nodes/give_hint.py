"""Help along, a step at a time: the pack's own hints (a nudge, a narrower question, an example).

Without any, first name an idea, then explain it. An idea that the question itself names is no news: then the first hint
is where to begin.
"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.follow_ups.wording import is_named
from graph.language_models.concept_lookup import concept_lookup
from graph.node import Update
from graph.say import say
from graph.selectors import open_question
from graph.state import InterviewState
from graph.templates import in_mid_sentence


async def give_hint(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """The next hint to the open question. How many were given is kept with the answer's judgement."""
    question, context = open_question(state), runtime.context
    given = state.get("hints_given", 0)
    if question.hints:
        return _ladder(question.hints, given, state, runtime)
    ideas = question.concepts or (question.topic_title,)
    idea = ideas[min(given // 2, len(ideas) - 1)]
    if given >= 2 * len(ideas):
        say(state, runtime, "reply", context.wording.say("hint.none", state["turn"]), question.id)
        return {}
    concept = await concept_lookup(idea, state, context)
    if given % 2 and concept:
        text = context.wording.say("hint.explain", state["turn"], explanation=concept.simple_explanation)
    else:
        situation = "hint.begin" if is_named(idea, question.text) else "hint.name"
        text = context.wording.say(situation, state["turn"], concept=in_mid_sentence(idea))
    say(state, runtime, "reply", text, question.id)
    return {"hints_given": given + 1}


def _ladder(hints: Sequence[str], given: int, state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    question, wording = open_question(state), runtime.context.wording
    if given >= len(hints):
        say(state, runtime, "reply", wording.say("hint.none", state["turn"]), question.id)
        return {}
    say(state, runtime, "reply", wording.say("hint.ladder", state["turn"], hint=hints[given]), question.id)
    return {"hints_given": given + 1}
