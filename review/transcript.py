"""Who said what and when, as it was really heard, on the time line of the recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict

from review.events import (
    AnswerTaken,
    Event,
    Intent,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    SpeechEnded,
    SpeechKind,
    SpeechStarted,
    UtteranceHeard,
    Word,
)
from review.timeline import TimeLine, time_line

Speaker = Literal["interviewer", "candidate"]
EntryKind = SpeechKind | Intent | Literal["utterance"]
"""What an entry is: a kind of the interviewer's speech, what the candidate wanted with their turn, or `utterance` for
what the candidate said outside any turn."""

_SAME_TIME_S = 0.02
"""Word times are compared after a trip through JSON and rounding."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class TranscriptWord(_Frozen):
    """A word and its seconds on the recording's time line."""

    text: str
    start_s: float
    end_s: float


class Entry(_Frozen):
    """One stretch of speech. Times are seconds on the recording's time line."""

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
    """Empty for the interviewer, whose words have no times of their own."""


class Transcript(_Frozen):
    """An interview as text, in the order it was heard."""

    recorded: bool
    """True when second 0 is the recording's first sample; else it is the first event."""
    started_at: float
    """Second 0, in seconds since the epoch."""
    duration_s: float
    entries: list[Entry]


def build_transcript(events: Sequence[Event]) -> Transcript:
    """Derive the transcript from an interview's events, given in the order of the record.

    Nothing that was said is left out: the words of a turn that a continued one replaced are there once, in the turn
    that replaced it.
    """
    line = time_line(events)
    entries = [_of_interviewer(speech, line) for speech in _speeches(events)]
    pieces = sorted(_spoken_pieces(events), key=lambda piece: piece.start_at)
    starts = sorted(entry.start_s for entry in entries)
    entries += [_of_candidate(piece, line) for piece in _joined(pieces, starts, line)]
    entries.sort(key=lambda entry: (entry.start_s, entry.end_s))
    return Transcript(recorded=line.recorded, started_at=line.origin_at, duration_s=line.duration_s, entries=entries)


@dataclass(frozen=True, slots=True)
class _Speech:
    """What the interviewer said between two times of the clock."""

    started: SpeechStarted
    heard: str
    ended_at: float
    interrupted: bool


def _speeches(events: Sequence[Event]) -> Iterator[_Speech]:
    """Pair beginnings with ends. A beginning without an end was cut off by a crash, or has not ended yet."""
    open_speeches: list[SpeechStarted] = []
    over = any(isinstance(event, InterviewEnded) for event in events)
    last_at = 0.0
    for event in events:
        if isinstance(event, SpeechStarted):
            open_speeches.append(event)
        elif isinstance(event, SpeechEnded) and (started := _beginning_of(event, open_speeches)):
            open_speeches.remove(started)
            heard = event.heard if event.interrupted else event.heard or started.text
            if heard.strip():
                yield _Speech(started, heard, event.at, event.interrupted)
        elif isinstance(event, InterviewStarted):
            yield from (_Speech(started, started.text, last_at, interrupted=True) for started in open_speeches)
            open_speeches.clear()
        last_at = event.at
    yield from (_Speech(started, started.text, last_at, interrupted=over) for started in open_speeches)


def _beginning_of(ended: SpeechEnded, open_speeches: Sequence[SpeechStarted]) -> SpeechStarted | None:
    key = (ended.speech, ended.turn, ended.question_id)
    return next((one for one in open_speeches if (one.speech, one.turn, one.question_id) == key), None)


def _of_interviewer(speech: _Speech, line: TimeLine) -> Entry:
    return Entry(
        speaker="interviewer",
        kind=speech.started.speech,
        text=speech.heard,
        start_s=line.seconds(speech.started.at),
        end_s=line.seconds(max(speech.ended_at, speech.started.at)),
        interrupted=speech.interrupted,
        turn=speech.started.turn,
        question_id=speech.started.question_id,
        words=[],
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn that the candidate took, and what they wanted with it."""

    taken: AnswerTaken
    index: int
    intent: Intent = "answer"

    def holds(self, piece: _Piece) -> bool:
        """True when the piece was said in this turn: by its times where words have them, else by its place."""
        words = self.taken.words
        if words and piece.words:
            return (
                words[0].start_at - _SAME_TIME_S <= piece.start_at and piece.end_at <= words[-1].end_at + _SAME_TIME_S
            )
        return piece.text in self.taken.text and piece.index < self.index


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something the candidate said without a long pause, and the turn it belongs to."""

    text: str
    words: Sequence[Word]
    start_at: float
    end_at: float
    index: int
    """Place of its event in the record."""
    turn: _Turn | None = None


def _spoken_pieces(events: Sequence[Event]) -> list[_Piece]:
    """What the recogniser heard and, where it reported nothing of a turn, the turn itself."""
    turns = _turns(events)
    pieces = [
        _piece(event.text, event.words, event.at, index)
        for index, event in enumerate(events)
        if isinstance(event, UtteranceHeard) and event.text.strip()
    ]
    # The last turn that holds a piece is the one that stands: a continued turn holds the words of the one it replaced.
    pieces = [
        replace(piece, turn=next((turn for turn in reversed(turns) if turn.holds(piece)), None)) for piece in pieces
    ]
    for turn in turns:
        if turn.taken.text.strip() and not any(turn.holds(piece) for piece in pieces):
            piece = _piece(turn.taken.text, turn.taken.words, turn.taken.speech_ended_at, turn.index)
            pieces.append(replace(piece, turn=turn))
    return pieces


def _turns(events: Sequence[Event]) -> list[_Turn]:
    turns: list[_Turn] = []
    for index, event in enumerate(events):
        if isinstance(event, AnswerTaken):
            turns.append(_Turn(event, index))
        elif isinstance(event, IntentDetected) and turns and turns[-1].taken.turn == event.turn:
            turns[-1] = replace(turns[-1], intent=event.intent)
    return turns


def _piece(text: str, words: Sequence[Word], ended_at: float, index: int) -> _Piece:
    start_at, end_at = (words[0].start_at, words[-1].end_at) if words else (ended_at, ended_at)
    return _Piece(text, words, start_at, max(start_at, end_at), index)


def _joined(pieces: Sequence[_Piece], interviewer_starts_s: Sequence[float], line: TimeLine) -> Iterator[_Piece]:
    """Join the pieces of one turn, unless the interviewer began to speak between them."""
    joined: _Piece | None = None
    for piece in pieces:
        if joined is None:
            joined = piece
        elif (
            piece.turn is not None
            and piece.turn == joined.turn
            and not any(
                line.seconds(joined.start_at) < start_s <= line.seconds(piece.start_at)
                for start_s in interviewer_starts_s
            )
        ):
            joined = replace(
                joined,
                text=f"{joined.text} {piece.text}",
                words=[*joined.words, *piece.words],
                end_at=max(joined.end_at, piece.end_at),
            )
        else:
            yield joined
            joined = piece
    if joined is not None:
        yield joined


def _of_candidate(piece: _Piece, line: TimeLine) -> Entry:
    return Entry(
        speaker="candidate",
        kind=piece.turn.intent if piece.turn else "utterance",
        text=piece.text,
        start_s=line.seconds(piece.start_at),
        end_s=line.seconds(piece.end_at),
        interrupted=False,
        turn=piece.turn.taken.turn if piece.turn else None,
        question_id=piece.turn.taken.question_id if piece.turn else "",
        words=[
            TranscriptWord(text=word.text, start_s=line.seconds(word.start_at), end_s=line.seconds(word.end_at))
            for word in piece.words
        ],
    )
