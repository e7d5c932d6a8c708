"""Understand what the candidate wants before anything is judged: an answer, a request, or both."""

from __future__ import annotations

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from domain.events import IntentDetected
from domain.topic_wish import TopicWish
from graph.context import InterviewContext
from graph.dialogue.policy import TurnPlan, as_last, as_pressed, read_turn
from graph.dialogue.spoken_words import NOTHING
from graph.intents import DetectedIntent
from graph.judging.panel import says_done, too_little
from graph.language_models.prompt_history import numbered
from graph.node import Update
from graph.selectors import remaining_s
from graph.state import InterviewState


async def detect_intent(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Open the turn: what is to be judged and what is asked for; and clear what the turn before left."""
    turn = await _read(state, runtime.context)
    if out_of_time := remaining_s(state, runtime.context) <= 0:
        turn = as_last(turn)
    wish = await _topic_wish(state, runtime.context)
    runtime.context.emit(_detected(turn, runtime.context.clock()))
    update: Update = {"messages": [numbered(said, state["turn"])]} if (said := _said(state)) else {}
    # What has to be asked about first is pending, and nobody may take it for a request yet.
    active = None if turn.asks or turn.request.intent == "answer" else turn.request
    return update | {
        "detected_intents": [turn.request],
        "active_user_request": active,
        "unsure_of_request": turn.asks,
        "out_of_time": out_of_time,
        "answer": turn.judged,
        "answer_so_far": turn.kept,
        "pending_request": turn.pending,
        "correcting": turn.corrects,
        "current_evaluation": None,
        "current_feedback": "",
        "needs_human_review": False,
        "topic_wish": wish,
    }


async def _topic_wish(state: InterviewState, context: InterviewContext) -> TopicWish | None:
    """Looked up once a turn, so that feedback and the choice of the next question go by the same."""
    wish = await context.topic_wish()
    return wish if wish and wish.number > state.get("topic_wish_settled", 0) else None


def _detected(turn: TurnPlan, at: float) -> IntentDetected:
    request = turn.request
    return IntentDetected(
        at=at,
        turn=request.turn,
        intent=request.intent,
        confidence=request.confidence,
        detector=request.detector,
        detail=request.detail,
        asked=turn.asks,
    )


async def _read(state: InterviewState, context: InterviewContext) -> TurnPlan:
    number = state["turn"]
    if state.get("end_requested"):
        return TurnPlan(request=DetectedIntent(intent="stop", confidence=1.0, turn=number, detector="button"))
    words = (state["candidate_response"] or "").split()
    question = state.get("current_question")
    if pressed := state.get("pressed"):
        understood = as_pressed(pressed, words)
    else:
        understood = await context.detector.understand(words, turn=number, question=question.text if question else "")
    turn = read_turn(
        words,
        understood,
        turn=number,
        kept=state.get("answer_so_far") or NOTHING,
        pending=state.get("pending_request"),
        corrects=state.get("correcting") if _announced(state) else None,
        last=state.get("last_answered"),
    )
    judged_by = turn.corrects.question if turn.corrects else question
    short = too_little(turn.judged.words, judged_by) and not says_done(words) and not state.get("answer_so_far")
    return _let_go_on(turn) if short else turn


def _said(state: InterviewState) -> HumanMessage | None:
    """The message of this turn; none when nothing was said: a button ended the interview, or a key was pressed."""
    last = next(reversed(state.get("messages", [])), None)
    return last if isinstance(last, HumanMessage) and state["candidate_response"] else None


def _let_go_on(turn: TurnPlan) -> TurnPlan:
    """An "okay", or a word or two that cannot be judged, is no answer yet: wait for the rest of it, once."""
    if turn.request.intent != "answer" or not turn.judged:
        return turn
    go_on = turn.request.model_copy(update={"intent": "go_on"})
    return turn.model_copy(update={"request": go_on, "judged": NOTHING, "kept": turn.judged})


def _announced(state: InterviewState) -> bool:
    """True when a correction was announced and has not been given yet."""
    return state.get("correcting") is not None and state.get("current_evaluation") is None
