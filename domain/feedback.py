"""Feedback modes as they are read from what older versions wrote: those knew `practice` and `exam`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from domain.vocabulary import FeedbackMode

_OLD = "practice"


def feedback_mode_of(kept: str) -> FeedbackMode:
    """The mode behind a word of a record or a checkpoint: what was `practice` there gave nothing away."""
    match kept:
        case "coach" | "exam":
            return kept
        case _:
            return "interviewer"


KeptFeedbackMode = Annotated[FeedbackMode, BeforeValidator(lambda kept: "interviewer" if kept == _OLD else kept)]
"""As it is kept of an interview that was held."""
WishedFeedbackMode = Annotated[FeedbackMode, BeforeValidator(lambda wished: "coach" if wished == _OLD else wished)]
"""As a client wishes it for an interview to come: who still says `practice` wants to learn."""
