"""What the candidate asked the next question to be."""

from __future__ import annotations

from dataclasses import dataclass

from graph.intents import DetectedIntent
from graph.planning.plan import easier, harder
from graph.turns import MOVE
from rag.packs import Difficulty


@dataclass(frozen=True, slots=True)
class Wish:
    """The next question as the candidate wants it. Nothing of it is planned, and it has priority over what is."""

    another: bool = False
    """A question of its own, and no follow-up."""
    other_topic: bool = False
    topic: str = ""
    """What the topic should be, in the candidate's words; empty when they named none."""
    difficulty: Difficulty | None = None


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
        case _:
            return Wish(another=True)
