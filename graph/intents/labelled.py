"""Labelled utterances: what people said, and what they wanted. One JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from graph.intents.vocabulary import Intent


class LabelledError(ValueError):
    """A file of utterances cannot be used; the message says where and why."""


class Utterance(BaseModel):
    """Something a candidate said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    question: str = ""
    """What had been asked."""
    intent: Intent | None = None
    """What the candidate wanted, when somebody has said so."""
    answer: str = ""
    """The words of `text` that are an answer, when only a part of them is."""
