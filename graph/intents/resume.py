"""Wishes about the résumé: "ask me about my projects", "can we talk about my time at work".

Rules alone recognise them, by the phrases in `resume.yaml`. A stretch of words is a wish only if nothing else is said
in it: in "I asked my team about my projects" nobody asks for anything.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from graph.intents import span_boundaries
from graph.intents.normalize import Stretch, Utterance
from graph.intents.patience import at_the_ends, is_reported, pattern_of

_PHRASES_FILE = Path(__file__).parent / "resume.yaml"
_TELLING = re.compile(r"\b(?:resume|cv|my|i (?:have )?(?:done|did|built|made|worked))\b")
"""Without any of these words nothing need be looked at closely."""


class _Phrases(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, str]
    about_resume: list[str]


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
    return 0 < len(said.tokens) <= span_boundaries.SHORT and _pattern().fullmatch(said.text) is not None


@cache
def _pattern() -> re.Pattern[str]:
    """One or two phrases with polite words around them, and nothing else.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = _Phrases.model_validate(yaml.safe_load(_PHRASES_FILE.read_text(encoding="utf-8")))
    return pattern_of(file.about_resume, file.parts)
