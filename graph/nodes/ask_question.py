"""Ask the question that was chosen, now that the interview goes on."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from domain.events import TopicWishSettled
from domain.question import QuestionRecord
from graph.context import InterviewContext
from graph.language_models.retrieval import helpers
from graph.node import Update
from graph.planning.prefetch import prewarm_request
from graph.planning.wished_topic import wished_topic
from graph.say import say
from graph.selectors import decided_difficulty, difficulty_to_find, open_question, planned_topic
from graph.state import InterviewState


async def ask_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak the question and remember that it was asked."""
    question, context = open_question(state), runtime.context
    say(state, runtime, "question", question.spoken, question.id)
    record = QuestionRecord(
        id=question.id,
        text=question.text,
        kind=question.kind,
        topic=question.topic,
        difficulty=question.difficulty,
        turn=state["turn"],
        anchor=question.anchor,
        aspect=question.aspect,
        source=question.source,
    )
    _fetch_ahead(state, context)
    update: Update = {"questions_asked": [record], "messages": [AIMessage(question.spoken)], "hints_given": 0}
    return update | _settled_wish(state, context)


def _settled_wish(state: InterviewState, context: InterviewContext) -> Update:
    """What came of the wish of whoever watches, told in the record and to nobody else."""
    wished = wished_topic(state, context) if state.get("topic_wish") else None
    if wished is None:
        return {}
    asked = wished.is_asked_by(state.get("current_question"))
    context.emit(
        TopicWishSettled(
            at=context.clock(),
            turn=state["turn"],
            wish=wished.wish.number,
            asked=asked,
            why="" if asked else wished.why_not_asked,
        )
    )
    return {"topic_wish_settled": wished.wish.number}


def _fetch_ahead(state: InterviewState, context: InterviewContext) -> None:
    """While the candidate answers, the questions of the next topic are searched for, at the difficulty that it has
    if the answer moves nothing.

    Whoever begins an interview looks further ahead, once; what is found poorly does not keep until it is needed.
    """
    plan = state["interview_plan"]
    assert plan is not None
    if state["turn"] == 0 or len(state.get("topics_covered", [])) >= len(plan.topics):
        return
    topic = planned_topic(state, context)
    difficulty = difficulty_to_find(state, context, topic, decided_difficulty(state, context).difficulty)
    request = prewarm_request(context.pack, topic, difficulty)
    context.questions.fetch_ahead(state["interview_id"], [request], helpers(context, state["turn"]))
