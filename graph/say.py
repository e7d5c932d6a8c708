"""Speech output of a node: words that may be spoken now, at the pace that the candidate asked for."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.say import Say
from domain.vocabulary import SpeechKind
from graph.context import InterviewContext
from graph.state import InterviewState


def say(
    state: InterviewState, runtime: Runtime[InterviewContext], kind: SpeechKind, text: str, question_id: str = ""
) -> None:
    """Hand over words that may be spoken now."""
    runtime.stream_writer(Say(kind, text, question_id, state.get("pace", 1.0)))
