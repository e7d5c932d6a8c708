"""Events in the life of an interview, and the turn that they are about; `life` says what follows from each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domain.events import AnswerTaken
from domain.vocabulary import EndReason, SpeechKind

DueKind = Literal["begin", "resume", "return", "end"]
"""What an interview has to say of itself, without words of the candidate's."""
_MOVES_ON: frozenset[SpeechKind] = frozenset({"question", "closing"})
_NOTHING: frozenset[SpeechKind] = frozenset()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the candidate's."""

    number: int
    """From 1; never given twice. 0 stands for no turn yet."""
    answer: AnswerTaken | None = None
    before: str = ""
    """Checkpoint to come back to when the turn turns out not to be over; empty when an earlier process took it."""
    is_open: bool = False
    """The graph was or will be given it, and has neither finished it nor given it up."""
    is_cut_short: bool = False
    """The candidate had to be stopped."""
    said: frozenset[SpeechKind] = _NOTHING
    """What came back from the graph."""
    heard: frozenset[SpeechKind] = _NOTHING
    """What of it the candidate heard at least the beginning of."""

    @property
    def has_moved_on(self) -> bool:
        """The next question or the goodbye was heard."""
        return not self.heard.isdisjoint(_MOVES_ON)

    @property
    def is_settled(self) -> bool:
        """Words of the candidate's are no part of this turn any more.

        A reply settles it unless a question follows that was not heard: nothing is answered that nobody heard.
        """
        return self.has_moved_on or ("reply" in self.heard and not self.is_open and "question" not in self.said)

    @property
    def can_go_on(self) -> bool:
        """More words would be one answer with those of this turn."""
        return bool(self.before) and not self.is_settled


NO_TURN = Turn(0)
"""The candidate has said nothing yet."""


@dataclass(frozen=True, slots=True)
class Restored:
    """An earlier process had come to this turn."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Due:
    """Something has to be said next."""

    kind: DueKind


@dataclass(frozen=True, slots=True)
class AskedToEnd:
    """Goodbye is to be said for this reason; the graph did not decide on it."""

    reason: EndReason


@dataclass(frozen=True, slots=True)
class Began:
    """The graph was given what was due."""


@dataclass(frozen=True, slots=True)
class Took:
    """The graph was given a turn."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody asks for what the interviewer has to say; what they asked for before is done with."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words came back from the graph."""

    work: int
    kind: SpeechKind


@dataclass(frozen=True, slots=True)
class Finished:
    """All of a piece of work was done and said."""

    work: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """A piece of work was stopped before its end: nobody wants to hear the rest."""

    work: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A piece of work failed."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What failed is done with."""

    lost: int | None
    """Number of the turn that does not count; None when no answer is lost."""


@dataclass(frozen=True, slots=True)
class Waits:
    """A person has to look at the turn."""


@dataclass(frozen=True, slots=True)
class Released:
    """A person has looked at it, and the graph goes on."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The candidate fell silent after these words, and the graph works ahead on them."""

    text: str


@dataclass(frozen=True, slots=True)
class CutShort:
    """The candidate is stopped: they have spoken for minutes."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The candidate hears the beginning of something."""

    kind: SpeechKind
    turn: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The interview is over."""

    reason: EndReason


LifeEvent = (
    Restored | Due | AskedToEnd | Began | Took | Called | Said | Finished | Stopped | Failed | GivenUp | Waits
    | Released | Paused | CutShort | Heard | Ended
)  # fmt: skip
