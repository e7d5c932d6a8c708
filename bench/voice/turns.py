"""Ends of turns, decided offline: what a policy would have done with recordings that were heard once. Pure.

A policy is asked in each silence how long to wait, counted from the moment the voice stopped, and asked again when more
words are known. Where that time passes before the candidate goes on, it ends the turn. Doing so before the true end of
the answer is a cut-off; the time from the true end to the decision is dead air. An answer that was cut off is followed
to its end all the same: how long a policy waits there does not depend on where it was wrong before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from bench.voice.figures import percentile
from bench.voice.manifest import Part, Pause, Place

NOTICED_S = 0.2
"""A silence shorter than this is between two sounds of a word; LiveKit asks its detector after as much."""
FIRST_WORD_S = 0.35
"""From the decision to the first word of a reply, at the least: feedback begun on a guess, and the first clause spoken
(docs/voice.md). Who goes on before it is let on, and hears nothing of the decision."""
EARLY_S = 0.1
"""The detector of voices may take so much of a fading last sound for silence: a decision in it is no cut-off."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Silence(_Data):
    """The detector hears no voice, in seconds of the recording."""

    start_s: float
    """When the voice stopped."""
    end_s: float
    """When it came back, or when the sound was over."""
    end_of_turn: float
    """What LiveKit's v1-mini gives for the probability that the turn is over, 0.2 s into it."""
    smart_turn: float
    """What Smart Turn gives for it, likewise."""
    all_known_at_s: float | None
    """When every word before it was recognised; None when that was not before the voice came back."""


class Words(_Data):
    """Words became known."""

    at_s: float
    text: str


class Listened(_Data):
    """A recording as it was heard: all that a policy could know, and the truth beside it."""

    id: str
    part: Part
    snr_db: float | None
    speech_start_s: float
    """When the detector first heard a voice."""
    speech_end_s: float
    """The true end."""
    pauses: tuple[Pause, ...]
    """The true pauses before it."""
    said: str
    """The true words."""
    silences: tuple[Silence, ...]
    words: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known in a silence when a policy is asked."""

    silence_s: float
    """Since the voice stopped."""
    words: str
    """Everything that was recognised of the answer so far."""
    all_known: bool
    """Whether the words before this silence are recognised to the last."""
    spoken_s: float
    """Since the answer began, pauses included, up to this silence."""
    pauses_s: tuple[float, ...]
    """The silences before this one that were noticed."""
    end_of_turn: float
    """What v1-mini gives for the probability that the turn is over."""
    smart_turn: float
    """What Smart Turn gives for it."""
    smart_turn_before: tuple[float, ...] = ()
    """What it gave for the silences before this one that were noticed."""


class EndpointingPolicy(Protocol):
    """Decides when an answer is over."""

    def wait_s(self, moment: Moment) -> float:
        """Seconds to wait from the moment the voice stopped; infinite to wait for more words first."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a policy did with one recording."""

    id: str
    cut_in: tuple[Place, ...]
    """Where the pauses lie in which it ended the turn too early."""
    spoken_into: bool
    """Whether words of a reply would have been heard before the candidate went on."""
    dead_air_s: float
    """From the true end to its decision; to the end of the recording when it never came."""
    decided: bool
    """Whether it ended the turn at all."""


@dataclass(frozen=True, slots=True)
class Balance:
    """A policy over many recordings."""

    recordings: int
    cut: int
    """Recordings in which it ended the turn too early, once or more."""
    spoken_into: int
    """Recordings in which the first word of a reply would have been heard before the candidate went on."""
    median_dead_air_s: float
    p90_dead_air_s: float
    p95_dead_air_s: float
    undecided: tuple[str, ...]
    """Recordings in which it never ended the turn."""
    cut_ids: tuple[str, ...]

    @property
    def cut_share(self) -> float:
        """Cut-offs, 0 to 1."""
        return self.cut / self.recordings

    @property
    def spoken_into_share(self) -> float:
        """Answers into which words were spoken, 0 to 1."""
        return self.spoken_into / self.recordings


@dataclass(frozen=True, slots=True)
class Knob:
    """One family of policies, and the values that its knob is tried at."""

    name: str
    policy: Callable[[float], EndpointingPolicy]
    values: tuple[float, ...]


def decisions(heard: Listened, policy: EndpointingPolicy) -> Iterator[float]:
    """When the policy would end the turn, in seconds of the recording: once at most in each silence."""
    for silence, asked in moments(heard):
        at_s = [silence.start_s + moment.silence_s for moment in asked]
        for moment, from_s, until_s in zip(asked, at_s, [*at_s[1:], silence.end_s], strict=True):
            decided_s = max(from_s, silence.start_s + policy.wait_s(moment))
            if decided_s < until_s:
                yield decided_s
                break


