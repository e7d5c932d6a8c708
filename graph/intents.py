"""What does the candidate want with these words? Decided by rules, before anything is judged.

An answer may mention a request ("I would skip the cache"); it stays an answer. So a request has to be nearly all
that was said: the phrase itself, and a few polite words around it.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict

Intent = Literal["answer", "repeat", "skip", "stop", "hold"]
Request = Literal["repeat", "skip", "stop", "hold"]

ACTS_ABOVE = 0.7
"""Confidence from which a request is honoured; below it the words count as an answer."""

_MAX_EXTRA_WORDS = 5
"""Words a request may have besides its phrase before it is more likely part of an answer."""

_PHRASES: dict[Request, str] = {
    "repeat": (
        r"(repeat|say) (that|it|the question|this|you)( again| once more)?|once more|come again|say (that|it) again|"
        r"what was (that|the question)( again)?|pardon( me)?|i (didn't|did not|couldn't) (hear|catch|get|understand) "
        r"(that|you|it|the question)|what did you (say|ask)|read (that|the question) again|repeat"
    ),
    "skip": (
        r"(let's |let us |can we |could we |i'd like to |i want to |i'll |please )?(skip|pass on|leave) "
        r"(this|that|it)( one| question)?|skip( the)? question|next question|(i'll |i )?pass|"
        r"move on( to the next( one| question)?)?|skip"
    ),
    "stop": (
        r"(let's |let us |can we |could we |i'd like to |i want to |please )?(stop|end|finish|quit)"
        r"( the interview| this interview| here| now| there| this)+|"
        r"i (want|need|have) to (stop|go|leave|finish)( now)?|"
        r"that's enough for (today|now)|stop"
    ),
    "hold": (
        r"(let me|i need to|i have to|can i|may i) think"
        r"( about (that|it|this))?( for)?( a| one)?( moment| second| minute| bit)?|"
        r"(give me|just|wait|hold on)( a| one)? (moment|second|minute|sec|bit)|hold on|one moment|hang on"
    ),
}
_PATTERNS = {request: re.compile(rf"\b(?:{phrase})\b") for request, phrase in _PHRASES.items()}
_POLITE = frozenset(
    "please sorry okay ok um uh er hmm well can could would you i me just yes no thanks thank a the to for now "
    "actually like we let's and so oh do mind again one if that this it".split()
)


class DetectedIntent(BaseModel):
    """What the candidate wanted in one turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intent: Intent
    confidence: float
    turn: int


def detect(text: str, turn: int = 0) -> DetectedIntent:
    """The intent of an utterance. The shorter the rest of it besides a request's phrase, the surer."""
    said = " ".join(re.sub(r"[^\w' ]+", " ", text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")).split())
    best: tuple[float, Request] | None = None
    for request, pattern in _PATTERNS.items():
        for match in pattern.finditer(said):
            confidence = _confidence(said, match)
            if best is None or confidence > best[0]:
                best = (confidence, request)
    if best and best[0] > ACTS_ABOVE:
        return DetectedIntent(intent=best[1], confidence=best[0], turn=turn)
    return DetectedIntent(intent="answer", confidence=round(1 - (best[0] if best else 0.0), 2), turn=turn)


def _confidence(said: str, match: re.Match[str]) -> float:
    rest = f"{said[: match.start()]} {said[match.end() :]}".split()
    extra = [word for word in rest if word not in _POLITE]
    return round(max(0.0, 0.98 - 0.25 * len(extra) - 0.02 * min(len(rest), _MAX_EXTRA_WORDS)), 2)
