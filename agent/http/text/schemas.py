"""Schemas of an interview by text over HTTP. Nothing here has room for a score before the report."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent.http.wishes import Minutes, Name, Text, WishedInterview
from agent.interviews.creation import Wish
from domain.vocabulary import FeedbackMode, SessionTime
from review.report.models import PlacedVerdict, Report

LONGEST_TURN_S = 24 * 3600.0

_SESSION = "9f2c4e8a1b3d"
_QUESTION: dict[str, Any] = {
    "id": "caching-why",
    "text": "What do you gain from a cache, and what do you pay for it?",
    "topic": "caching",
    "estimated_time_minutes": 3.0,
    "kind": "retrieved",
    "as_asked": "Let's talk about caching. What do you gain from a cache, and what do you pay for it?",
}
_PROGRESS: dict[str, Any] = {
    "questions_completed": 1,
    "target_questions": 7,
    "time_elapsed_minutes": 3.5,
    "time_remaining_minutes": 26.5,
}
_TURN: dict[str, Any] = {
    "session_id": _SESSION,
    "turn": 1,
    "feedback": "You said clearly what a cache is good for. I would have liked to hear more about stale copies.",
    "replies": [],
    "next_question": _QUESTION,
    "progress": _PROGRESS,
    "continue_interview": True,
    "end_reason": None,
    "waits_for_review": False,
}


def _example(value: dict[str, Any]) -> ConfigDict:
    return ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_serialization_defaults_required=True,
        json_schema_extra={"examples": [value]},
    )


class StartRequest(WishedInterview):
    """What an interview by text is to be like."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "candidate_name": "Ada",
                    "pack": "backend",
                    "difficulty": "medium",
                    "focus_topics": ["caching"],
                    "time_budget_minutes": 30,
                    "feedback": "coach",
                }
            ]
        },
    )

    candidate_name: Name | None = Field(
        default=None, description="What the interviewer calls the candidate; left out, as `user_id` is written."
    )
    pack: str = Field(default="", description="Id of the question pack; left out, the first one.")
    time_budget_minutes: Minutes = 30
    time: SessionTime = Field(
        default="real", description="`virtual`: time passes only by the `elapsed_s` of each answer."
    )

    @model_validator(mode="after")
    def _is_for_somebody(self) -> StartRequest:
        if not (self.candidate_name or self.user_id):
            raise ValueError("give candidate_name, what the interviewer calls the candidate, or user_id, or both")
        return self

    def wish(self) -> Wish:
        """What is wished, in the words that all drivers use."""
        given = self.model_dump(exclude={"time_budget_minutes", "candidate_name", "profile"})
        name = self.candidate_name or self.user_id
        return Wish(**given, candidate_name=name, minutes=self.time_budget_minutes, profile=self.profile)


class QuestionOut(BaseModel):
    """A question to answer."""

    model_config = _example(_QUESTION)

    id: str
    text: str
    topic: str
    estimated_time_minutes: float
    kind: str = Field(
        description="`retrieved` from the pack, or a `follow_up` or `clarification` of the question before."
    )
    as_asked: str = Field(description="The interviewer's whole sentence: with what led to it, or in other words.")


class ProgressOut(BaseModel):
    """How far the interview is."""

    model_config = _example(_PROGRESS)

    questions_completed: int = Field(description="Questions of the plan that are done; follow-ups are not counted.")
    target_questions: int
    time_elapsed_minutes: float
    time_remaining_minutes: float


class StartResponse(BaseModel):
    """A new interview and its first question."""

    model_config = _example(
        {
            "session_id": _SESSION,
            "token": "5d0c…e1",
            "greeting": "Hello Ada. This interview is recorded.",
            "question": _QUESTION,
            "time_budget_minutes": 30,
            "target_questions": 7,
            "report_url": f"/api/v1/interview/{_SESSION}/report",
            "replay_url": f"/replay/{_SESSION}",
        }
    )

    session_id: str
    token: str = Field(description="The session's bearer token. It is shown only here.")
    greeting: str
    question: QuestionOut
    time_budget_minutes: int
    target_questions: int
    report_url: str
    replay_url: str = Field(description="Page that shows the record and the report, for people.")


class SubmitRequest(BaseModel):
    """What the candidate says: an answer, or a request such as "could you repeat that"."""

    model_config = _example(
        {"session_id": _SESSION, "response": "A cache answers repeated reads faster, but its copy can be stale."}
    )

    session_id: str
    response: Text
    elapsed_s: Annotated[float, Field(ge=0, le=LONGEST_TURN_S, allow_inf_nan=False)] | None = Field(
        default=None, description="Virtual time only: seconds the candidate took since the question."
    )


