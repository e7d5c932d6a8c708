"""Notes on an interview: what happened to the difficulty, which answers are outside the scores, what people noted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from domain.events import (
    AnswerTaken,
    Event,
    NoteTaken,
    QuestionSelected,
    SettingChanged,
    SpeechStarted,
    Supervised,
)
from domain.vocabulary import DIFFICULTIES
from review.record.timeline import medium_of
from review.report.answers import GivenAnswer
from review.report.models import ReportedAnswer, ReportedNote


def performance_notes(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    """The notes as sentences, the difficulty's course first."""
    return [*_course_of_difficulty(events), *_outside(given)]


def reported_notes(events: Sequence[Event], answers: Sequence[ReportedAnswer]) -> list[ReportedNote]:
    """What somebody who watched noted, each with the answer that it is about.

    Args:
        events: of the interview, in order.
        answers: as they are reported.
    """
    numbers = {part.turn: number for number, answer in enumerate(answers, 1) for part in answer.parts}
    numbers |= {answer.turn: number for number, answer in enumerate(answers, 1)}
    noted = [event for event in events if isinstance(event, NoteTaken)]
    return [ReportedNote(answer=numbers.get(each.turn, 0), by=each.by, note=each.note) for each in noted]


def _course_of_difficulty(events: Sequence[Event]) -> Iterator[str]:
    asked = asked_questions(events)
    chosen = {event.question_id: event for event in events if isinstance(event, QuestionSelected)}
    course = [(number, one) for number, one in enumerate(chosen.values(), 1) if one.question_id in asked]
    wished = {event.turn for event in events if isinstance(event, SettingChanged) and event.what == "difficulty"}
    decided = {event.turn: event for event in events if isinstance(event, Supervised)}
    for (_, before), (number, after) in pairwise(course):
        levels = (before.difficulty, after.difficulty)
        if levels[0] != levels[1]:
            way = "up" if DIFFICULTIES.index(after.difficulty) > DIFFICULTIES.index(before.difficulty) else "down"
            asked_for = wished & set(range(before.turn + 1, after.turn + 1))
            why = ", as the candidate asked" if asked_for else _why(way, decided.get(after.turn))
            yield f"The difficulty went {way} from {levels[0]} to {levels[1]} at question {number}{why}."


def _why(way: str, decided: Supervised | None) -> str:
    """Why the supervisor moved it, as the end of a sentence; nothing where it does not say, as in old records."""
    if decided is None:
        return ""
    average = "" if decided.ema is None else f": {decided.ema:.1f} of 10 on average, the latest counting most"
    match way, decided.difficulty_reason:
        case "down", "low_scores":
            return f", easier, because the answers so far had little of what was asked for{average}"
        case "up", "high_scores":
            return f", harder, because the answers so far had nearly all of what was asked for{average}"
        case _, "plan":
            return ", as planned"
        case _:
            return ""


def _outside(given: Sequence[GivenAnswer]) -> Iterator[str]:
    skipped = sum(1 for answer in given if answer.skipped)
    unscored = sum(1 for answer in given if answer.scores is None) - skipped
    stood_in = sum(1 for answer in given if answer.scores is not None and not answer.counts)
    corrected = sum(1 for answer in given if answer.corrects)
    if unscored:
        yield f"{were(unscored, 'answer')} not scored and outside every average."
    if skipped:
        yield f"{were(skipped, 'question')} skipped and outside every average."
    if stood_in:
        yield f"{were(stood_in, 'answer')} judged by the built-in judge in place of a model, and outside every average."
    if corrected:
        yield (
            f"{were(corrected, 'answer')} corrected by the candidate: the correction counts, "
            "and what was said before it is outside every average."
        )


def were(number: int, noun: str) -> str:
    """`1 answer was`, `2 answers were`."""
    return f"{number} {noun} was" if number == 1 else f"{number} {noun}s were"


def asked_questions(events: Sequence[Event]) -> set[str]:
    """Ids of the questions that were begun aloud, or in an interview by text written; asking one again counts once."""
    asked = {event.question_id for event in events if isinstance(event, SpeechStarted) and event.speech == "question"}
    if medium_of(events) == "text":
        # Nobody types an answer to a question they have not read.
        asked |= {event.question_id for event in events if isinstance(event, AnswerTaken)}
    return asked - {""}
