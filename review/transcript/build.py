"""Transcript: who said what and when, as it was really heard, on the time line of the recording."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain.events import AnswerTaken, Event, Word
from review.record.reheard import with_better_words
from review.record.timeline import TimeLine, time_line
from review.report.answers import GivenAnswer, standing_turns
from review.transcript.candidate_turns import CandidatePiece, joined, spoken_pieces, written_pieces
from review.transcript.interviewer_turns import Speech, speeches
from review.transcript.models import Entry, EntryKind, Note, Speaker, Transcript, TranscriptWord
from review.transcript.notes import PlacedNote, transcript_notes

__all__ = ["Entry", "EntryKind", "Note", "Speaker", "Transcript", "TranscriptWord", "build_transcript"]


def build_transcript(events: Sequence[Event]) -> Transcript:
    """Derive the transcript from an interview's events, given in the order of the record.

    Nothing that was said is left out: the words of a turn that a continued one replaced are there once, in the turn
    that replaced it.
    """
    events = with_better_words(events)
    line = time_line(events)
    placed = _joined_feedback(_in_order(events, line))
    return Transcript(
        recorded=line.recorded,
        started_at=line.origin_at,
        duration_s=line.duration_s,
        entries=[one.entry for one in placed],
        notes=[_note(note, placed, line) for note in transcript_notes(events)],
        medium=line.medium,
    )


@dataclass(frozen=True, slots=True)
class _Placed:
    """An entry and its place: its second where there is sound, else its number in the record."""

    place: float
    entry: Entry


def _in_order(events: Sequence[Event], line: TimeLine) -> list[_Placed]:
    said_by_interviewer = speeches(events, line.medium)
    answers = _Answers(standing_turns(events))
    if line.medium == "text":
        entries = [_Placed(speech.index, _of_interviewer(speech, line)) for speech in said_by_interviewer]
        entries += [_Placed(piece.index, _of_candidate(piece, answers, line)) for piece in written_pieces(events)]
        return sorted(entries, key=lambda one: one.place)
    spoken = [_of_interviewer(speech, line) for speech in said_by_interviewer]
    pieces = joined(spoken_pieces(events), [speech.started.at for speech in said_by_interviewer])
    spoken += [_of_candidate(piece, answers, line) for piece in pieces]
    spoken.sort(key=lambda entry: (entry.start_s, entry.end_s))
    return [_Placed(entry.start_s, entry) for entry in spoken]


def _joined_feedback(placed: Sequence[_Placed]) -> list[_Placed]:
    """Feedback is spoken sentence by sentence, as it is written; what follows on itself is one entry again."""
    result: list[_Placed] = []
    for one in placed:
        before = result[-1].entry if result else None
        if before and _goes_on(before, one.entry):
            longer = {
                "text": f"{before.text} {one.entry.text}",
                "end_s": max(before.end_s, one.entry.end_s),
                "interrupted": one.entry.interrupted,
                # Half of the words with times would be half of the text.
                "words": [*before.words, *one.entry.words] if before.words and one.entry.words else [],
            }
            result[-1] = _Placed(result[-1].place, before.model_copy(update=longer))
        else:
            result.append(one)
    return result


def _goes_on(before: Entry, after: Entry) -> bool:
    return before.kind == after.kind == "feedback" and before.turn == after.turn and not before.interrupted


def _note(note: PlacedNote, placed: Sequence[_Placed], line: TimeLine) -> Note:
    places = [one.place for one in placed]
    seconds = line.seconds(note.at)
    before = bisect_left(places, note.index if line.medium == "text" else seconds)
    return Note(kind=note.kind, text=note.text, at_s=seconds, before_entry=before)


def _of_interviewer(speech: Speech, line: TimeLine) -> Entry:
    return Entry(
        speaker="interviewer",
        kind=speech.started.speech,
        text=speech.heard,
        start_s=line.seconds(speech.started.at),
        end_s=line.seconds(max(speech.ended_at, speech.started.at)),
        interrupted=speech.interrupted,
        turn=speech.started.turn,
        question_id=speech.started.question_id,
        words=[
            TranscriptWord(text=word.text, start_s=line.seconds(word.start_at), end_s=line.seconds(word.end_at))
            for word in speech.words
        ],
    )


class _Answers:
    """Which answer the words of a turn belong to."""

    def __init__(self, turns: Sequence[GivenAnswer]) -> None:
        judged = [turn for turn in turns if turn.judged]
        self._of_turn: Mapping[int, GivenAnswer] = {part.taken.turn: turn for turn in judged for part in turn.parts}

    def of(self, turn: int) -> GivenAnswer | None:
        """The judged answer that has words in this turn."""
        return self._of_turn.get(turn)

    def left_out(self, taken: AnswerTaken) -> set[int]:
        """Numbers of the words of a turn that are not judged with the answer in it."""
        answer = self.of(taken.turn)
        if answer is None:
            return set()
        kept = {
            word for part in answer.parts if part.taken.turn == taken.turn for word in range(part.first, part.last + 1)
        }
        return set(range(len(taken.words))) - kept


def _of_candidate(piece: CandidatePiece, answers: _Answers, line: TimeLine) -> Entry:
    turn = piece.turn
    answer = answers.of(turn.taken.turn) if turn else None
    turns = list(dict.fromkeys(part.taken.turn for part in answer.parts)) if answer else []
    return Entry(
        speaker="candidate",
        kind=turn.intent if turn else "utterance",
        text=piece.text,
        start_s=line.seconds(piece.start_at),
        end_s=line.seconds(piece.end_at),
        interrupted=False,
        turn=turn.taken.turn if turn else None,
        question_id=turn.taken.question_id if turn else "",
        words=list(_words(piece, answers, line)),
        unsure=turn.unsure if turn else False,
        answer_turn=answer.turn if answer else None,
        part=turns.index(turn.taken.turn) + 1 if turn and len(turns) > 1 else 0,
        parts=len(turns) if len(turns) > 1 else 0,
    )


def _words(piece: CandidatePiece, answers: _Answers, line: TimeLine) -> Iterator[TranscriptWord]:
    taken = piece.turn.taken if piece.turn else None
    left_out = answers.left_out(taken) if taken else set()
    numbers = _numbers(piece.words, taken) if taken and left_out else {}
    for place, word in enumerate(piece.words):
        yield TranscriptWord(
            text=word.text,
            start_s=line.seconds(word.start_at),
            end_s=line.seconds(word.end_at),
            left_out=numbers.get(place) in left_out,
        )


def _numbers(words: Sequence[Word], taken: AnswerTaken) -> dict[int, int]:
    """The number in its turn of each word, by its place among `words`."""
    if len(words) == len(taken.words):
        return {place: place for place in range(len(words))}
    by_time = {(round(word.start_at, 3), word.text): number for number, word in enumerate(taken.words)}
    found = ((place, by_time.get((round(word.start_at, 3), word.text))) for place, word in enumerate(words))
    return {place: number for place, number in found if number is not None}
