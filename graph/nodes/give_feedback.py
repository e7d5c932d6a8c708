"""Say something useful about the answer, while the next question is being chosen."""

from __future__ import annotations

from collections.abc import AsyncIterator

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.feedback import Feedback, band_of, compose, feedback_gate
from graph.following_up import nearest_concept
from graph.judging.judge import says_unknown
from graph.judging.verdicts import Evaluation
from graph.language_models.tasks import FEEDBACK
from graph.memory import conversation
from graph.ownership import Update
from graph.questions import Question
from graph.reading import judged_question
from graph.speaking import say
from graph.state import InterviewState


async def give_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak feedback as soon as its words exist; in an exam only an acknowledgement, and keep them for the report."""
    context, turn = runtime.context, state["turn"]
    question, evaluation = judged_question(state), state["current_evaluation"]
    assert evaluation is not None
    if state["feedback_mode"] == "exam":
        kept = await _composed(state, context, question, evaluation)
        context.recorder.feedback_ready(turn, kept.text, kept.structure)
        feedback = Feedback(context.wording.say("acknowledge", turn), "acknowledgement")
        say(state, runtime, "feedback", feedback.text, question.id)
    else:
        feedback = await _spoken(state, runtime, question, evaluation)
    context.recorder.feedback_ready(turn, feedback.text, feedback.structure)
    return {"current_feedback": feedback.text, "previous_feedback_structures": [feedback.structure]}


async def _spoken(
    state: InterviewState, runtime: Runtime[InterviewContext], question: Question, evaluation: Evaluation
) -> Feedback:
    """A model's sentences, each spoken when it is complete; without any, what the verdicts say."""
    said = []
    async for sentence in _by_model(state, runtime.context, question, evaluation):
        say(state, runtime, "feedback", sentence, question.id)
        said.append(sentence)
    if said:
        return Feedback(" ".join(said), "model")
    feedback = await _composed(state, runtime.context, question, evaluation)
    say(state, runtime, "feedback", feedback.text, question.id)
    return feedback


async def _composed(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> Feedback:
    return compose(
        evaluation,
        hint=await nearest_concept(evaluation, question, context),
        turn=state["turn"],
        previous=state.get("previous_feedback_structures", []),
        wording=context.feedback_wording,
        knows=not says_unknown(state["answer"].words),
    )


async def _by_model(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> AsyncIterator[str]:
    if context.models is None or not context.model_feedback or evaluation.scores is None:
        return
    band = band_of(evaluation.scores.overall)
    values = {
        "band": band,
        "tone": context.feedback_wording.say(f"tone.{band}"),
        "question": question.text,
        "answer": " ".join(state["answer"].words),
        "good": "\n".join(f"- {verdict.point}" for verdict in evaluation.credited[:2]) or "- nothing yet",
        "gap": await nearest_concept(evaluation, question, context) if evaluation.missed else "none",
        "context": await _explanation(state, context, question, evaluation),
        "conversation": conversation(state),
    }

    def passes(sentence: str) -> str:
        return feedback_gate(sentence, band)

    async for sentence in context.models.sentences(FEEDBACK, values, turn=state["turn"], check=passes):
        yield sentence


async def _explanation(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> str:
    """What is behind the gap, for a hint that is true; nothing when there is no gap."""
    if not evaluation.missed:
        return "none"
    name = await nearest_concept(evaluation, question, context)
    concept = await context.questions.concept(state["interview_id"], context.pack.id, name)
    return concept.simple_explanation if concept else "none"
