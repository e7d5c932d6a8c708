"""Audio events: what was spoken and heard, word by word, and the recording of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from domain.events.base import BaseEvent
from domain.frozen_model import FrozenModel
from domain.vocabulary import SpeechKind


class Word(FrozenModel):
    """A recognised word and when it was said."""

    text: str
    start_at: float
    end_at: float
    confidence: float
    """0 to 1, as the recogniser gives it."""


SURELY_HEARD = 0.5
"""Confidence from which a word is said back to whoever said it: below it, it may as well be another."""


def heard_unsurely(words: Sequence[Word]) -> tuple[int, ...]:
    """The places of words, from 0, that may not be what was said."""
    tokens = [word.confidence for word in words for _ in word.text.split()]
    return tuple(place for place, confidence in enumerate(tokens) if confidence < SURELY_HEARD)


class PlayedWord(FrozenModel):
    """A word of the interviewer's and when it was played."""

    text: str
    start_at: float
    end_at: float


class RecordingStarted(BaseEvent):
    """A piece of the recording begins: `at` is the time of its first sample. A crash starts a new piece."""

    kind: Literal["recording_started"] = "recording_started"
    path: str
    """Relative to the interview's folder."""


class RecordingFinished(BaseEvent):
    """The whole interview is in one file now."""

    kind: Literal["recording_finished"] = "recording_finished"
    path: str
    started_at: float
    """Time of the file's first sample."""
    duration_s: float


class SpeechStarted(BaseEvent):
    """The interviewer's voice begins to be played into the room."""

    kind: Literal["speech_started"] = "speech_started"
    speech: SpeechKind
    text: str
    turn: int
    question_id: str = ""


class SpeechEnded(BaseEvent):
    """The interviewer's voice ends; `heard` is what was really played."""

    kind: Literal["speech_ended"] = "speech_ended"
    speech: SpeechKind
    heard: str
    interrupted: bool
    turn: int
    question_id: str = ""
    words: list[PlayedWord] = Field(default=[])
    """The words of `heard`, by the voice's own account; empty where it gives none."""


class ListeningSignalled(BaseEvent):
    """The interviewer showed in a pause that it listens: a quiet sound, no words, no turn."""

    kind: Literal["listening_signalled"] = "listening_signalled"
    sound: str
    """As it is written: "mm-hm"."""


class UtteranceHeard(BaseEvent):
    """The recogniser finished one stretch of the candidate's speech. An answer has one or more of them."""

    kind: Literal["utterance_heard"] = "utterance_heard"
    text: str
    words: list[Word]
