"""Remarks: what people say before they answer, about the question or to gain a moment: "that takes me back".

They ask for nothing, whatever the classifier makes of their words, and claim nothing.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from graph.intents.normalize import Utterance

_REMARKS_FILE = Path(__file__).parent / "remarks.yaml"
_LONGEST = 24
"""Words of all the remarks at the beginning of a turn."""
_GOES_ON = frozenset("to of for than".split())
"""Before these the words were the beginning of a sentence: "that takes me back to the question before"."""


class _Remarks(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    lead: str
    remarks: list[str]


def before_answer(utterance: Utterance) -> int:
    """How many words of an utterance, from its beginning, are remarks; 0 for none."""
    pattern = _pattern()
    for end in range(min(len(utterance), _LONGEST) - 1, 0, -1):
        if pattern.fullmatch(utterance.stretch(0, end).text) and not _goes_on(utterance, end):
            return end + 1
    return 0


def _goes_on(utterance: Utterance, end: int) -> bool:
    if end + 1 == len(utterance) or utterance.ends_clause(end):
        return False
    following = utterance.tokens_at(end + 1)
    return bool(following) and following[0] in _GOES_ON


@cache
def _pattern() -> re.Pattern[str]:
    """One to three remarks, with words before each that only lead over.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = _Remarks.model_validate(yaml.safe_load(_REMARKS_FILE.read_text(encoding="utf-8")))
    one = f"(?:{file.lead} ){{0,4}}(?:{'|'.join(file.remarks)})"
    return re.compile(f"{one}(?: {one}){{0,2}}")
