"""Say something useful about the answer, while the next question is being chosen."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph.runtime import Runtime

from domain.events import FeedbackReady
from domain.feedback import feedback_mode_of
from domain.question import Question
from domain.verdict import Evaluation
from domain.vocabulary import Delivery, FeedbackMode
from graph.context import InterviewContext
from graph.feedback.about import about_answer
from graph.feedback.coaching import coached, coaching_parts
from graph.feedback.compose import About, Feedback, Manner, compose
from graph.feedback.given_away import lesson_of
from graph.feedback.lessons import Lesson
from graph.feedback.model_wording import Remark, worded_by_model
from graph.feedback.structures import structure_for
from graph.feedback.variation import Phrases
from graph.follow_ups.next_kind import kind_after
from graph.judging.panel import has_no_more, says_nothing_more, says_unknown
from graph.node import Update
from graph.say import say
from graph.selectors import as_heard, judged_question
from graph.state import InterviewState


@dataclass(frozen=True, slots=True)
class _Turn:
    """An answer that feedback is given on, and how."""

    state: InterviewState
    context: InterviewContext
    question: Question
    evaluation: Evaluation
    mode: FeedbackMode
    about: About
    lesson: Lesson | None


async def give_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak feedback as soon as its words exist; in an exam only an acknowledgement, and keep them for the report."""
    context, mode = runtime.context, feedback_mode_of(state["feedback_mode"])
    question, evaluation = judged_question(state), state["current_evaluation"]
    assert evaluation is not None
    evaluation = as_heard(evaluation, state, question)
    lesson = None if mode == "interviewer" else lesson_of(state, context, question, evaluation)
    about = await about_answer(
        evaluation, question, state["answer"].words, context, asked_next=_is_asked_next(state, question, context)
    )
    turn = _Turn(state, context, question, evaluation, mode, about, lesson)
    if mode == "exam":
        feedback = _composed(turn)
        context.emit(_ready(state, context, feedback, "kept"))
        thanks = _phrases(state, context, feedback).one("acknowledge", leads="lead.transition")
        said = Feedback((thanks,), "acknowledgement")
        say(state, runtime, "feedback", said.text, question.id)
    else:
        said = feedback = await _spoken(turn, runtime)
    context.emit(_ready(state, context, said, "heard"))
    return {
        "current_feedback": said.text,
        "previous_feedback_structures": [feedback.structure],
        "feedback_said": list(dict.fromkeys((*feedback.sentences, *said.sentences))),
        "given_away": {state["turn"]: list(lesson.told)} if lesson and mode == "coach" else {},
    }


def _ready(state: InterviewState, context: InterviewContext, feedback: Feedback, delivery: Delivery) -> FeedbackReady:
    return FeedbackReady(
        at=context.clock(),
        turn=state["turn"],
        text=feedback.text,
        structure=feedback.structure,
        delivery=delivery,
    )


async def _spoken(turn: _Turn, runtime: Runtime[InterviewContext]) -> Feedback:
    """A model's sentences, each spoken when it is complete; without any, what the verdicts say."""
    state, context, question = turn.state, turn.context, turn.question
    if _is_for_a_model(state, context, turn.evaluation):
        said: list[str] = []
        remark = Remark(question, turn.evaluation, turn.about, turn.lesson, _model_parts(turn))
        async for sentence in worded_by_model(remark, state, context):
            say(state, runtime, "feedback", sentence, question.id)
            said.append(sentence)
        if said:
            return Feedback(tuple(said), " ".join(remark.parts))
    feedback = _composed(turn)
    say(state, runtime, "feedback", feedback.text, question.id)
    return feedback


def _model_parts(turn: _Turn) -> tuple[str, ...]:
    """What a model is asked to say, in this order."""
    if turn.lesson:
        return coaching_parts(turn.evaluation, turn.lesson)
    previous, about = turn.state.get("previous_feedback_structures", []), turn.about
    structure = structure_for(
        turn.evaluation, turn.state["turn"], previous, asked_next=about.asked_next, own_work=about.own_work
    )
    return tuple(structure.split())


def _composed(turn: _Turn) -> Feedback:
    state = turn.state
    manner = Manner(
        state["turn"],
        turn.context.feedback_wording,
        previous=state.get("previous_feedback_structures", []),
        said=state.get("feedback_said", []),
        knows=not says_unknown(state["answer"].words),
        done=has_no_more(judged_question(state), state["answer"].words),
    )
    if turn.mode == "interviewer":
        return compose(turn.evaluation, turn.about, manner)
    return coached(turn.evaluation, turn.about, turn.lesson, manner)


def _phrases(state: InterviewState, context: InterviewContext, kept: Feedback) -> Phrases:
    return Phrases(context.feedback_wording, state["turn"], (*state.get("feedback_said", []), *kept.sentences))


def _is_asked_next(state: InterviewState, question: Question, context: InterviewContext) -> bool:
    """What is open of one's own work is asked for in a moment, or just was: nobody need hear that it was left out."""
    if question.source != "resume":
        return False
    if question.kind == "follow_up":
        return True
    request = state.get("active_user_request")
    ends = state.get("correcting") or (request and request.intent == "stop")
    return not ends and kind_after(state, context) == "follow_up"


def _is_for_a_model(state: InterviewState, context: InterviewContext, evaluation: Evaluation) -> bool:
    """Not what nobody could judge, nor what is no answer, nor not knowing: tried words meet those."""
    if context.models is None or not context.model_feedback or evaluation.scores is None or evaluation.no_answer:
        return False
    if evaluation.credited or evaluation.halves:
        return True
    return not says_nothing_more(judged_question(state), state["answer"].words)
