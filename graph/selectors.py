"""Selectors: what several nodes ask of the state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from domain.question import Question
from domain.verdict import Evaluation, standing
from domain.vocabulary import Difficulty, Mode, PatienceLevel, Phase
from graph.context import InterviewContext
from graph.exploration.anchors import Anchor, anchors_of
from graph.feedback.heard import surely_heard
from graph.planning.asked_before import Asked, held_back, nearest_difficulty, talked_out
from graph.planning.difficulty import DifficultyDecision, next_difficulty
from graph.planning.plan import next_topic, planned_difficulty
from graph.planning.requested_question import leaning
from graph.state import InterviewState


def spent_s(state: InterviewState, context: InterviewContext) -> float:
    """Seconds since the interview began, without those in which it stood still; 0 before it has begun."""
    now = context.clock()
    return now - state.get("interview_start_time", now) - context.stood_still_s()


def remaining_s(state: InterviewState, context: InterviewContext) -> float:
    """Seconds left of the time budget, never below zero."""
    return max(0.0, state["time_budget_s"] - spent_s(state, context))


def open_question(state: InterviewState) -> Question:
    """The question that the candidate was asked last."""
    question = state["current_question"]
    assert question is not None, "there is an open question as soon as the interview has begun"
    return question


def patience_in_force(state: InterviewState, context: InterviewContext) -> PatienceLevel:
    """How long the interviewer waits in a silence: as the candidate asked, else as it is set."""
    return state.get("patience", context.patience)


def resume_anchors(state: InterviewState) -> tuple[Anchor, ...]:
    """What of the résumé a question can hang on, what matters most for the job first; none without a usable résumé."""
    role = state.get("role_context")
    return anchors_of(state.get("resume_structured"), state.get("job_description", ""), role.job if role else None)


def mode_in_force(state: InterviewState) -> Mode:
    """Where the next question comes from: as the candidate has just asked, else as it was."""
    request = state.get("active_user_request")
    if request and request.intent == "technical_assessment":
        return "plan"
    if request and request.intent == "about_resume" and resume_anchors(state):
        return "resume"
    return state.get("mode", "plan")


def decided_difficulty(
    state: InterviewState, context: InterviewContext, *, asked_for: Difficulty | None = None
) -> DifficultyDecision:
    """How hard the next question of its own is to be, by the answers so far, this turn's included.

    Args:
        state: of the interview.
        context: of the interview.
        asked_for: what the candidate has just asked for.
    """
    plan, before, current = state["interview_plan"], state.get("difficulty_decision"), state["difficulty_level"]
    assert plan is not None
    moved_in = before.moved_in if before else 0
    asked_since = {each.id for each in state.get("questions_asked", []) if each.turn >= moved_in}
    counted = _counted(evaluations_so_far(state))
    return next_difficulty(
        turn=state["turn"],
        current=current,
        planned=planned_difficulty(plan, state.get("topics_covered", []), current),
        scores=[score for _, score in counted],
        since=[score for each, score in counted if each.question_id in asked_since],
        remaining_s=remaining_s(state, context),
        before=before,
        asked_for=asked_for,
        leaning=leaning(state.get("detected_intents", [])),
    )


def new_decision(state: InterviewState) -> DifficultyDecision | None:
    """What was decided in this turn about the difficulty; None when no question of its own was chosen in it."""
    decision = state.get("difficulty_decision")
    return decision if decision and decision.turn == state["turn"] else None


def difficulty_in_force(state: InterviewState) -> Difficulty:
    """The difficulty of the question that was chosen in this turn, else as it was."""
    decision = new_decision(state)
    return decision.difficulty if decision else state["difficulty_level"]


def evaluations_so_far(state: InterviewState) -> list[Evaluation]:
    """All evaluations, that of this turn's answer included, before the supervisor has put it with the others."""
    evaluations, current = state.get("all_evaluations", []), state.get("current_evaluation")
    known = current is None or any(each.turn == current.turn for each in evaluations)
    return evaluations if known or current is None else [*evaluations, current]


def phase_of(state: InterviewState) -> Phase:
    """Where the interview stands."""
    return state.get("phase", "intro")


def topic_title(state: InterviewState, context: InterviewContext, topic: str) -> str:
    """A topic as it is spoken: one of the pack's, or what the candidate told of something in their résumé."""
    anchor = next((each for each in resume_anchors(state) if each.id == topic), None)
    return context.wording.say("topic.resume", title=anchor.name) if anchor else context.topic_title(topic)


def judged_question(state: InterviewState) -> Question:
    """The question that this turn's words are judged by: the open one, or an earlier one that is being corrected."""
    correcting = state.get("correcting")
    return correcting.question if correcting else open_question(state)


def counted_scores(evaluations: Sequence[Evaluation]) -> list[tuple[str, float]]:
    """Topic and overall score of each answer whose score counts, in order.

    Not those that a judge stood in for, nor those of answers that were corrected since.
    """
    return [(each.topic, score) for each, score in _counted(evaluations)]


def _counted(evaluations: Sequence[Evaluation]) -> list[tuple[Evaluation, float]]:
    return [(each, each.scores.overall) for each in standing(evaluations) if each.scores and not each.fallback]


def scores_by_topic(state: InterviewState) -> dict[str, list[float]]:
    """The scores that count, by topic."""
    scores: dict[str, list[float]] = defaultdict(list)
    for topic, score in counted_scores(state.get("all_evaluations", [])):
        scores[topic].append(score)
    return scores


def asked_before(state: InterviewState) -> Asked:
    """What the candidate's last interviews asked, by the question's id."""
    return {each.id: each for each in state.get("asked_before", [])}


def kept_back(state: InterviewState, context: InterviewContext, topic: str) -> frozenset[str]:
    """Ids of questions that a search about a topic must not find: this interview's, and those to be asked later."""
    chosen = state.get("conversation_thread", [])
    asked = asked_before(state)
    return frozenset(chosen) | (held_back(context.pack.questions, topic, asked, chosen) if asked else frozenset())


def difficulty_to_find(state: InterviewState, context: InterviewContext, topic: str, wanted: Difficulty) -> Difficulty:
    """The difficulty to search with: the wanted one, unless their last interviews left nothing new of it."""
    if not asked_before(state):
        return wanted
    return nearest_difficulty(context.pack.questions, topic, wanted, kept_back(state, context, topic))


def planned_topic(state: InterviewState, context: InterviewContext, *, other: bool = False) -> str:
    """The topic that the plan has next, by what was covered and how it went.

    Args:
        state: of the interview.
        context: of the interview.
        other: the present topic comes only when there is no other.
    """
    plan, covered = state["interview_plan"], state.get("topics_covered", [])
    assert plan is not None
    return next_topic(
        plan,
        covered,
        reduced=state.get("difficulty_reduced_due_to_performance", False),
        topic_scores={topic: scores for topic, scores in scores_by_topic(state).items() if topic in plan.topics},
        avoid={*_talked_out(state, context), *(covered[-1:] if other else ())},
    )


def _talked_out(state: InterviewState, context: InterviewContext) -> frozenset[str]:
    """Topics that the candidate's last interviews went through. What they asked for comes nevertheless."""
    asked = asked_before(state)
    out = talked_out(context.pack.questions, asked, state.get("conversation_thread", [])) if asked else frozenset()
    return out - set(state.get("focus_topics", []))


def as_heard(evaluation: Evaluation, state: InterviewState, question: Question) -> Evaluation:
    """The evaluation without the words that the candidate may not have said; what was typed, they did say."""
    about = None if state.get("medium") == "text" else question
    return surely_heard(evaluation, state.get("unsure_words", {}), about)
