"""Interviewer turns: what was said, from the beginnings and ends of speech in the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from domain.events import Event, InterviewEnded, InterviewStarted, PlayedWord, SpeechEnded, SpeechStarted
from domain.vocabulary import Medium


@dataclass(frozen=True, slots=True)
class Speech:
    """What the interviewer said between two times of the clock."""

    started: SpeechStarted
    index: int
    """Place of its beginning in the record."""
    heard: str
    ended_at: float
    interrupted: bool
    words: Sequence[PlayedWord] = field(default=())
    """With their times; none where nobody knows these."""


def speeches(events: Sequence[Event], medium: Medium) -> list[Speech]:
    """Pair beginnings with ends, in the order of the beginnings.

    Speech without an end was cut off by a crash, or has not ended yet. What is written is there at once, whole.
    """
    found = list(_written(events) if medium == "text" else _spoken(events))
    return sorted(found, key=lambda speech: speech.index)


def _spoken(events: Sequence[Event]) -> Iterator[Speech]:
    open_speeches: list[tuple[int, SpeechStarted]] = []
    over = any(isinstance(event, InterviewEnded) for event in events)
    last_at = 0.0
    for index, event in enumerate(events):
        if isinstance(event, SpeechStarted):
            open_speeches.append((index, event))
        elif isinstance(event, SpeechEnded) and (beginning := _beginning_of(event, open_speeches)):
            open_speeches.remove(beginning)
            begun, started = beginning
            heard = event.heard if event.interrupted else event.heard or started.text
            if heard.strip():
                yield Speech(started, begun, heard, event.at, event.interrupted, event.words)
        elif isinstance(event, InterviewStarted):
            yield from (
                Speech(started, begun, started.text, last_at, interrupted=True) for begun, started in open_speeches
            )
            open_speeches.clear()
        last_at = event.at
    yield from (Speech(started, begun, started.text, last_at, interrupted=over) for begun, started in open_speeches)


def _written(events: Sequence[Event]) -> Iterator[Speech]:
    for index, event in enumerate(events):
        if isinstance(event, SpeechStarted) and event.text.strip():
            yield Speech(event, index, event.text, event.at, interrupted=False)


def _beginning_of(
    ended: SpeechEnded, open_speeches: Sequence[tuple[int, SpeechStarted]]
) -> tuple[int, SpeechStarted] | None:
    key = (ended.speech, ended.turn, ended.question_id)
    return next((pair for pair in open_speeches if (pair[1].speech, pair[1].turn, pair[1].question_id) == key), None)
