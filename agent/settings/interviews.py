"""Interviews: how they are held, and what a candidate may bring."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agent.settings.part import Seconds, SettingsPart
from domain.vocabulary import FeedbackMode, Mode, Patience, Review


class InterviewChoices(SettingsPart):
    """How an interview goes where nobody chooses otherwise, and its limits."""

    pace: Annotated[float, Field(ge=0.5, le=2)] = 1.0
    """How fast the interviewer speaks, a factor on the voice's own pace; a candidate may ask for slower or faster."""
    mode: Mode = "plan"
    """Where questions come from when a candidate does not choose: the plan of topics, or their resume."""
    feedback: FeedbackMode = "coach"
    """How answers are met when a candidate does not choose: coach tells what was missing, interviewer gives nothing
    away, exam keeps all of it for the report."""
    human_review: Review = "off"
    """Which turns wait for a person before the interview goes on: none, those nobody could judge well, or all."""
    node_timeout_s: Seconds = 15
    """Seconds that one step of the interview graph may take."""
    away_timeout_s: Seconds = 120
    """Seconds after which a candidate who left the room has ended the interview."""
    silence_patience: Annotated[float, Field(ge=0.1, le=10)] = 1.0
    """How long a silence may last, a factor: at 1 a gentle word after 10 to 20 s, an offer, and the end after 90 s."""
    patience: Patience = "relaxed"
    """How long the interviewer waits before a silence counts as the end of an answer: relaxed, normal or quick."""
    acknowledge: bool = True
    """Say "okay" when it takes longer than 0.7 s to have something to say about an answer."""
    listening_signals: bool = True
    """Meet a pause in an answer with a quiet "mm-hm"."""
    interviews_at_once: Annotated[int, Field(ge=0)] = 0
    """Interviews by voice that may go on at once; 0: one for each processor of this machine."""
    longest_answer_s: Seconds = 300
    """Seconds after which a candidate who speaks without a stop is kindly interrupted."""
    slow_selector_s: Annotated[float, Field(ge=0)] = 0
    """Seconds by which the selection of a question is delayed; for tests of what is spoken meanwhile."""
    max_answer_chars: Annotated[int, Field(ge=100, le=1_000_000)] = 20_000
    """Characters that an answer sent over HTTP may have."""
    max_document_bytes: Annotated[int, Field(ge=1_000, le=100_000_000)] = 5_000_000
    """Bytes that a résumé or a job description may have as a file."""
    max_document_pages: Annotated[int, Field(ge=1, le=1_000)] = 20
    """Pages that a PDF may have."""
    document_timeout_s: Seconds = 20
    """Seconds that reading a document, or fetching it, may take."""
