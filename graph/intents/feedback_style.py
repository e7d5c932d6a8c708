"""Feedback style: what somebody wishes to hear about answers: "tell me what I missed", "don't tell me the answers".

Rules alone recognise it, by the phrases in `feedback_style.yaml`. A stretch of words is a wish only if nothing else is
said in it: "I would tell them what was missing in the contract" is none.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from domain.vocabulary import Request
from graph.intents.normalize import Stretch, Utterance
from graph.intents.patience import Patterns, Wish, at_the_ends, is_reported, pattern_of, wish_in

_PHRASES_FILE = Path(__file__).parent / "feedback_style.yaml"
_TELLING = re.compile(
    r"\b(?:tell|telling|teach|coach\w*|correct|give|giving|say|show|explain|add|point|hear|know|learn|let me|keep|"
    r"spoil\w*|reveal\w*|interviewer|teacher|tutor|interview)\b"
)
"""Without any of these words nothing need be looked at closely."""
_MEANS_US = re.compile(
    r"\b(?:me|my|please|i|(?:could|can|would|will) you)\b|^(?:no|do not|stop|never)\b|"
    r"\b(?:mode|style|interviewer|coach|teacher|tutor)\b"
)
"""What a wish has: "say what was missing" alone may be part of an answer."""


class _Phrases(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, str]
    feedback_coach: list[str]
    feedback_interviewer: list[str]


def find(utterance: Utterance) -> Wish | None:
    """A wish about feedback: all of an utterance, its end, or its beginning."""
    whole = utterance.whole
    if not _TELLING.search(whole.text):
        return None
    if request := _wish_in(whole):
        return Wish(request, whole)
    for stretch in at_the_ends(utterance):
        if not is_reported(utterance, stretch) and (request := _wish_in(stretch)):
            return Wish(request, stretch)
    return None


def _wish_in(said: Stretch) -> Request | None:
    return wish_in(said, _patterns()) if _MEANS_US.search(said.text) else None


@cache
def _patterns() -> Patterns:
    """One for each request.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = _Phrases.model_validate(yaml.safe_load(_PHRASES_FILE.read_text(encoding="utf-8")))
    return (
        ("feedback_interviewer", pattern_of(file.feedback_interviewer, file.parts)),
        ("feedback_coach", pattern_of(file.feedback_coach, file.parts)),
    )
