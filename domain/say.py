"""Words to be spoken: what the graph hands over to whoever drives an interview."""

from __future__ import annotations

from dataclasses import dataclass

from domain.vocabulary import SpeechKind


@dataclass(frozen=True, slots=True)
class Say:
    """Words the interviewer may speak now. The graph streams them in the order in which they may be heard."""

    kind: SpeechKind
    text: str
    question_id: str = ""
    pace: float = 1.0
    """Speed of speech; 1 is as the voice was made."""
