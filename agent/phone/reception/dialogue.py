"""Dialogue at the reception: what is said and done before an interview, from what the caller does. Pure.

```
calling ──a key──▶ admitting                                  (somebody is called for a booked interview)
asking ──digits and #, or a pause──▶ checking ──right──▶ admitting ──▶ the interview, or over
  ▲  ▲                                  │
  │  └──────────────wrong───────────────┘
  └── nothing for a while: asked again; the third time, and after the third wrong PIN, over
```
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from agent.phone.reception.spoken_digits import digits_of, wants_practice
from domain.vocabulary import PhoneKey

TRIES = 3
"""PINs that may be wrong, and silences there may be, before the call is ended."""
MOST_UNCLEAR = 6
"""How often something may be pressed or said that leads nowhere: a radio may be on beside the phone."""
MOST_DIGITS = 12
"""No PIN is longer."""

Stage = Literal["calling", "asking", "checking", "admitting", "over"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds at a reception."""

    practice: bool = False
    """Whoever has no PIN may have a short practice interview."""
    silence_s: float = 12.0
    """How long nothing may be pressed or said after a question."""
    pause_s: float = 4.0
    """How long a pause between two keys may be: after it the PIN is complete without a `#`."""
    said_pause_s: float = 2.5
    """… and between two stretches of digits that are said, from when they were recognised."""


@dataclass(frozen=True, slots=True)
class Reception:
    """Where a call is before its interview."""

    stage: Stage = "asking"
    digits: str = field(default="", repr=False)
    """Of the PIN, so far."""
    wrong: int = 0
    """PINs that were refused."""
    silent: int = 0
    """Questions to which nothing was said."""
    unclear: int = 0
    """What was pressed or said, and is no PIN."""


# What happens.


@dataclass(frozen=True, slots=True)
class KeyHeard:
    """The caller pressed a key."""

    key: PhoneKey


@dataclass(frozen=True, slots=True)
class WordsHeard:
    """The caller said something."""

    text: str
    over_us: bool = False
    """While we spoke: it may be an echo."""


@dataclass(frozen=True, slots=True)
class NothingHeard:
    """The time that was given is over."""


@dataclass(frozen=True, slots=True)
class PinRight:
    """The PIN stands for something."""


@dataclass(frozen=True, slots=True)
class PinWrong:
    """The PIN does not count; `barred` when no other one is looked at for a while either."""

    barred: bool = False


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """There is no interview for this caller now."""

    why: str
    """A heading of `wording.md`."""


Happened = KeyHeard | WordsHeard | NothingHeard | PinRight | PinWrong | NotAdmitted


# What is done about it, in order.


@dataclass(frozen=True, slots=True)
class Speak:
    """Say something; what is being said stops."""

    situation: str
    """A heading of `wording.md`."""


@dataclass(frozen=True, slots=True)
class Hush:
    """Stop what is being said: the caller has begun to answer."""


@dataclass(frozen=True, slots=True)
class Await:
    """Tell when nothing has happened for so long, counted from the end of what is said."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """Find out what a PIN stands for."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Admit:
    """Have the interview: the one a PIN or a booking stands for, or one to practise."""

    by: Literal["pin", "booking", "practice"]


@dataclass(frozen=True, slots=True)
class HangUp:
    """End the call when everything was said."""


Action = Speak | Hush | Await | Check | Admit | HangUp
Decided = tuple[Reception, tuple[Action, ...]]


def opened(rules: Rules, *, outbound: bool = False) -> Decided:
    """The beginning of a call.

    Args:
        rules: what holds here.
        outbound: we have called somebody, or their answering machine: nothing personal is said before they react.
    """
    if outbound:
        return Reception("calling"), (Speak("calling"), Await(rules.silence_s))
    return Reception(), (Speak("greeting.practice" if rules.practice else "greeting"), Await(rules.silence_s))


