"""Wishes about the résumé: "ask me about my projects", "can we talk about my time at work".

Rules alone recognise them, by the phrases in `resume.yaml`. A stretch of words is a wish only if nothing else is said
in it: in "I asked my team about my projects" nobody asks for anything.
"""

from __future__ import annotations

import re
from pathlib import Path

from graph.intents.normalize import Stretch, Utterance
from graph.intents.wishes import Phrasebook, at_the_ends, is_reported

_PHRASES = Phrasebook(Path(__file__).with_name("resume.yaml"), "about_resume")
_TELLING = re.compile(r"\b(?:resume|cv|my|i (?:have )?(?:done|did|built|made|worked))\b")
"""Without any of these words nothing need be looked at closely."""


def find(utterance: Utterance) -> Stretch | None:
    """Where such a wish was said: all of an utterance, or its end, or its beginning."""
    whole = utterance.whole
    if not _TELLING.search(whole.text):
        return None
    if _is_wish(whole):
        return whole
    beside = (each for each in at_the_ends(utterance) if not is_reported(utterance, each))
    return next((each for each in beside if _is_wish(each)), None)


def _is_wish(said: Stretch) -> bool:
    return _PHRASES.request_in(said) is not None
