"""Say something useful about the answer, while the next question is being chosen."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from graph.context import InterviewContext, Say
from graph.feedback import Feedback, compose
from graph.judging.judge import says_unknown
from graph.judging.verdicts import Evaluation
from graph.ownership import Update
from graph.questions import Question
from graph.state import InterviewState
from graph.wording import in_mid_sentence


async def give_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak feedback as soon as its words exist; in an exam only an acknowledgement."""
    context, turn = runtime.context, state["turn"]
    question, evaluation = state["current_question"], state["current_evaluation"]
    assert question is not None
    assert evaluation is not None
    feedback = compose(
        evaluation,
        hint=await nearest_concept(evaluation, question, context),
        turn=turn,
        previous=state.get("previous_feedback_structures", []),
        wording=context.feedback_wording,
        knows=not says_unknown((state["candidate_response"] or "").split()),
    )
    if state["feedback_mode"] == "exam":
        feedback = Feedback(context.wording.say("acknowledge", turn), "acknowledgement")
    context.recorder.feedback_ready(turn, feedback.text, feedback.structure)
    runtime.stream_writer(Say("feedback", feedback.text, question.id))
    return {"current_feedback": feedback.text, "previous_feedback_structures": [feedback.structure]}


async def nearest_concept(evaluation: Evaluation, question: Question, context: InterviewContext) -> str:
    """The idea behind the question that is nearest to the first point that was missed: a hint that is no answer."""
    names = tuple(map(in_mid_sentence, question.concepts or (context.topic_title(question.topic),)))
    if len(names) == 1 or not evaluation.missed:
        return names[0]
    vectors = await asyncio.to_thread(context.embedder.embed, [evaluation.missed[0], *names])
    return names[int((vectors[1:] @ vectors[0]).argmax())]
