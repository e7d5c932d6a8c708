"""Say something useful about the answer, while the next question is being chosen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from langgraph.runtime import Runtime

from domain.events import FeedbackReady
from domain.question import Question
from domain.verdict import Evaluation, Verdict
from domain.vocabulary import Delivery
from graph.context import InterviewContext
from graph.feedback.compose import About, Feedback, compose
from graph.feedback.guardrails import FEEDBACK_CHECKS, FeedbackSentence, band_of, tone_of
from graph.feedback.noun_phrases import as_subject
from graph.feedback.quoting import own_words
from graph.feedback.structures import open_points, structure_for
from graph.feedback.variation import Phrases
from graph.follow_ups.next_kind import kind_after
from graph.follow_ups.wording import is_named, nearest_ideas
from graph.judging.panel import says_unknown
from graph.language_models.prompt_history import conversation
from graph.language_models.tasks import FEEDBACK
from graph.node import Update
from graph.say import say
from graph.selectors import judged_question
from graph.state import InterviewState
from graph.templates import Templates
from graph.validators import first_fault


async def give_feedback(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Speak feedback as soon as its words exist; in an exam only an acknowledgement, and keep them for the report."""
    context = runtime.context
    question, evaluation = judged_question(state), state["current_evaluation"]
    assert evaluation is not None
    if state["feedback_mode"] == "exam":
        feedback = await _composed(state, context, question, evaluation)
        context.emit(_ready(state, context, feedback, "kept"))
        thanks = _phrases(state, context, feedback).one("acknowledge", leads="lead.transition")
        said = Feedback((thanks,), "acknowledgement")
        say(state, runtime, "feedback", said.text, question.id)
    else:
        said = feedback = await _spoken(state, runtime, question, evaluation)
    context.emit(_ready(state, context, said, "heard"))
    return {
        "current_feedback": said.text,
        "previous_feedback_structures": [feedback.structure],
        "feedback_said": list(dict.fromkeys((*feedback.sentences, *said.sentences))),
    }


def _ready(state: InterviewState, context: InterviewContext, feedback: Feedback, delivery: Delivery) -> FeedbackReady:
    return FeedbackReady(
        at=context.clock(),
        turn=state["turn"],
        text=feedback.text,
        structure=feedback.structure,
        delivery=delivery,
    )


async def _spoken(
    state: InterviewState, runtime: Runtime[InterviewContext], question: Question, evaluation: Evaluation
) -> Feedback:
    """A model's sentences, each spoken when it is complete; without any, what the verdicts say."""
    said: list[str] = []
    if _is_for_a_model(state, runtime.context, evaluation):
        about = await _about(state, evaluation, question, runtime.context)
        previous = state.get("previous_feedback_structures", [])
        structure = structure_for(
            evaluation, state["turn"], previous, asked_next=about.asked_next, own_work=about.own_work
        )
        async for sentence in _by_model(state, runtime.context, question, evaluation, structure.split()):
            say(state, runtime, "feedback", sentence, question.id)
            said.append(sentence)
        if said:
            return Feedback(tuple(said), structure)
    feedback = await _composed(state, runtime.context, question, evaluation)
    say(state, runtime, "feedback", feedback.text, question.id)
    return feedback


