"""Keypad during an interview: each key is the twin of something that can be asked for aloud. Pure.

A request goes the way of a recognised one, without being recognised (`Interviewer.press`); the rest is about the call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeGuard, get_args

from domain.vocabulary import PhoneKey, Request

REQUESTS: dict[PhoneKey, Request] = {
    "1": "repeat",
    "2": "rephrase",
    "3": "hint",
    "4": "skip",
    "5": "slower",
    "6": "faster",
    "7": "time_left",
    "#": "hold",
}
"""Keys that ask for what a candidate can say, too."""
SURE_WITHIN_S = 15.0
"""Nine ends the interview when it is pressed once more within this time: it is easily touched by mistake."""

MORE_HELP_WITHIN_S = 30.0
"""Zero tells about all keys when it is pressed once more within this time; that takes long to listen to."""

Command = Literal["help", "all_help", "finished", "pause", "go_on", "sure", "nothing"]
"""What the other keys do: tell about the most used keys or all, end the answer, pause, go on, ask whether to end."""


@dataclass(frozen=True, slots=True)
class Keypad:
    """What is remembered of the keys before."""

    paused: bool = False
    """An eight has paused the interview."""
    nine_at: float = float("-inf")
    """When it was asked whether the end is meant, in seconds since the epoch."""
    help_at: float = float("-inf")
    """When the most used keys were told, in seconds since the epoch; as if never once all were."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a key means."""

    keypad: Keypad
    request: Request | None = None
    """What it asks for, like words; None when it asks for nothing of the kind."""
    command: Command = "nothing"


def is_key(digit: str) -> TypeGuard[PhoneKey]:
    """Whether this is a key that phones have."""
    return digit in get_args(PhoneKey)


def pressed(keypad: Keypad, key: PhoneKey, now: float) -> Pressed:
    """What a key means now.

    Args:
        keypad: what is remembered.
        key: the key.
        now: seconds since the epoch.
    """
    other = replace(keypad, nine_at=float("-inf"))
    if key == "8":
        return Pressed(replace(other, paused=not keypad.paused), command="go_on" if keypad.paused else "pause")
    if keypad.paused:
        return Pressed(other)
    if key == "9":
        if now - keypad.nine_at <= SURE_WITHIN_S:
            return Pressed(other, request="stop")
        return Pressed(replace(keypad, nine_at=now), command="sure")
    if key == "0":
        is_again = now - keypad.help_at <= MORE_HELP_WITHIN_S
        return Pressed(
            replace(other, help_at=float("-inf") if is_again else now), command="all_help" if is_again else "help"
        )
    return Pressed(other, request=REQUESTS.get(key), command="finished" if key == "*" else "nothing")
