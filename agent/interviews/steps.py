"""Steps that words of the candidate's lead to: a turn of their own, more of the last, or something else first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from agent.interviews.life import Closing, Life, Over

if TYPE_CHECKING:
    from domain.progress import Progress


class Step(Enum):
    """What the candidate's words lead to."""

    NOTHING = "goodbye was said: they are no answer"
    FINISH = "what was left unfinished comes first; the turn they would be has not begun, or never will"
    ASK = "nobody has heard the open question: it is asked"
    JOIN = "they go on with the last turn"
    BEGIN = "they are a turn"


@dataclass(frozen=True, slots=True)
class Manners:
    """What a medium lets a candidate do."""

    barge_in: bool
    """They may speak while the interviewer does, or before. Else whoever answers has read all that was said."""
    retries: bool
    """They can ask for a turn that failed to be tried once more, before it is given up."""


VOICE = Manners(barge_in=True, retries=False)
TEXT = Manners(barge_in=False, retries=True)


def step(life: Life, progress: Progress, manners: Manners) -> Step:
    """What words of the candidate's lead to.

    Args:
        life: where the interview is.
        progress: what the checkpoints know.
        manners: what the medium allows.
    """
    if isinstance(life.state, Over) or (manners.barge_in and isinstance(life.state, Closing)):
        return Step.NOTHING
    joins = manners.barge_in and life.turn.can_go_on
    takes_over = manners.barge_in and life.asked
    unfinished = (
        life.ends is not None  # Goodbye was stopped before it was heard.
        or progress.turn < 0  # The greeting was stopped before the graph had anything.
        or (progress.is_over and not joins)
        or progress.waits_for_review
        or (progress.cut_off and not takes_over)
        or (is_unsent(life, progress) and not joins)
    )
    if unfinished:
        return Step.FINISH
    if not life.asked:
        return Step.ASK
    return Step.JOIN if joins else Step.BEGIN


def is_unsent(life: Life, progress: Progress) -> bool:
    """True when the last answer was taken, and the graph never got it."""
    return life.turn.is_open and life.turn.number > progress.turn
