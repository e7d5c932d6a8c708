"""The state of an interview: every key, how updates to it combine, and which node may write it.

Lists concatenate: a node returns only what is new. Scalars are last-write-wins. Whoever returns a key it does not own
fails at once (`ownership`), so that two parallel branches can never quietly overwrite each other.
"""

from __future__ import annotations

import operator
from typing import Annotated, Literal, TypedDict, TypeVar

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from graph.intents import DetectedIntent
from graph.judging.verdicts import Evaluation
from graph.planning.plan import InterviewPlan
from graph.planning.supervision import EndReason
from graph.questions import Question, QuestionKind, QuestionRecord
from rag.packs import Difficulty

Stage = Literal["init", "questioning", "complete"]
FeedbackMode = Literal["practice", "exam"]

T = TypeVar("T")


def last_value(_old: T, new: T) -> T:
    """Reducer that keeps the newest value; written out so that the policy is visible."""
    return new


class InterviewState(TypedDict, total=False):
    """Everything the graph knows. `OWNERS` says who writes what."""

    interview_id: Annotated[str, last_value]
    candidate_name: Annotated[str, last_value]
    pack: Annotated[str, last_value]
    """Id of the question pack."""
    time_budget_s: Annotated[float, last_value]
    feedback_mode: Annotated[FeedbackMode, last_value]
    original_difficulty: Annotated[Difficulty, last_value]
    interview_start_time: Annotated[float, last_value]
    """Seconds since the epoch."""

    turn: Annotated[int, last_value]
    """Number of the candidate's turn; 0 is the greeting."""
    candidate_response: Annotated[str | None, last_value]
    """What the candidate said in this turn, as recognised; None when nobody has spoken yet, or on a resume."""
    messages: Annotated[list[AnyMessage], add_messages]

    interview_plan: Annotated[InterviewPlan | None, last_value]
    detected_intents: Annotated[list[DetectedIntent], operator.add]
    active_user_request: Annotated[DetectedIntent | None, last_value]

    current_evaluation: Annotated[Evaluation | None, last_value]
    """Of the answer in this turn; None when nothing was judged in it."""
    current_feedback: Annotated[str, last_value]
    previous_feedback_structures: Annotated[list[str], operator.add]

    current_question: Annotated[Question | None, last_value]
    question_mode: Annotated[QuestionKind, last_value]
    follow_up_count: Annotated[int, last_value]
    conversation_thread: Annotated[list[str], operator.add]
    """Ids of all questions chosen, in order."""
    topics_covered: Annotated[list[str], operator.add]

    stage: Annotated[Stage, last_value]
    should_continue: Annotated[bool, last_value]
    end_reason: Annotated[EndReason | None, last_value]
    question_count: Annotated[int, last_value]
    """Questions of the plan that are done; follow-ups are not counted."""
    difficulty_level: Annotated[Difficulty, last_value]
    difficulty_reduced_due_to_performance: Annotated[bool, last_value]
    performance_trajectory: Annotated[list[float], operator.add]
    """Overall scores, without answers that nobody could judge and without fallbacks."""
    ema_trajectory: Annotated[list[float], last_value]
    """Computed anew each turn, so it replaces and does not append."""
    difficulty_history: Annotated[list[Difficulty], operator.add]
    all_evaluations: Annotated[list[Evaluation], operator.add]

    questions_asked: Annotated[list[QuestionRecord], operator.add]
    """Questions whose words went out to the candidate."""

    conversation_summary: Annotated[str, last_value]
    summary_turn_count: Annotated[int, last_value]


CLIENT = frozenset(
    {
        "interview_id", "candidate_name", "pack", "time_budget_s", "feedback_mode", "original_difficulty",
        "interview_start_time", "turn", "candidate_response", "messages",
    }
)  # fmt: skip
"""Keys that come from outside the graph: from the voice worker or whoever else drives it."""

OWNERS: dict[str, frozenset[str]] = {
    "create_plan": frozenset({"interview_plan", "difficulty_level", "stage", "question_count"}),
    "greet": frozenset({"messages"}),
    "detect_intent": frozenset(
        {"detected_intents", "active_user_request", "current_evaluation", "current_feedback"}
    ),
    "evaluate": frozenset({"current_evaluation"}),
    "give_feedback": frozenset({"current_feedback", "previous_feedback_structures"}),
    "select_question": frozenset(
        {"current_question", "question_mode", "follow_up_count", "conversation_thread", "topics_covered"}
    ),
    "supervise": frozenset(
        {
            "stage", "should_continue", "end_reason", "question_count", "difficulty_level",
            "difficulty_reduced_due_to_performance", "performance_trajectory", "ema_trajectory", "difficulty_history",
            "all_evaluations",
        }
    ),
    "ask_question": frozenset({"questions_asked", "messages"}),
    "close_interview": frozenset({"messages"}),
    "repeat_question": frozenset(),
    "wait_for_candidate": frozenset(),
    "skip_question": frozenset(),
    "maybe_summarize": frozenset({"conversation_summary", "summary_turn_count"}),
}  # fmt: skip
"""Which keys each node may return. `detect_intent` opens a turn, so it clears what the turn before left."""
