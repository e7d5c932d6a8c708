"""Life of an interview: the states it goes through, and what follows from each event. Pure; `run` carries out.

    Idle ──Paused──▶ Guessing ──┐      Idle, Guessing: the next words are a turn
      │                         │
      ├──Took───────────────────┴──▶ Judging ──Finished──▶ Speaking ──Heard(question)──▶ Idle
      │                               │  ▲   └─Waits──▶ Waiting ──Released──▶ Judging
      │                         Stopped  Took, Began
      │                               ▼  │
      ├──Began──▶ Opening            CutOff
      └──Heard(closing)──▶ Closing ──Ended──▶ Over

While a turn is judged or spoken, and nothing that settles it was heard, more words of the candidate's go on with it:
the turn before is taken back and both parts are one answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal

from domain.events import AnswerTaken
from domain.vocabulary import EndReason, SpeechKind

if TYPE_CHECKING:
    from domain.progress import Progress

DueKind = Literal["begin", "resume", "end"]
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


# The states.


@dataclass(frozen=True, slots=True)
class Idle:
    """The graph rests, and the next words are a turn of their own."""


@dataclass(frozen=True, slots=True)
class Guessing:
    """The same; and the graph works ahead, on a fork, as if these words were the whole answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """The graph works on something that is no turn: the greeting, the way back after a break, the goodbye."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The graph works on the turn."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """The graph has said all of the turn, and the candidate has not heard what settles it."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """The graph was stopped in the middle of the turn: by a failure, or because the candidate went on."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person has to look at the turn before the interview goes on."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Goodbye is being heard: words are no answers any more."""


@dataclass(frozen=True, slots=True)
class Over:
    """It has ended."""

    reason: EndReason


State = Idle | Guessing | Opening | Judging | Speaking | CutOff | Waiting | Closing | Over


@dataclass(frozen=True, slots=True)
class Life:
    """Where an interview is in its life."""

    state: State = Idle()
    turn: Turn = Turn(0)
    """The last turn."""
    asked: bool = False
    """A question was heard since this process opened the interview."""
    due: DueKind | None = None
    """To be said next, whatever the candidate says."""
    work: int = 0
    """Number of what was asked for last. What ends later than the next has begun changes nothing."""
    failures: int = 0
    """Pieces of work that failed in a row."""
    ends: EndReason | None = None
    """Why goodbye is said, when it is not the graph that decided on it."""
    cuts_short: bool = False
    """The candidate was stopped; the words so far are the next turn."""

    @property
    def may_guess(self) -> bool:
        """A pause may be the end of an answer to a question that was heard."""
        return isinstance(self.state, Idle | Guessing) and self.asked and self.due is None

    @property
    def hears_rest_of_what_was_stopped(self) -> bool:
        """The candidate was stopped, and what comes next was not heard: words are what was left of the answer."""
        return self.turn.is_cut_short and not self.turn.is_settled


# The events.


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
    Due | AskedToEnd | Began | Took | Called | Said | Finished | Stopped | Failed | GivenUp | Waits | Released | Paused
    | CutShort | Heard | Ended
)  # fmt: skip


def after(life: Life, event: LifeEvent) -> Life:
    """The life after an event. What is over stays over."""
    if isinstance(life.state, Over):
        return life
    return _of_driver(_of_graph_begun(_of_graph_ended(life, event), event), event)


def _of_driver(life: Life, event: LifeEvent) -> Life:
    """What the driver tells."""
    match event:
        case Due(kind):
            # Whoever wants to go is not asked anything more.
            life = replace(life, due="end" if life.ends else kind)
        case AskedToEnd(reason):
            life = replace(life, ends=life.ends or reason)
        case CutShort():
            life = replace(life, cuts_short=True)
        case Paused(text) if life.may_guess:
            life = replace(life, state=Guessing(text))
        case Heard(kind, number):
            life = _heard(life, kind, number)
        case Ended(reason):
            life = replace(life, state=Over(reason))
        case _:
            pass
    return life


def _of_graph_begun(life: Life, event: LifeEvent) -> Life:
    """What the graph is given, and when it has to wait."""
    match event:
        case Called():
            life = replace(life, work=life.work + 1)
        case Began():
            life = replace(_stay(life, Judging() if life.turn.is_open else Opening()), due=None)
        case Took(turn):
            turn = replace(turn, is_open=True, is_cut_short=life.cuts_short)
            life = replace(_stay(life, Judging()), turn=turn, cuts_short=False)
        case Waits():
            life = _stay(life, Waiting())
        case Released():
            life = _stay(life, Judging())
        case _:
            pass
    return life


def _of_graph_ended(life: Life, event: LifeEvent) -> Life:
    """What comes of what the graph was given."""
    match event:
        case Said(work, kind) if work == life.work:
            life = replace(life, turn=replace(life.turn, said=life.turn.said | {kind}))
        case Finished(work) if work == life.work:
            life = replace(life, failures=0)
            life = life if isinstance(life.state, Waiting) else _at_rest(_closed(life))
        case Stopped(work) if work == life.work and not isinstance(life.state, Waiting):
            life = _stay(life, CutOff()) if life.turn.is_open else _at_rest(life)
        case Failed():
            life = replace(_stay(life, CutOff()), failures=life.failures + 1)
        case GivenUp(lost):
            if lost is not None and lost > life.turn.number:
                life = replace(life, turn=Turn(lost))
            life = _at_rest(_closed(life))
        case _:
            pass
    return life


def _at_rest(life: Life) -> Life:
    return _stay(life, Speaking() if life.turn.can_go_on else Idle())


def _closed(life: Life) -> Life:
    return replace(life, turn=replace(life.turn, is_open=False))


def _stay(life: Life, state: State) -> Life:
    """Another state, but once goodbye is heard nothing takes it back."""
    return life if isinstance(life.state, Closing) else replace(life, state=state)


def _heard(life: Life, kind: SpeechKind, number: int) -> Life:
    if number == life.turn.number:
        life = replace(life, turn=replace(life.turn, heard=life.turn.heard | {kind}))
    if kind == "closing":
        return replace(life, state=Closing())
    if isinstance(life.state, Speaking):
        life = _at_rest(life)
    return replace(life, asked=life.asked or kind == "question")


# What to do with words.


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
