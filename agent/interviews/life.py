"""Life of an interview: the states it goes through, and what follows from each event. Pure; `run` carries out.

    Idle ──Paused──▶ Speculating      Idle, Speculating: the next words are a turn
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

from agent.interviews.life_events import (
    NO_TURN,
    AskedToEnd,
    Began,
    Called,
    CutShort,
    Due,
    DueKind,
    Ended,
    Failed,
    Finished,
    GivenUp,
    Heard,
    LifeEvent,
    Paused,
    Released,
    Restored,
    Said,
    Stopped,
    Took,
    Turn,
    Waits,
)
from domain.vocabulary import EndReason, SpeechKind

# The states.


@dataclass(frozen=True, slots=True)
class Idle:
    """The graph rests, and the next words are a turn of their own."""


@dataclass(frozen=True, slots=True)
class Speculating:
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


State = Idle | Speculating | Opening | Judging | Speaking | CutOff | Waiting | Closing | Over


@dataclass(frozen=True, slots=True)
class Life:
    """Where an interview is in its life."""

    state: State = Idle()
    turn: Turn = NO_TURN
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
    def may_speculate(self) -> bool:
        """A pause may be the end of an answer to a question that was heard."""
        return isinstance(self.state, Idle | Speculating) and self.asked and self.due is None

    @property
    def hears_rest_of_what_was_stopped(self) -> bool:
        """The candidate was stopped, and what comes next was not heard: words are what was left of the answer."""
        return self.turn.is_cut_short and not self.turn.is_settled


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
        case Paused(text) if life.may_speculate:
            life = replace(life, state=Speculating(text))
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
        case Restored(turn):
            life = replace(life, turn=turn)
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
