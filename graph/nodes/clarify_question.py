"""Say what a word of the question means, or what may be assumed, without answering it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.question import Question
from graph.context import InterviewContext
from graph.follow_ups.wording import is_named
from graph.language_models.concept_lookup import concept_lookup
from graph.node import Update
from graph.say import say
from graph.selectors import open_question
from graph.state import InterviewState
from graph.templates import in_mid_sentence


async def clarify_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Explain a term that is not itself what is asked for; else leave the term or the assumption to the candidate."""
    question, context, request = open_question(state), runtime.context, state["active_user_request"]
    term = request.detail if request else ""
    explained = await _explained(term, question, state, context)
    if explained:
        text = context.wording.say("clarify.term", state["turn"], term=in_mid_sentence(term), meaning=explained)
    elif asked := next((idea for idea in question.concepts if is_named(term, idea)), ""):
        text = context.wording.say("clarify.asked", state["turn"], term=in_mid_sentence(asked))
    else:
        subject = in_mid_sentence(next(iter(question.concepts), question.topic_title))
        text = context.wording.say("clarify.open", state["turn"], concept=subject)
    say(state, runtime, "reply", text, question.id)
    return {}


async def _explained(term: str, question: Question, state: InterviewState, context: InterviewContext) -> str:
    if not term:
        return ""
    concept = await concept_lookup(term, state, context)
    asked_for = {name.lower() for name in question.concepts}
    return "" if concept is None or concept.name.lower() in asked_for else concept.simple_explanation
