"""Turn taking of the candidate: what the interviewer's words, as captions show them, ask of it. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.conversation.phrases import PHRASES
from agent.rehearsal.matching import Asked, QuestionFinder
from agent.rehearsal.persona import Gets

_ASKS_BACK = re.compile(
    r"(?:^|[.,;!?]\s+)(?:would you like|did you want|did you mean|do you want) [^?]+\?\s*$", re.IGNORECASE
)


def what_was_asked(heard: Sequence[str], *, before: Asked | None, gets: Gets, finder: QuestionFinder) -> Asked | None:
    """The question that is open now.

    The last caption decides: before it there is feedback, which may name what other questions are about. When nothing
    was asked ("Take your time."), the question before still stands. So it does after a request that gets only a reply,
    which may be put as a question ("Could you say it again?"), unless a question of the pack was heard.

    Args:
        heard: the captions since the candidate's last words, in order.
        before: the question that was open then.
        gets: what the candidate's last words should be followed by.
        finder: knows the questions of the pack.

    """
    if not heard:
        return before
    everything, last = " ".join(heard), heard[-1]
    if gets == "question":
        found = finder.find(last, before.question if before else None)
        if found is not None and not found.follow_up:
            return found
    else:
        found = None
    if finder.is_question_of_pack(everything):
        return finder.find(everything)
    return found if found is not None and sounds_asked(last) else before


def is_my_turn(heard: Sequence[str], *, gets: Gets, finder: QuestionFinder) -> bool:
    """Whether it was said what the candidate waits for: a question, or the reply to a request."""
    if not heard:
        return False
    return gets == "reply" or sounds_asked(heard[-1]) or finder.is_question_of_pack(" ".join(heard))


def asks_back(heard: Sequence[str]) -> bool:
    """Whether the interviewer only wants to know if a request was meant ("Would you like a hint?")."""
    return bool(heard) and _ASKS_BACK.search(heard[-1]) is not None


def is_acknowledgement(heard: str) -> bool:
    """Whether this is no more than an "okay", or the beginning of one: what follows an answer comes after it."""
    return any(way.startswith(heard.strip()) for way in PHRASES.ways("acknowledgement"))


END_OF_SPEECH_S = 0.8
"""Silence after which the interviewer has finished; sentences of a voice are at most 0.5 s apart."""
PUZZLED_S = 4.0
"""Silence after which the candidate speaks although nothing was heard that sounds like a question."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What the candidate can tell about whose turn it is."""

    state: str | None
    """What the interviewer says it is doing; None when nobody is there."""
    quiet_s: float
    """Since the interviewer's last sound."""
    heard: bool
    """Whether the interviewer has spoken since the candidate did."""
    asked: bool
    """Whether that sounded like a question."""


def may_speak(floor: Floor) -> bool:
    """Whether the interviewer has finished and waits for the candidate.

    Silence alone is not enough: between feedback and question there may be seconds of it while the interviewer thinks.
    """
    if floor.state != "listening" or not floor.heard:
        return False
    return floor.quiet_s >= (END_OF_SPEECH_S if floor.asked else PUZZLED_S)


def sounds_asked(text: str) -> bool:
    """Whether words end like a question."""
    return text.rstrip().endswith("?")
