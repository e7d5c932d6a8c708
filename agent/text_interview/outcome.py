"""Everything that happened in an interview by text, for a file that machines read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from agent.interview_api.models import FinalReport, QuestionOut, StartRequest, TurnResponse


class LoggedEvent(BaseModel):
    """A server-sent event and when it came."""

    at_s: float
    """Seconds since the answer was sent."""
    name: str
    id: str
    data: dict[str, Any]


class LoggedTurn(BaseModel):
    """One thing the candidate said, and what came of it."""

    question: QuestionOut
    """The question that was open."""
    response: str
    elapsed_s: float
    """Seconds the candidate took."""
    events: list[LoggedEvent]
    reply: TurnResponse
    resumed: bool
    """The stream broke, and the reply was fetched with `resume`."""


class Outcome(BaseModel):
    """An interview from its start to its report. Its token is not in it."""

    url: str
    session_id: str
    wanted: StartRequest
    greeting: str
    first_question: QuestionOut
    time_budget_minutes: int
    target_questions: int
    turns: list[LoggedTurn]
    closing: str
    report: FinalReport
    report_url: str
    replay_url: str
