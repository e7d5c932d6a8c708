"""Candidate turns: what the candidate said, piece by piece, and the turn that each piece belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from domain.events import AnswerTaken, Event, IntentDetected, UtteranceHeard, Word
from domain.vocabulary import Intent
from review.report.answers import asked_back

_SAME_TIME_S = 0.02
"""Word times are compared after a trip through JSON and rounding."""


@dataclass(frozen=True, slots=True)
class CandidateTurn:
    """A turn that the candidate took, and what they wanted with it."""

    taken: AnswerTaken
    index: int
    """Place of its event in the record."""
    intent: Intent = "answer"
    unsure: bool = False
    """True when the interviewer asked whether the request was one."""

    def holds(self, piece: CandidatePiece) -> bool:
        """True when the piece was said in this turn: by its times where words have them, else by its place."""
        words = self.taken.words
        if words and piece.words:
            return (
                words[0].start_at - _SAME_TIME_S <= piece.start_at and piece.end_at <= words[-1].end_at + _SAME_TIME_S
            )
        return piece.text in self.taken.text and piece.index < self.index


@dataclass(frozen=True, slots=True)
class CandidatePiece:
    """Something the candidate said without a long pause, and the turn it belongs to."""

    text: str
    words: Sequence[Word]
    start_at: float
    end_at: float
    index: int
    """Place of its event in the record."""
    turn: CandidateTurn | None = None


def spoken_pieces(events: Sequence[Event]) -> list[CandidatePiece]:
    """What the recogniser heard and, where it reported nothing of a turn, the turn itself; in the order of time."""
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
            pieces.append(_whole(turn))
    return sorted(pieces, key=lambda piece: piece.start_at)


def written_pieces(events: Sequence[Event]) -> list[CandidatePiece]:
    """The candidate's messages in an interview by text, in the order of the record."""
    return [_whole(turn) for turn in _turns(events) if turn.taken.text.strip()]


def joined(pieces: Sequence[CandidatePiece], interviewer_began_at: Sequence[float]) -> Iterator[CandidatePiece]:
    """Join the pieces of one turn, unless the interviewer began to speak between them."""
    so_far: CandidatePiece | None = None
    for piece in pieces:
        if so_far is None:
            so_far = piece
        elif (
            piece.turn is not None
            and piece.turn == so_far.turn
            and not any(so_far.start_at < at <= piece.start_at for at in interviewer_began_at)
        ):
            so_far = replace(
                so_far,
                text=f"{so_far.text} {piece.text}",
                words=[*so_far.words, *piece.words],
                end_at=max(so_far.end_at, piece.end_at),
            )
        else:
            yield so_far
            so_far = piece
    if so_far is not None:
        yield so_far


def _turns(events: Sequence[Event]) -> list[CandidateTurn]:
    turns: list[CandidateTurn] = []
    for index, event in enumerate(events):
        if isinstance(event, AnswerTaken):
            turns.append(CandidateTurn(event, index))
        elif isinstance(event, IntentDetected) and turns and turns[-1].taken.turn == event.turn:
            turns[-1] = replace(turns[-1], intent=event.intent, unsure=asked_back(event))
    return turns


def _whole(turn: CandidateTurn) -> CandidatePiece:
    return replace(_piece(turn.taken.text, turn.taken.words, turn.taken.speech_ended_at, turn.index), turn=turn)


def _piece(text: str, words: Sequence[Word], ended_at: float, index: int) -> CandidatePiece:
    start_at, end_at = (words[0].start_at, words[-1].end_at) if words else (ended_at, ended_at)
    return CandidatePiece(text, words, start_at, max(start_at, end_at), index)