def after(reception: Reception, happened: Happened, rules: Rules) -> Decided:
    """What follows from what happened."""
    match reception.stage:
        case "calling":
            return _called(reception, happened, rules)
        case "asking":
            return _asked(reception, happened, rules)
        case "checking":
            return _checked(reception, happened, rules)
        case "admitting" if isinstance(happened, NotAdmitted):
            return _over(reception, happened.why)
        case _:
            return reception, ()


def _called(reception: Reception, happened: Happened, rules: Rules) -> Decided:
    match happened:
        case KeyHeard():
            return replace(reception, stage="admitting"), (Hush(), Admit("booking"))
        case NothingHeard() if reception.silent + 1 < TRIES:
            return replace(reception, silent=reception.silent + 1), (Speak("calling"), Await(rules.silence_s))
        case NothingHeard():
            return replace(reception, stage="over"), (HangUp(),)
        case _:
            # A machine speaks too.
            return reception, ()


def _asked(reception: Reception, happened: Happened, rules: Rules) -> Decided:
    match happened:
        case KeyHeard(key):
            return _pressed(reception, key, rules)
        case WordsHeard(text, over_us):
            return _said(reception, text, rules, over_us=over_us)
        case NothingHeard():
            return _entered(reception) if reception.digits else _silence(reception, rules)
        case _:
            return reception, ()


def _pressed(reception: Reception, key: PhoneKey, rules: Rules) -> Decided:
    if key == "#":
        return _entered(reception) if reception.digits else _without_pin(reception, rules)
    if key == "*":
        return _unclear(replace(reception, digits=""), "again", rules)
    return _more(reception, key, rules, pause_s=rules.pause_s)


def _said(reception: Reception, text: str, rules: Rules, *, over_us: bool) -> Decided:
    if digits := digits_of(text):  # Nothing that we say is made of digits, so this is no echo.
        return _more(reception, digits, rules, pause_s=rules.said_pause_s)
    if over_us:
        return reception, ()
    if wants_practice(text):
        return _without_pin(reception, rules)
    return _unclear(reception, "not_digits", rules)


def _more(reception: Reception, digits: str, rules: Rules, *, pause_s: float) -> Decided:
    so_far = reception.digits + digits
    if len(so_far) > MOST_DIGITS:
        return _wrong(replace(reception, digits=""), "too_long", rules)
    return replace(reception, digits=so_far), (Hush(), Await(pause_s))


def _entered(reception: Reception) -> Decided:
    return replace(reception, stage="checking", digits=""), (Hush(), Check(reception.digits))


def _without_pin(reception: Reception, rules: Rules) -> Decided:
    if rules.practice:
        return replace(reception, stage="admitting"), (Hush(), Admit("practice"))
    return _unclear(reception, "pin_needed", rules)


def _unclear(reception: Reception, situation: str, rules: Rules) -> Decided:
    unclear = reception.unclear + 1
    if unclear >= MOST_UNCLEAR:
        return _over(reception, "not_understood")
    return replace(reception, unclear=unclear), (Speak(situation), Await(rules.silence_s))


def _silence(reception: Reception, rules: Rules) -> Decided:
    silent = reception.silent + 1
    if silent >= TRIES:
        return _over(reception, "nothing_heard")
    return replace(reception, silent=silent), (Speak("still_there"), Await(rules.silence_s))


def _checked(reception: Reception, happened: Happened, rules: Rules) -> Decided:
    match happened:
        case PinRight():
            return replace(reception, stage="admitting"), (Admit("pin"),)
        case PinWrong(barred=True):
            return _over(reception, "barred")
        case PinWrong():
            return _wrong(replace(reception, stage="asking"), "wrong", rules)
        case NotAdmitted(why):
            return _over(reception, why)
        case _:
            # What is pressed meanwhile belongs to no PIN.
            return reception, ()


def _wrong(reception: Reception, situation: str, rules: Rules) -> Decided:
    wrong = reception.wrong + 1
    if wrong >= TRIES:
        return _over(reception, "wrong.last")
    return replace(reception, wrong=wrong), (Speak(situation), Await(rules.silence_s))


def _over(reception: Reception, situation: str) -> Decided:
    return replace(reception, stage="over", digits=""), (Speak(situation), HangUp())
