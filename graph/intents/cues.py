"""Cues: regular expressions for what requests sound like, from `cues.yaml`, as features of a stretch of words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from domain.vocabulary import Intent, Request
from graph.intents.normalize import Stretch

BY_RULE: frozenset[Intent] = frozenset(
    {"more_patience", "less_patience", "about_resume", "feedback_coach", "feedback_interviewer"}
)
"""Intents that rules alone recognise (`graph.intents.patience`, `graph.intents.resume`, and for feedback
`graph.intents.feedback_style`): the classifier knows nothing of them."""
INTENTS: tuple[Intent, ...] = tuple(intent for intent in get_args(Intent) if intent not in BY_RULE)
"""Those that the classifier tells apart, in the order of its columns."""

_CUES_FILE = Path(__file__).parent / "cues.yaml"


class _Cues(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    says: list[str]
    hints: list[str]


class _CuesFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: dict[str, str]
    requests: dict[Request, _Cues]


@dataclass(frozen=True, slots=True)
class Cue:
    """One pattern and where it counts."""

    request: Request
    pattern: re.Pattern[str]
    column: int


@cache
def cues() -> tuple[Cue, ...]:
    """All cues, compiled.

    Raises:
        ValueError: the file has the wrong form, or a pattern is none.
    """
    file = _CuesFile.model_validate(yaml.safe_load(_CUES_FILE.read_text(encoding="utf-8")))
    made: list[Cue] = []
    for request, kinds in file.requests.items():
        for offset, patterns in ((0, kinds.says), (len(INTENTS), kinds.hints)):
            for pattern in patterns:
                for name, part in file.parts.items():
                    pattern = pattern.replace(f"{{{name}}}", part)  # noqa: PLW2901 - filled in step by step
                made.append(Cue(request, re.compile(pattern), INTENTS.index(request) + offset))
    return tuple(made)


def cue_features(stretch: Stretch) -> NDArray[np.float32]:
    """Whether a request is said, and whether words that go with it occur: two columns for each intent."""
    found = np.zeros(2 * len(INTENTS), np.float32)
    for cue in cues():
        if not found[cue.column] and cue.pattern.search(stretch.text):
            found[cue.column] = 1
    return found


def says(request: Request, text: str) -> list[re.Match[str]]:
    """Where a request is said in a plain text, by its `says` patterns."""
    column = INTENTS.index(request)
    return [match for cue in cues() if cue.column == column for match in cue.pattern.finditer(text)]
