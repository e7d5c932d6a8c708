"""Requested question: what the candidate asked the next question to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.vocabulary import DIFFICULTIES, Difficulty
from graph.dialogue.policy import MOVE
from graph.intents import ACTS_ABOVE, DetectedIntent
from graph.planning.plan import easier, harder


@dataclass(frozen=True, slots=True)
class Wish:
    """The next question as the candidate wants it. Nothing of it is planned, and it has priority over what is."""

    another: bool = False
    """A question of its own, and no follow-up."""
    other_topic: bool = False
    topic: str = ""
    """What the topic should be, in the candidate's words; empty when they named none."""
    difficulty: Difficulty | None = None
    of_resume: str = ""
    """What of their own work it should be about, in the candidate's words; empty when they did not ask for that."""


def read_wish(request: DetectedIntent | None, current: Difficulty) -> Wish:
    """The wish in a request; an empty one when the request is about something else."""
    if request is None or request.intent not in MOVE:
        return Wish()
    match request.intent:
        case "easier":
            return Wish(another=True, difficulty=easier(current))
        case "harder":
            return Wish(another=True, difficulty=harder(current))
        case "change_topic":
            return Wish(another=True, other_topic=True, topic=request.detail)
        case "about_resume":
            return Wish(another=True, of_resume=request.detail)
        case _:
            return Wish(another=True)


def wants_more(request: DetectedIntent | None) -> bool:
    """True when the candidate asked for a question that is to be different, and not only to be rid of this one."""
    return read_wish(request, "medium").another and request is not None and request.intent != "skip"


def leaning(intents: Sequence[DetectedIntent]) -> int:
    """By how many steps the candidate asked for harder (positive) or easier (negative) questions so far."""
    most, steps = len(DIFFICULTIES) - 1, 0
    for each in intents:
        if each.confidence > ACTS_ABOVE and each.intent in ("easier", "harder"):
            steps = min(most, max(-most, steps + (1 if each.intent == "harder" else -1)))
    return steps