def moments(heard: Listened) -> Iterator[tuple[Silence, list[Moment]]]:
    """Each silence, with what is known in it whenever there is news."""
    for number, silence in enumerate(heard.silences):
        before, known_s = heard.silences[:number], silence.all_known_at_s
        yield (
            silence,
            [
                Moment(
                    silence_s=at_s - silence.start_s,
                    words=" ".join(each.text for each in heard.words if each.at_s <= at_s),
                    all_known=known_s is not None and at_s >= known_s,
                    spoken_s=silence.start_s - heard.speech_start_s,
                    pauses_s=tuple(each.end_s - each.start_s for each in before),
                    end_of_turn=silence.end_of_turn,
                    smart_turn=silence.smart_turn,
                    smart_turn_before=tuple(each.smart_turn for each in before),
                )
                for at_s in _asked_at(heard, silence)
            ],
        )


def _asked_at(heard: Listened, silence: Silence) -> list[float]:
    """When there is something to decide by: the silence is noticed, words arrive, the last of them have arrived."""
    noticed_s = silence.start_s + NOTICED_S
    news = {each.at_s for each in heard.words} | {silence.all_known_at_s or noticed_s}
    return [noticed_s, *sorted(each for each in news if noticed_s < each < silence.end_s)]


def outcome(heard: Listened, policy: EndpointingPolicy) -> Outcome:
    """What the policy did with a recording."""
    at = list(decisions(heard, policy))
    true_end_s = heard.speech_end_s - EARLY_S
    late = [each for each in at if each >= true_end_s]
    over_s = max([silence.end_s for silence in heard.silences], default=heard.speech_end_s)
    return Outcome(
        id=heard.id,
        cut_in=tuple(place_of(heard, each) for each in at if each < true_end_s),
        spoken_into=any(
            silence.start_s <= each and each + FIRST_WORD_S < silence.end_s
            for each in at
            if each < true_end_s
            for silence in heard.silences
        ),
        dead_air_s=max(0.0, (late[0] if late else over_s) - heard.speech_end_s),
        decided=bool(late),
    )


def place_of(heard: Listened, at_s: float) -> Place:
    """Where a cut-off lies: in the scripted pause that it falls into, or in a clause when there is none."""
    return next((pause.place for pause in heard.pauses if pause.start_s <= at_s <= pause.end_s), "inside")


def balance(heard: Sequence[Listened], policy: EndpointingPolicy) -> Balance:
    """A policy over recordings.

    Raises:
        ValueError: there are none.
    """
    if not heard:
        raise ValueError("a policy can be judged only over recordings, and there are none")
    outcomes = [outcome(each, policy) for each in heard]
    dead_air_s = [each.dead_air_s for each in outcomes]
    median, p90, p95 = (percentile(dead_air_s, share) for share in (0.5, 0.9, 0.95))
    assert median is not None
    assert p90 is not None
    assert p95 is not None
    cut = tuple(each.id for each in outcomes if each.cut_in)
    return Balance(
        recordings=len(outcomes),
        cut=len(cut),
        spoken_into=sum(each.spoken_into for each in outcomes),
        median_dead_air_s=median,
        p90_dead_air_s=p90,
        p95_dead_air_s=p95,
        undecided=tuple(each.id for each in outcomes if not each.decided),
        cut_ids=cut,
    )


def sweep(heard: Sequence[Listened], knob: Knob) -> list[tuple[float, Balance]]:
    """A family over the values of its knob."""
    return [(value, balance(heard, knob.policy(value))) for value in knob.values]


def cut_share_at(curve: Sequence[tuple[float, Balance]], dead_air_s: float) -> float | None:
    """The fewest cut-offs of a curve with no more median dead air than this; None when it never waits so briefly."""
    shares = [each.cut_share for _, each in curve if each.median_dead_air_s <= dead_air_s]
    return min(shares, default=None)


def dead_air_at(curve: Sequence[tuple[float, Balance]], cut_share: float) -> float | None:
    """The least median dead air of a curve with no more cut-offs than this (0 to 1); None when it always has more."""
    seconds = [each.median_dead_air_s for _, each in curve if each.cut_share <= cut_share]
    return min(seconds, default=None)


def is_nowhere_worse(curve: Sequence[tuple[float, Balance]], other: Sequence[tuple[float, Balance]]) -> bool:
    """Whether a curve lies left of and below another, wherever both have as little dead air as the first can have."""
    least_s = min(each.median_dead_air_s for _, each in curve)
    return all(
        (share := cut_share_at(curve, each.median_dead_air_s)) is not None and share <= each.cut_share
        for _, each in other
        if each.median_dead_air_s >= least_s
    )
