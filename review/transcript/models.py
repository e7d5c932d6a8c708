"""Models of the transcript. Every `_s` is in seconds on the recording's time line."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.frozen_model import FrozenModel
from domain.vocabulary import Intent, Medium, SpeechKind

Speaker = Literal["interviewer", "candidate"]
EntryKind = SpeechKind | Intent | Literal["utterance"]
"""What an entry is: a kind of the interviewer's speech, what the candidate wanted with their turn, or `utterance` for
what the candidate said outside any turn."""
NoteKind = Literal["plan", "setting", "review", "voided", "call", "key"]


class TranscriptWord(FrozenModel):
    """A word and its seconds on the recording's time line."""

    text: str
    start_s: float
    end_s: float
    left_out: bool = False
    """True for a word in an answer that is not judged with it: of a request, or of what was taken back."""


class Entry(FrozenModel):
    """One stretch of speech, or one message. Times are seconds on the recording's time line.

    In an interview by text they only tell when the message was there; the order of the entries is that of the record.
    """

    speaker: Speaker
    kind: EntryKind
    text: str
    """What was heard: of an interrupted sentence only the part before the interruption."""
    start_s: float
    end_s: float
    interrupted: bool
    """True when the interviewer was cut off, by the candidate or by a crash."""
    turn: int | None
    """None for what the candidate said outside any turn."""
    question_id: str
    words: list[TranscriptWord]
    """Empty where words have no times of their own, as in what is written, and in what a crash cut off."""
    unsure: bool = False
    """True for a request that the interviewer was not sure of, and asked about."""
    answer_turn: int | None = None
    """The turn whose judgement these words are part of; None when they are part of none."""
    part: int = 0
    """Which part of that answer this is, from 1; 0 when it is the whole answer, or none."""
    parts: int = 0
    """How many parts that answer has; 0 when it was given in one."""


class Note(FrozenModel):
    """Something that nobody said, but that changed the interview: a plan, a setting, a review, a voided turn, a key."""

    kind: NoteKind
    text: str
    """A sentence for people."""
    at_s: float
    before_entry: int
    """Index of the entry that it stands before; the number of entries when it stands at the end."""


class Transcript(FrozenModel):
    """An interview as text, in the order it was heard."""

    recorded: bool
    """True when second 0 is the recording's first sample; else it is the first event."""
    started_at: float
    """Second 0, in seconds since the epoch."""
    duration_s: float
    entries: list[Entry]
    notes: list[Note] = Field(default=[])
    """In their order."""
    medium: Medium = "voice"
