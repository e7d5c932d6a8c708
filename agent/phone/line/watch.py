"""Watch over a call: what the line does when an interviewer does not come, goes, or the server does. Pure.

Nobody at a telephone sees why it is silent, so silence is never longer than a few seconds: something is said, something
is tried, and after half a minute the call is ended with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.phone.line.sentences import Sentence

RoomState = Literal["outside", "inside", "away", "closed"]
"""Not yet or no longer in the room; in it; in it, with the connection lost at the moment; it was closed on purpose."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long what may take; seconds."""

    interviewer_s: float = 20.0
    """Until an interviewer is there at first."""
    again_s: float = 30.0
    """Until an interviewer or the server is there again."""
    silence_s: float = 20.0
    """Without a packet of the telephone."""


@dataclass(frozen=True, slots=True)
class Facts:
    """How things are."""

    room: RoomState
    has_interviewer: bool
    is_over: bool
    """The interviewer said that it is over."""
    since_heard_s: float
    """Since the last packet of the telephone came; 0 while none is expected."""
    suppresses_silence: bool = False
    """Whether the telephone sends nothing while its user is quiet, and has told so by comfort noise (RFC 3389)."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say a sentence."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class CallInterviewer:
    """Ask for an interviewer in the room, once more if need be."""


@dataclass(frozen=True, slots=True)
class Join:
    """Go into the room (again)."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """End the call."""

    why: str
    sentence: Sentence | None = None
    """To be said before."""


Action = Say | CallInterviewer | Join | HangUp

_BLINK_S = 1.5
"""A connection that is lost for less than this is no matter."""
_CONNECTING_AFTER_S = 3.0
_SAID_EVERY_S = 10.0
_QUIET_S = 180.0
"""So long a telephone that suppresses silence may send nothing: somebody listens, and thinks."""
_TRIED_EVERY_S = 4.0


class CallWatch:
    """Follows one call. `step` it some times a second."""

    def __init__(self, now: float, limits: Limits) -> None:
        self._limits = limits
        self._missing_since: float | None = now
        self._away_since: float | None = None
        self._had_interviewer = False
        self._said_at: float | None = None
        self._called_at: float | None = None
        self._joined_at: float | None = None

    def step(self, facts: Facts, now: float) -> list[Action]:
        """What is to be done now; `now` in seconds."""
        if facts.is_over:
            return [HangUp("the interviewer has ended it")]
        if facts.room == "closed":
            return [HangUp("the room was closed")]
        if facts.since_heard_s > self._silence_s(facts):
            return [HangUp("the telephone sends nothing any more")]
        if facts.room == "inside":
            self._away_since = None
            return list(self._inside(facts, now))
        return list(self._outside(facts, now))

    def _inside(self, facts: Facts, now: float) -> Iterator[Action]:
        if facts.has_interviewer:
            self._missing_since = self._said_at = self._called_at = None
            self._had_interviewer = True
            return
        if self._missing_since is None:
            self._missing_since = now
        missing_s = now - self._missing_since
        limit_s = self._limits.again_s if self._had_interviewer else self._limits.interviewer_s
        if missing_s > limit_s:
            sentence: Sentence = "call_again" if self._had_interviewer else "no_interviewer"
            yield HangUp("no interviewer came", sentence)
            return
        if self._is_due(self._called_at, _TRIED_EVERY_S, now):
            # Whoever is on the way is not called twice: livekit-server knows, and the worker refuses a second job.
            self._called_at = now
            yield CallInterviewer()
        if self._had_interviewer:
            yield from self._say_now_and_then("interviewer_gone", missing_s, 0.0, now)
        else:
            yield from self._say_now_and_then("connecting", missing_s, _CONNECTING_AFTER_S, now)

    def _outside(self, facts: Facts, now: float) -> Iterator[Action]:
        if self._away_since is None:
            self._away_since = now
        away_s = now - self._away_since
        if away_s > (self._limits.again_s if self._had_interviewer else self._limits.interviewer_s):
            yield HangUp(
                "livekit-server cannot be reached", "call_again" if self._had_interviewer else "no_interviewer"
            )
            return
        if facts.room == "outside" and self._is_due(self._joined_at, _TRIED_EVERY_S, now):
            self._joined_at = now
            yield Join()
        if self._had_interviewer:
            yield from self._say_now_and_then("server_gone", away_s, _BLINK_S, now)
        else:
            yield from self._say_now_and_then("connecting", away_s, _CONNECTING_AFTER_S, now)

    def _say_now_and_then(self, sentence: Sentence, lasts_s: float, after_s: float, now: float) -> Iterator[Action]:
        if lasts_s >= after_s and self._is_due(self._said_at, _SAID_EVERY_S, now):
            self._said_at = now
            yield Say(sentence)

    def _silence_s(self, facts: Facts) -> float:
        silence_s = self._limits.silence_s
        return max(silence_s, _QUIET_S) if facts.suppresses_silence else silence_s

    @staticmethod
    def _is_due(last: float | None, every_s: float, now: float) -> bool:
        return last is None or now - last >= every_s
