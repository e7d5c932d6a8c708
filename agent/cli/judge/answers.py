"""Answers of a recorded interview, found by the number or the id of their question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.settings import Settings
from domain.events import Event
from review import RecordStore
from review.record.reheard import with_better_words
from review.report.answers import GivenAnswer, given_answers


class NoSuchAnswerError(ValueError):
    """The answer cannot be found, or has no verdicts; the message says what there is."""


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer as it stands, with its number in the report."""

    number: int
    answer: GivenAnswer

    @property
    def words(self) -> list[str]:
        """The words that were judged, as the verdicts count them."""
        return [word for part in self.answer.parts for word in part.text.split()]


def open_record(settings: Settings) -> RecordStore:
    """The record of all interviews.

    Raises:
        NoSuchAnswerError: there is none yet.
        RecordError: it cannot be read.
    """
    if not settings.record_path.exists():
        raise NoSuchAnswerError(
            f"There is no record at {settings.record_path}: no interview was held with this data_dir."
        )
    return RecordStore(settings.record_path)


def events_of(store: RecordStore, interview_id: str) -> list[Event]:
    """An interview's events.

    Raises:
        NoSuchAnswerError: there is no such interview.
        RecordError: the record cannot be read.
    """
    events = [stored.event for stored in store.events(interview_id)]
    if not events:
        latest = ", ".join(each.id for each in store.interviews()[:3])
        known = f" The latest are {latest}." if latest else ""
        raise NoSuchAnswerError(f"There is no interview {interview_id!r} in {store.path}.{known}")
    return events


def find_answer(events: Sequence[Event], question: str) -> FoundAnswer:
    """The answer to a question: by its id, of which the last answer counts, or by its number in the report, from 1.

    Raises:
        NoSuchAnswerError: there is none.
    """
    given = given_answers(with_better_words(events))
    found = [FoundAnswer(number, answer) for number, answer in enumerate(given, start=1)]
    by_id = [each for each in found if each.answer.question_id == question]
    by_number = [each for each in found if question.isdecimal() and each.number == int(question)]
    if match := (by_id or by_number):
        return match[-1]
    known = ", ".join(f"{each.number} ({each.answer.question_id})" for each in found)
    raise NoSuchAnswerError(
        f"There is no answer to a question {question!r}. "
        + (f"The answers are {known}." if known else "Nothing was answered in this interview.")
    )
