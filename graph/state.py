"""State of an interview: every key, how updates to it combine, and which nodes write it.

A key with a reducer takes only what is new. Any other keeps its last value, in LangGraph's own channel: two parallel
branches that write it in one step fail with `InvalidUpdateError`, so neither quietly overwrites the other. Until a key
is written first it is absent.
"""

from __future__ import annotations

import operator
from typing import Annotated, Literal, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from domain.candidate import CandidateProfile
from domain.metrics import AnswerMetrics, Metric
from domain.question import AskedBefore, Question, QuestionRecord
from domain.topic_wish import TopicWish
from domain.verdict import Evaluation
from domain.vocabulary import (
    CandidateState,
    Difficulty,
    EndReason,
    FeedbackMode,
    Medium,
    Mode,
    PatienceLevel,
    Phase,
    QuestionKind,
    Request,
)
from graph.dialogue.policy import Answered, PendingRequest
from graph.dialogue.spoken_words import SpokenWords
from graph.exploration.explored import AnchorExploration
from graph.intents import DetectedIntent
from graph.planning.difficulty import DifficultyDecision
from graph.planning.final_report import FinalReport
from graph.planning.plan import InterviewPlan
from graph.planning.role import RoleContext

Stage = Literal["init", "questioning", "complete"]


class InterviewState(TypedDict, total=False):
    """Everything the graph knows. `WRITES` says which node writes what."""

    # what is known when it begins
    interview_id: str
    candidate_name: str
    user_id: str
    """Whose interview it is, across interviews; empty for somebody who is not known."""
    is_known: bool
    """They held an interview here before; missing in interviews that an earlier version began."""
    medium: Medium
    pack: str
    """Id of the question pack."""
    time_budget_s: float
    original_difficulty: Difficulty
    focus_topics: list[str]
    """Topics asked for at the start, as ids of the pack."""
    asked_before: list[AskedBefore]
    """What their last interviews asked; missing in interviews that an earlier version began, as the seed is."""
    seed: int
    """Draws the beginning for whom nothing was asked before."""
    resume: str
    """Text of the candidate's résumé; empty when none was given."""
    job_description: str
    interview_start_time: float
    """Seconds since the epoch."""

    # the turn that is going on
    turn: int
    """Number of the candidate's turn; 0 is the greeting."""
    candidate_response: str | None
    """What the candidate said in this turn, as recognised; None when nobody has spoken yet, or on a resume."""
    unsure_words: Annotated[dict[int, list[int]], operator.or_]
    """Which words of a turn may not be what was said, by its number; absent in writing."""
    pressed: Request | None
    """What a key of the phone asked for in this turn, which is as sure as can be; None when none was pressed."""
    end_requested: bool
    """The interview is ended by other means than the candidate's voice."""
    messages: Annotated[list[AnyMessage], add_messages]
    """What was asked and said. The candidate's carry the number of their turn (`language_models.prompt_history`)."""
    detected_intents: Annotated[list[DetectedIntent], operator.add]
    active_user_request: DetectedIntent | None
    """What the candidate asked for in this turn, and is honoured; it has priority over everything planned. None while a
    request is not sure enough: then it is pending."""
    unsure_of_request: bool
    """The request of this turn is not sure enough to be honoured: `pending_request` says which it may be."""
    out_of_time: bool
    """The time was used up when this turn was understood, so it is the last."""
    answer: SpokenWords
    """The words to judge in this turn."""
    answer_so_far: SpokenWords
    """An answer that is not finished."""
    pending_request: PendingRequest | None
    """A request that the interviewer asked about at the end of the last turn."""
    correcting: Answered | None
    """The earlier answer that the candidate is correcting."""

    topic_wish: TopicWish | None
    """What whoever watches would like to be asked about next, as it was known when this turn began; None without a
    wish, and when it is settled. What the candidate asks for goes before it."""
    topic_wish_settled: int
    """Number of the last wish for a topic that something came of."""

    # who the candidate is, and what is planned
    role_context: RoleContext | None
    resume_structured: CandidateProfile | None
    """What the résumé says; from outside, or read from its text. None when nothing could be made of it."""
    resume_skills: list[str]
    """Skills that the résumé names, each once, in its order."""
    interview_plan: InterviewPlan | None

    # judging and feedback
    current_evaluation: Evaluation | None
    """Of the answer in this turn; None when nothing was judged in it."""
    last_answered: Answered | None
    """The question that was judged last, and in which turn, for a candidate who comes back to it."""
    metric_technical_accuracy: Metric | None
    """Of the answer that was measured last, as the other two."""
    metric_reasoning_depth: Metric
    metric_communication_clarity: Metric
    answer_metrics: Annotated[dict[int, AnswerMetrics], operator.or_]
    """Of every answer that was measured, by its turn."""
    needs_human_review: bool
    """Nobody can be sure of this turn's judgement; a person should look at it."""
    current_feedback: str
    previous_feedback_structures: Annotated[list[str], operator.add]
    """Structures really used, oldest first; in an exam, of the feedback that is kept for the report."""
    feedback_said: Annotated[list[str], operator.add]
    """Sentences of all feedback so far: none is said twice."""
    given_away: Annotated[dict[int, list[str]], operator.or_]
    """Key points that feedback told, and misconceptions that it corrected, by its turn: none is asked for any more."""

    # the question
    current_question: Question | None
    """Chosen last; None when every question of the pack was asked."""
    question_mode: QuestionKind
    follow_up_count: int
    conversation_thread: Annotated[list[str], operator.add]
    """Ids of all questions chosen, in order."""
    topics_covered: Annotated[list[str], operator.add]
    questions_asked: Annotated[list[QuestionRecord], operator.add]
    """Questions whose words went out to the candidate."""
    hints_given: int
    """Hints for the question that is open."""

    # what the candidate asked to be different
    feedback_mode: FeedbackMode
    mode: Mode
    """Where questions come from. In the turn in which the candidate asks for another mode, `selectors.mode_in_force`
    knows it first; the supervisor makes it lasting."""
    pace: float
    """Speed of the interviewer's speech; 1 is as the voice was made."""
    patience: PatienceLevel
    """How long the interviewer waits in a silence; absent until the candidate asks for another than is set."""

    # the supervisor's
    stage: Stage
    should_continue: bool
    end_reason: EndReason | None
    question_count: int
    """Questions of the plan that are done; follow-ups are not counted."""
    difficulty_level: Difficulty
    """In force; in the turn in which another question is chosen, `selectors.difficulty_in_force` knows it first."""
    difficulty_decision: DifficultyDecision
    """Of the question of its own that was chosen last; absent before the first answer."""
    difficulty_reduced_due_to_performance: bool
    performance_trajectory: list[float]
    """Overall scores, without answers that nobody could judge and without fallbacks. Computed anew each turn, so it
    replaces and does not append: a candidate who corrects an answer takes its score out of the middle."""
    ema_trajectory: list[float]
    """Computed anew each turn, likewise."""
    difficulty_history: Annotated[list[Difficulty], operator.add]
    all_evaluations: Annotated[list[Evaluation], operator.add]
    resume_exploration: dict[str, AnchorExploration]
    """What was asked about the résumé and answered, by the id of its anchors. Computed anew each turn from the
    questions that were asked and their judgements, so it replaces and does not merge; absent until the first turn is
    closed."""
    phase: Phase
    """Where the interview stands, by the question that comes next; absent before the first answer (`intro`)."""
    candidate_state: CandidateState
    """How the answers go; computed anew each turn."""

    final_report: FinalReport
    """What the interview came to; there when it has been closed."""

    # memory
    conversation_summary: str
    summary_turn_count: int
    """Judged answers that the summary covers, with those that were corrected since: they would shift the rest."""