class SessionRequest(BaseModel):
    """Which session is meant."""

    model_config = _example({"session_id": _SESSION})

    session_id: str


class Reply(BaseModel):
    """Something the interviewer says that is neither feedback nor a question."""

    model_config = _example({"kind": "reply", "text": "Take your time."})

    kind: Literal["greeting", "reply", "closing"]
    text: str


class TurnResponse(BaseModel):
    """What the interviewer makes of a turn."""

    model_config = _example(_TURN)

    session_id: str
    turn: int = Field(description="Number of the candidate's turn, from 1; 0 before the first.")
    feedback: str
    replies: list[Reply]
    next_question: QuestionOut | None = Field(
        description="The question that is open now; null when the interview ended."
    )
    progress: ProgressOut
    continue_interview: bool
    end_reason: str | None = Field(description="Why it ended: completed, time_up, stopped, failed, candidate_left.")
    waits_for_review: bool = Field(
        default=False, description="A person has to release this turn; `resume` gives the question afterwards."
    )


class SessionState(BaseModel):
    """How a session stands."""

    model_config = _example(
        {
            "session_id": _SESSION,
            "status": "open",
            "candidate_name": "Ada",
            "pack": "backend",
            "feedback": "coach",
            "time": "real",
            "turn": 1,
            "progress": _PROGRESS,
            "question": _QUESTION,
            "continue_interview": True,
            "end_reason": None,
            "waits_for_review": False,
            "needs_resume": False,
            "answer_under_way": False,
        }
    )

    session_id: str
    status: Literal["open", "ended"]
    candidate_name: str
    pack: str
    feedback: FeedbackMode = Field(description="As chosen at the start.")
    time: SessionTime
    turn: int
    progress: ProgressOut
    question: QuestionOut | None
    continue_interview: bool
    end_reason: str | None
    waits_for_review: bool
    needs_resume: bool = Field(description="A turn was cut off: POST …/resume finishes it.")
    answer_under_way: bool = Field(description="An answer is being handled at this moment.")


class ReportedEvaluation(BaseModel):
    """What an answer was worth, and why."""

    turn: int
    question_id: str
    question: str
    question_kind: str | None
    topic: str
    difficulty: str
    answer: str
    overall_score: float | None = Field(description="0 to 10; null when the answer is not scored.")
    score_low: float | None
    score_high: float | None
    technical_accuracy: float | None
    completeness: float | None
    depth: float | None
    clarity: float | None
    not_scored: str = Field(description="Why there is no score; empty when there is one.")
    is_fallback: bool
    judge: str
    verdicts: list[PlacedVerdict]
    feedback: str


class FinalReport(BaseModel):
    """What came out of an interview. Every score is 0 to 10; null is not a score of zero."""

    session_id: str
    overall_score: float | None
    adjusted_score: float | None = Field(description="Weighted by difficulty: easy 0.7, medium 1.0, hard 1.3.")
    questions_asked: int
    time_taken_minutes: float
    difficulty_progression: list[str]
    topic_scores: dict[str, float]
    strengths: list[str]
    areas_for_improvement: list[str]
    performance_notes: list[str]
    fallback_count: int
    detailed_evaluations: list[ReportedEvaluation]
    end_reason: str | None
    caveats: list[str]
    full: Report = Field(description="The whole report, as the replay page shows it.")


class EndResponse(BaseModel):
    """The interview is over."""

    closing: str = Field(description="The interviewer's goodbye.")
    final_report: FinalReport


class WaitingTurn(BaseModel):
    """A turn that waits for a person."""

    session_id: str
    turn: int
    why: str
    requested_at: float = Field(description="Seconds since the epoch.")
    candidate_name: str
    medium: str
    question: str
    answer: str
    feedback: str
    scores: dict[str, float] | None = Field(description="What the judge gave; null when the answer is not scored.")


class Release(BaseModel):
    """A person's word that an interview may go on."""

    model_config = ConfigDict(
        extra="forbid",
        str_strip_whitespace=True,
        json_schema_extra={"examples": [{"by": "Grace", "note": "The judge was right."}]},
    )

    by: Annotated[Text, Field(min_length=1, max_length=80)]
    note: Annotated[Text, Field(max_length=2000)] = ""


class Released(BaseModel):
    """A turn that waits no longer."""

    session_id: str
    turn: int
    by: str
    note: str
