"""The policies that are compared: Viva's, plain silences, and LiveKit's detector by sound.

Each family has one knob. The default's families are given every advantage: they decide without waiting for words,
and in no time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from agent.endpointing.listening import granted, signal_in_s
from agent.endpointing.melody import Melody
from agent.endpointing.pauses import SHORTEST_S, Pauses
from agent.endpointing.policy import RISKS, Signals, wait
from agent.endpointing.weights import Weights
from bench.voice.turns import EndpointingPolicy, Knob, Moment

LIVEKIT_DETECTOR_DELAYS_S = (0.3, 2.5)
"""LiveKit's delays with a detector by sound: when the turn is likely over, and when not (voice/turn.py of 1.8.9)."""
LIVEKIT_THRESHOLD = 0.36
"""v1-mini's own threshold for English (inference/eot/languages.py)."""
SILENCES_S = (0.55, 1.6)
"""The silences that are marked on the curve: the detector's default, and what it takes to cut off few people."""


@dataclass(frozen=True, slots=True)
class Silences:
    """Ends every turn after one length of silence."""

    silence_s: float

    def wait_s(self, moment: Moment) -> float:  # noqa: ARG002 (it looks at nothing)
        """Always the same."""
        return self.silence_s


@dataclass(frozen=True, slots=True)
class LiveKitDetector:
    """LiveKit's v1-mini with its own two delays."""

    threshold: float

    def wait_s(self, moment: Moment) -> float:
        """The short delay when the turn is likely over, else the long one."""
        likely, unlikely = LIVEKIT_DETECTOR_DELAYS_S
        return likely if moment.end_of_turn >= self.threshold else unlikely


@dataclass(frozen=True, slots=True)
class Viva:
    """What Viva's sessions do (`agent.endpointing.policy`); never before the words are known.

    It is not told what was asked, so that every answer is measured by an ordinary one's length.
    """

    risk: float
    """Chance of cutting off that is taken."""
    weights: Weights | None = None
    """Other ones than the sessions have."""

    def wait_s(self, moment: Moment) -> float:
        """By what was said, how much of it, and how this speaker pauses."""
        if not moment.all_known:
            return math.inf
        signals = signals_of(moment)
        decided = wait(signals, risk=self.risk, weights=self.weights)
        if signal_in_s(decided, silent_s=moment.silence_s, new_words=len(moment.words.split())) is not None:
            decided = granted(decided, signals, risk=self.risk)
        return decided.seconds


def signals_of(moment: Moment, *, with_sound: bool = True) -> Signals:
    """What a session would know; with synthetic voices, better without their sound."""
    before = zip(moment.pauses_s, moment.smart_turn_before, strict=True)
    return Signals(
        moment.words,
        pauses=Pauses().heard(moment.pauses_s),
        end_of_turn=moment.smart_turn if with_sound else None,
        melody=Melody().heard(sound for pause_s, sound in before if with_sound and pause_s >= SHORTEST_S),
    )


def families() -> tuple[Knob, ...]:
    """Viva first."""
    return (
        Knob("Viva", Viva, (*_steps(0.01, 0.1, 0.01), *_steps(0.12, 0.6, 0.02))),
        Knob("silence alone", Silences, _steps(0.25, 3.0, 0.05)),
        Knob("LiveKit v1-mini", LiveKitDetector, (0.0, *_steps(0.02, 0.6, 0.02), 1.01)),
    )


def as_it_is() -> EndpointingPolicy:
    """Viva with its knob where the sessions have it."""
    return Viva(RISKS["relaxed"])


def _steps(first: float, last: float, step: float) -> tuple[float, ...]:
    return tuple(float(round(value, 3)) for value in np.arange(first, last + step / 2, step))