CLIENT = frozenset(
    {
        "interview_id", "candidate_name", "user_id", "is_known", "medium", "pack", "time_budget_s", "feedback_mode",
        "original_difficulty", "focus_topics", "asked_before", "seed", "resume", "job_description", "resume_structured",
        "interview_start_time", "mode", "pace", "turn", "candidate_response", "unsure_words", "pressed",
        "end_requested", "messages",
    }
)  # fmt: skip
"""Keys that come from outside the graph: from the voice worker, the HTTP API, or whoever else drives it."""

WRITES: dict[str, frozenset[str]] = {
    "extract_context": frozenset({"role_context", "resume_structured", "resume_skills"}),
    "create_plan": frozenset({"interview_plan", "difficulty_level", "stage", "question_count"}),
    "greet": frozenset({"messages"}),
    "detect_intent": frozenset(
        {
            "detected_intents", "active_user_request", "unsure_of_request", "out_of_time", "answer",
            "answer_so_far", "pending_request", "correcting", "current_evaluation", "current_feedback",
            "needs_human_review", "messages", "topic_wish",
        }
    ),
    "evaluate": frozenset({"current_evaluation", "needs_human_review", "last_answered"}),
    "measure_technical_accuracy": frozenset({"metric_technical_accuracy"}),
    "measure_reasoning_depth": frozenset({"metric_reasoning_depth"}),
    "measure_communication_clarity": frozenset({"metric_communication_clarity"}),
    "combine_metrics": frozenset({"answer_metrics"}),
    "give_feedback": frozenset({"current_feedback", "previous_feedback_structures", "feedback_said", "given_away"}),
    "select_question": frozenset(
        {
            "current_question", "question_mode", "follow_up_count", "conversation_thread", "topics_covered",
            "difficulty_decision",
        }
    ),
    "validate_question": frozenset(
        {"current_question", "question_mode", "follow_up_count", "conversation_thread", "topics_covered"}
    ),
    "supervise": frozenset(
        {
            "stage", "should_continue", "end_reason", "question_count", "difficulty_level",
            "difficulty_reduced_due_to_performance", "performance_trajectory", "ema_trajectory", "difficulty_history",
            "all_evaluations", "resume_exploration", "phase", "candidate_state", "mode",
        }
    ),
    "ask_question": frozenset({"questions_asked", "messages", "hints_given", "topic_wish_settled"}),
    "close_interview": frozenset({"messages", "final_report"}),
    "repeat_question": frozenset(),
    "rephrase_question": frozenset(),
    "clarify_question": frozenset(),
    "give_hint": frozenset({"hints_given"}),
    "wait_for_candidate": frozenset(),
    "ask_again": frozenset(),
    "steady_candidate": frozenset(),
    "confirm_request": frozenset(),
    "await_correction": frozenset(),
    "change_course": frozenset(),
    "tell_progress": frozenset(),
    "adjust_speech": frozenset({"pace"}),
    "adjust_patience": frozenset({"patience"}),
    "switch_feedback": frozenset({"feedback_mode"}),
    "word_metrics": frozenset({"answer_metrics"}),
    "maybe_summarize": frozenset({"conversation_summary", "summary_turn_count"}),
}  # fmt: skip
"""Which keys each node writes. `detect_intent` opens a turn, so it clears what the turn before left, and writes the
turn's number on its message."""
