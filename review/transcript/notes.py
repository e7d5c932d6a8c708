"""Notes beside what was said: the plan, what was asked to be different, a person's review, a turn given up, a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from domain.events import (
    CallBegan,
    CallEnded,
    Event,
    HoldBegan,
    HoldEnded,
    KeyPressed,
    PlanMade,
    ReviewReleased,
    ReviewRequested,
    SettingChanged,
    TurnVoided,
)
from review.record import call_words
from review.record.titles import topic_titles
from review.transcript.models import NoteKind

_SENTENCES: Mapping[tuple[str, str | float], str] = {
    ("feedback", "coach"): "From here on feedback says what was missing, as the candidate asked.",
    ("feedback", "interviewer"): "From here on feedback gives nothing away, as the candidate asked.",
    ("feedback", "exam"): "From here on feedback is kept for the report, as the candidate asked.",
    ("mode", "plan"): "The candidate asked for a technical assessment: questions come from the plan from here on.",
    ("mode", "resume"): "The candidate asked for their own work: questions come from their résumé from here on.",
}
_DIFFICULTY = "The candidate asked for another difficulty: {} from here on."
_PATIENCE = "The interviewer's patience with pauses is {} from here on, as the candidate asked."
_PACE = "The interviewer speaks at {:.0%} of the usual speed from here on, as the candidate asked."
_HELD = "The interview is on hold: from here on nothing is heard, and no time is counted."
_BACK = "The interview goes on after the hold."
_VOIDED = "Something failed, and this turn was given up: nothing in it is scored."


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note and where it belongs."""

    kind: NoteKind
    text: str
    at: float
    """Seconds since the epoch."""
    index: int
    """Place of its event in the record."""


def transcript_notes(events: Sequence[Event]) -> list[PlacedNote]:
    """The notes of an interview, in the order of the record."""
    titles = topic_titles(events)
    return [
        PlacedNote(kind, text, event.at, index)
        for index, event in enumerate(events)
        for kind, text in _of_event(event, titles)
    ]


def setting_sentence(change: SettingChanged) -> str:
    """What is different from now on, as a sentence."""
    if isinstance(change.value, float):
        return _PACE.format(change.value)
    if change.what == "patience":
        return _PATIENCE.format(change.value)
    return _SENTENCES.get((change.what, change.value), _DIFFICULTY.format(change.value))


def _of_event(event: Event, titles: Mapping[str, str]) -> Iterator[tuple[NoteKind, str]]:
    match event:
        case PlanMade():
            yield "plan", _plan(event, titles)
        case SettingChanged():
            yield "setting", setting_sentence(event)
        case ReviewRequested():
            why = f": {event.why}" if event.why else "."
            yield "review", f"A person was asked to look at this turn{why}"
        case ReviewReleased():
            said = f": “{event.note}”" if event.note else "."
            yield "review", f"{event.by or 'A person'} looked at this turn and let the interview go on{said}"
        case TurnVoided():
            yield "voided", _VOIDED
        case _:
            yield from _of_call(event)


def _of_call(event: Event) -> Iterator[tuple[NoteKind, str]]:
    match event:
        case CallBegan():
            yield "call", call_words.call_began(event)
        case CallEnded():
            yield "call", call_words.call_ended(event)
        case HoldBegan():
            yield "call", _HELD
        case HoldEnded():
            yield "call", _BACK
        case KeyPressed():
            yield "key", call_words.key_pressed(event)
        case _:
            pass


def _plan(plan: PlanMade, titles: Mapping[str, str]) -> str:
    levels: dict[str, list[str]] = {}
    for topic, level in zip_longest(plan.topics, plan.difficulty_curve[: len(plan.topics)], fillvalue=""):
        levels.setdefault(topic, []).append(level)
    topics = [_planned(titles.get(topic, topic), difficulties) for topic, difficulties in levels.items()]
    planner = "" if plan.by in ("", "rules") else f" by {plan.by}"
    count = "1 question" if plan.target_questions == 1 else f"{plan.target_questions} questions"
    return f"Planned{planner}: {count}. {'; '.join(topics)}".rstrip(". ") + "."


def _planned(title: str, levels: Sequence[str]) -> str:
    times = f"{len(levels)}x " if len(levels) > 1 else ""
    named = ", then ".join(dict.fromkeys(level for level in levels if level))
    return f"{times}{title} ({named})" if named else f"{times}{title}"