async def _composed(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> Feedback:
    return compose(
        evaluation,
        await _about(state, evaluation, question, context),
        turn=state["turn"],
        wording=context.feedback_wording,
        previous=state.get("previous_feedback_structures", []),
        said=state.get("feedback_said", []),
        knows=not says_unknown(state["answer"].words),
    )


def _phrases(state: InterviewState, context: InterviewContext, kept: Feedback) -> Phrases:
    return Phrases(context.feedback_wording, state["turn"], (*state.get("feedback_said", []), *kept.sentences))


async def _about(state: InterviewState, evaluation: Evaluation, question: Question, context: InterviewContext) -> About:
    """What the answer was about. A story is about its parts, which are named without the ideas behind it."""
    parts = dict(zip(question.targets.points, question.targets.parts, strict=False))
    made = next(iter((*evaluation.credited, *evaluation.halves)), None)
    gap, strength = await nearest_ideas((_open(evaluation), made.point if made else ""), question, context)
    named = is_named(gap, " ".join((question.text, *state["answer"].words)))
    # The only idea behind a question is what the question is about, whether it says the name or not.
    new = len(question.concepts) > 1 and not named
    return About(
        gap=as_subject(gap),
        gap_is_new=new,
        strength=as_subject(strength),
        parts=parts,
        own_work=question.source == "resume",
        asked_next=question.source == "resume" and (question.kind == "follow_up" or _is_asked_next(state, context)),
    )


def _is_asked_next(state: InterviewState, context: InterviewContext) -> bool:
    """What is open is asked for in a moment: nobody need hear before it that it was left out."""
    request = state.get("active_user_request")
    ends = state.get("correcting") or (request and request.intent == "stop")
    return not ends and kind_after(state, context) == "follow_up"


def _open(evaluation: Evaluation) -> str:
    wrong = evaluation.doubts
    return next(iter((*(each.point for each in wrong), *open_points(evaluation))), "")


def _is_for_a_model(state: InterviewState, context: InterviewContext, evaluation: Evaluation) -> bool:
    """Not what nobody could judge, nor not knowing: that is honoured, in words which are known to do so."""
    if context.models is None or not context.model_feedback or evaluation.scores is None:
        return False
    return bool(evaluation.credited or evaluation.halves) or not says_unknown(state["answer"].words)


async def _by_model(
    state: InterviewState,
    context: InterviewContext,
    question: Question,
    evaluation: Evaluation,
    parts: Sequence[str],
) -> AsyncIterator[str]:
    """The sentences of a model, which is told the parts of the structure, up to the first that fails a check."""
    assert context.models is not None
    assert evaluation.scores is not None
    band, wording = band_of(evaluation.scores.overall), context.feedback_wording
    about = await _about(state, evaluation, question, context)
    values = {
        "band": band,
        "tone": wording.say(f"tone.{tone_of(evaluation.scores.overall)}"),
        "parts": "\n".join(
            f"{place}. {wording.say(f'model.part.{part}')}" for place, part in enumerate(parts, start=1)
        ),
        "question": question.text,
        "answer": " ".join(state["answer"].words),
        "good": _good(evaluation, about, wording),
        "gap": _gap(evaluation, about, wording),
        "context": await _explanation(state, context, question, evaluation),
        "conversation": conversation(state),
    }
    said, spoken = {sentence.casefold() for sentence in state.get("feedback_said", [])}, 0

    def fault(sentence: str) -> str:
        remark = FeedbackSentence(sentence, band, evaluation.missed, frozenset(said), place=spoken, most=len(parts))
        return first_fault(FEEDBACK_CHECKS, remark)

    async for sentence in context.models.sentences(FEEDBACK, values, turn=state["turn"], check=fault):
        said.add(sentence.casefold())
        spoken += 1
        yield sentence


def _good(evaluation: Evaluation, about: About, wording: Templates) -> str:
    """What a model may call good, with the candidate's words for it."""

    def line(verdict: Verdict) -> str:
        part = about.parts.get(verdict.point)
        point, words = wording.say(f"story.{part}") if part else verdict.point, own_words(verdict)
        return f"- {wording.say('model.good', point=point, said=words) if words else point}"

    return "\n".join(map(line, evaluation.credited[:2])) or f"- {wording.say('model.none')}"


def _gap(evaluation: Evaluation, about: About, wording: Templates) -> str:
    """The one thing a model may point at."""
    if words := next(filter(None, map(own_words, evaluation.doubts)), ""):
        return wording.say("model.check", said=words)
    if not evaluation.missed:
        return wording.say("model.no_gap")
    part = about.parts.get(open_points(evaluation, about.parts)[0])
    return wording.say(f"story.{part}") if part else about.gap


async def _explanation(
    state: InterviewState, context: InterviewContext, question: Question, evaluation: Evaluation
) -> str:
    """What is behind the gap, for a hint that is true; nothing when there is no gap."""
    nothing = context.feedback_wording.say("model.no_gap")
    if not evaluation.missed or question.targets.parts:
        return nothing
    (name,) = await nearest_ideas(evaluation.missed[:1], question, context)
    concept = await context.questions.concept(state["interview_id"], context.pack.id, name)
    return concept.simple_explanation if concept else nothing
