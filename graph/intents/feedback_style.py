"""Feedback style: what somebody wishes to hear about answers: "tell me what I missed", "don't tell me the answers".

Rules alone recognise it, by the phrases in `feedback_style.yaml`. A stretch of words is a wish only if nothing else is
said in it: "I would tell them what was missing in the contract" is none.
"""

from __future__ import annotations

import re
from pathlib import Path

from domain.vocabulary import Request
from graph.intents.normalize import Stretch, Utterance
from graph.intents.wishes import Phrasebook, Wish, at_the_ends, is_reported

_PHRASES = Phrasebook(Path(__file__).with_name("feedback_style.yaml"), "feedback_interviewer", "feedback_coach")
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
    return _PHRASES.request_in(said) if _MEANS_US.search(said.text) else None
