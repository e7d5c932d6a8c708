"""Choose the next question: stay with this one, or go on with the plan."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from langgraph.runtime import Runtime

from graph.context import InterviewContext
from graph.feedback import spoken_quote
from graph.judging.verdicts import Evaluation
from graph.nodes.give_feedback import nearest_concept
from graph.ownership import Update
from graph.planning.follow_ups import next_kind
from graph.planning.plan import InterviewPlan, next_topic
from graph.questions import KeyPoints, Question, QuestionKind, from_bank
from graph.state import InterviewState
from graph.time_budget import remaining_s
from graph.wording import in_mid_sentence
from rag.packs import BankQuestion
from rag.repetition import AskedQuestion, is_repetition
from rag.retrieval import Request

FOLLOW_UP_MINUTES = 2.0
_CANDIDATES = 5
_MINUTES_OVER = 2.0
"""A question may be expected to run over the time that is left by so much: one answer may overrun the budget."""
_POINTS_PER_FOLLOW_UP = 2


class NoQuestionError(RuntimeError):
    """The pack has no question left that was not asked."""


async def select_question(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """The next question, its kind, and where it belongs. It is asked only if the supervisor goes on."""
    context = runtime.context
    await asyncio.sleep(context.slow_selector_s)
    evaluation, asked = state.get("current_evaluation"), state.get("current_question")
    follow_ups = state.get("follow_up_count", 0)
    kind = next_kind(evaluation, follow_ups=follow_ups, remaining_s=remaining_s(state, context))
    if kind == "retrieved" or evaluation is None or asked is None:
        question = await _retrieve(state, context)
        update: Update = {"follow_up_count": 0, "topics_covered": [question.topic]}
    else:
        question = await _stay(kind, evaluation, asked, number=follow_ups + 1, turn=state["turn"], context=context)
        update = {"follow_up_count": follow_ups + 1}
    context.recorder.question_selected(state["turn"], question)
    return {
        **update,
        "current_question": question,
        "question_mode": question.kind,
        "conversation_thread": [question.id],
    }


async def _retrieve(state: InterviewState, context: InterviewContext) -> Question:
    plan = state["interview_plan"]
    assert plan is not None
    topic = _next_topic(plan, state)
    chosen = state.get("conversation_thread", [])
    found = await context.retrieval.retrieve(
        Request(
            pack=context.pack.id,
            topic=topic,
            topic_title=context.topic_title(topic),
            difficulty=state["difficulty_level"],
            max_minutes=remaining_s(state, context) / 60 + _MINUTES_OVER,
            exclude=frozenset(chosen),
            n=_CANDIDATES,
        )
    )
    best = await asyncio.to_thread(_first_fresh, found.candidates, state, context)
    return from_bank(
        best,
        concepts=context.concept_names(best.concepts),
        grade=found.grade,
        attempts=found.attempts,
        lead_in=_lead_in(best.topic, state, context),
    )


def _first_fresh(candidates: list[BankQuestion], state: InterviewState, context: InterviewContext) -> BankQuestion:
    asked = [AskedQuestion(record.text) for record in state.get("questions_asked", [])]
    fresh = (candidate for candidate in candidates if not is_repetition(candidate.text, asked, context.embedder))
    if (best := next(fresh, None)) is not None:
        return best
    chosen = set(state.get("conversation_thread", []))
    left = (question for question in context.pack.questions if question.id not in chosen)
    if (spare := next(left, None)) is not None:
        return spare
    raise NoQuestionError(f"every question of the pack {context.pack.id!r} was asked; choose fewer minutes")


def _next_topic(plan: InterviewPlan, state: InterviewState) -> str:
    scores: dict[str, list[float]] = defaultdict(list)
    for evaluation in state.get("all_evaluations", []):
        if evaluation.scores and not evaluation.fallback:
            scores[evaluation.topic].append(evaluation.scores.overall)
    return next_topic(
        plan,
        state.get("topics_covered", []),
        reduced=state.get("difficulty_reduced_due_to_performance", False),
        topic_scores=scores,
    )


def _lead_in(topic: str, state: InterviewState, context: InterviewContext) -> str:
    covered = state.get("topics_covered", [])
    if not covered:
        return context.wording.say("topic.first", topic=in_mid_sentence(context.topic_title(topic)))
    situation = "topic.same" if covered[-1] == topic else "topic.next"
    return context.wording.say(situation, state["turn"], topic=in_mid_sentence(context.topic_title(topic)))


async def _stay(
    kind: QuestionKind, evaluation: Evaluation, asked: Question, *, number: int, turn: int, context: InterviewContext
) -> Question:
    if kind == "clarification":
        wrong = evaluation.contradictions[0]
        text = context.wording.say("clarification", turn, quote=spoken_quote(wrong))
        points = (wrong.point,) if wrong.kind == "key_point" else evaluation.missed[:1] or asked.targets.points[:1]
    else:
        concept = await nearest_concept(evaluation, asked, context)
        text = context.wording.say("follow_up", turn, concept=concept)
        points = evaluation.missed[:_POINTS_PER_FOLLOW_UP]
    return Question(
        id=f"{asked.root}.{kind.replace('_', '-')}-{number}",
        text=text,
        kind=kind,
        source=asked.source,
        topic=asked.topic,
        difficulty=asked.difficulty,
        targets=KeyPoints(points=points, misconceptions=asked.targets.misconceptions),
        expected_answer=asked.expected_answer,
        concepts=asked.concepts,
        minutes=FOLLOW_UP_MINUTES,
        parent=asked.root,
    )
