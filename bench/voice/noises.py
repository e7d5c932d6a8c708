"""Noises that are no words: whether a cough, a chair or a bell stops the interviewer.

A hundred are made by synthesis, each kind in ten ways; they are only as good as their recipes. A folder of real ones
(`--noises`) is measured beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from livekit import rtc
from livekit.agents import vad
from numpy.typing import NDArray

from agent.conversation.barge_in import GOING_ON_S, INTO_A_QUESTION_S
from agent.conversation.voice_activity import SureVoiceDetector
from bench.voice.figures import Row, within
from bench.voice.noticing import DEFAULT_S
from bench.voice.sounds import SoundError, at_rate, read_audio

RATE_HZ = 16_000
WAYS = 10
PEAK = 0.3
"""As loud as a voice beside the microphone."""
GOAL_IN_100 = 2
_LONGEST_S = 6
_SUFFIXES = (".wav", ".ogg", ".oga", ".flac", ".mp3")
_AROUND_S = 0.5
"""Quiet before and after each."""

Samples = NDArray[np.float64]
Recipe = Callable[[np.random.Generator], Samples]


@dataclass(frozen=True, slots=True)
class Noise:
    """One noise, at 16 kHz."""

    kind: str
    number: int
    samples: Samples


def noises() -> list[Noise]:
    """A hundred, the same ones each time."""
    return [
        Noise(kind, number, _levelled(recipe(np.random.default_rng([place, number]))))
        for place, (kind, recipe) in enumerate(RECIPES.items())
        for number in range(WAYS)
    ]


def noises_in(folder: Path) -> list[Noise]:
    """The recordings of a folder and of those below it, up to six seconds each.

    Raises:
        SoundError: there are none.
    """
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.suffix.lower() in _SUFFIXES):
        samples = at_rate(read_audio(path), RATE_HZ)[: _LONGEST_S * RATE_HZ].astype(np.float64)
        if np.abs(samples).max(initial=0.0) > 0:
            found.append(Noise(str(path.relative_to(folder)), 0, _levelled(samples)))
    if not found:
        raise SoundError(f"{folder} has no recording of a noise ({', '.join(_SUFFIXES)})")
    return found


async def false_stop_rows(detector: vad.VAD, what: str, made: Iterable[Noise]) -> list[Row]:
    """How many of some noises would stop Viva, and LiveKit's session as it is set up by default.

    Args:
        detector: finds speech.
        what: the noises, for the table.
        made: the noises themselves.
    """
    sure = SureVoiceDetector(detector)
    own_s, default_s = [], []
    for noise in made:
        own_s.append(await longest_voice_s(sure, noise.samples))
        default_s.append(await longest_voice_s(detector, noise.samples))
    by_default = sum(each >= DEFAULT_S for each in default_s) / len(default_s)
    rows = []
    for spoken, enough_s in (("feedback", GOING_ON_S), ("a question", INTO_A_QUESTION_S)):
        stops = sum(each >= enough_s for each in own_s) / len(own_s)
        met = within(stops, GOAL_IN_100 / 100)
        rows.append(
            Row(
                f"{what}: stop {spoken}",
                stops,
                by_default,
                unit="%",
                goal=f"≤ {GOAL_IN_100}%",
                met=met,
                samples=str(len(own_s)),
            )
        )
    return rows


async def longest_voice_s(detector: vad.VAD, samples: Samples) -> float:
    """The longest `speech_duration` that a detector tells of a sound, in seconds: by that LiveKit interrupts."""
    quiet = np.zeros(round(_AROUND_S * RATE_HZ))
    pcm = (np.concatenate([quiet, samples, quiet]) * 32767).astype(np.int16)
    stream = detector.stream()
    for start in range(0, len(pcm), RATE_HZ // 100):
        frame = pcm[start : start + RATE_HZ // 100]
        stream.push_frame(rtc.AudioFrame(frame.tobytes(), RATE_HZ, 1, len(frame)))
    stream.end_input()
    longest_s = 0.0
    async for event in stream:
        if event.type is vad.VADEventType.INFERENCE_DONE:
            longest_s = max(longest_s, event.speech_duration)
    await stream.aclose()
    return longest_s


def _levelled(samples: Samples) -> Samples:
    return samples / np.abs(samples).max() * PEAK


def _times(seconds: float) -> Samples:
    return np.arange(round(seconds * RATE_HZ)) / RATE_HZ


def _hiss(random: np.random.Generator, seconds: float, low_hz: float, high_hz: float) -> Samples:
    """White noise between two frequencies."""
    white = random.standard_normal(round(seconds * RATE_HZ))
    spectrum = np.fft.rfft(white)
    hz = np.fft.rfftfreq(len(white), 1 / RATE_HZ)
    spectrum[(hz < low_hz) | (hz > high_hz)] = 0
    return np.fft.irfft(spectrum, len(white))


def _fading(samples: Samples, half_life_s: float, rise_s: float = 0.004) -> Samples:
    times = _times(len(samples) / RATE_HZ)
    return samples * np.minimum(times / rise_s, 1.0) * 0.5 ** (times / half_life_s)


def _ringing(random: np.random.Generator, seconds: float, partials_hz: Samples, half_life_s: float) -> Samples:
    times = _times(seconds)
    parts = [
        random.uniform(0.3, 1.0)
        * np.sin(2 * np.pi * hz * times)
        * 0.5 ** (times / random.uniform(0.6, 1.2) / half_life_s)
        for hz in partials_hz
    ]
    return _fading(np.sum(parts, axis=0), 1.0)


def _scattered(random: np.random.Generator, seconds: float, count: int, one: Callable[[], Samples]) -> Samples:
    """So many of a sound within a time, at random places."""
    scene = np.zeros(round((seconds + 1.0) * RATE_HZ))
    for at_s in np.sort(random.uniform(0, seconds, count)):
        sound, start = one(), round(at_s * RATE_HZ)
        scene[start : start + len(sound)] += sound * random.uniform(0.4, 1.0)
    return scene


def _cough(random: np.random.Generator) -> Samples:
    """A burst of air, its echo in the throat, and a short voiced end; one to three times (Korpas and others 1996)."""

    def one() -> Samples:
        burst = _fading(_hiss(random, random.uniform(0.05, 0.09), 300, 6000), 0.03)
        throat = _fading(_hiss(random, random.uniform(0.12, 0.2), 350, 2800), 0.05) * 0.6
        times = _times(random.uniform(0.05, 0.1))
        voiced = _fading(np.sign(np.sin(2 * np.pi * random.uniform(140, 280) * times)), 0.03) * 0.15
        return np.concatenate([burst, throat, voiced])

    return np.concatenate(
        [np.concatenate([one(), np.zeros(random.integers(1600, 4000))]) for _ in range(random.integers(1, 4))]
    )


def _sneeze(random: np.random.Generator) -> Samples:
    inhaled = _hiss(random, 0.25, 600, 3000) * np.linspace(0.02, 0.15, 4000)
    return np.concatenate([inhaled, _fading(_hiss(random, random.uniform(0.2, 0.4), 1200, 7500), 0.08)])


def _sniff(random: np.random.Generator) -> Samples:
    sniff = _hiss(random, random.uniform(0.2, 0.45), 800, 5000)
    return sniff * np.hanning(len(sniff))


def _chair(random: np.random.Generator) -> Samples:
    """Wood that sticks and slips: pulses of a rising rate in a resonance."""
    seconds = random.uniform(0.3, 0.8)
    rate_hz = np.linspace(random.uniform(30, 90), random.uniform(90, 300), round(seconds * RATE_HZ))
    pulses = np.diff(np.floor(np.cumsum(rate_hz) / RATE_HZ), prepend=0.0)
    ring = _ringing(random, 0.02, random.uniform(500, 2500, 3), 0.004)
    creak = np.convolve(pulses, ring)
    return creak * np.hanning(len(creak))


def _door(random: np.random.Generator) -> Samples:
    thud = _ringing(random, 0.5, random.uniform(50, 180, 4), 0.08)
    thud[:800] += _fading(_hiss(random, 0.05, 500, 7000), 0.008) * 2
    return thud


def _typing(random: np.random.Generator) -> Samples:
    def key() -> Samples:
        return (
            _fading(_hiss(random, 0.03, 1500, 7000), 0.005, 0.001) + _fading(_hiss(random, 0.03, 100, 400), 0.008) * 0.5
        )

    return _scattered(random, random.uniform(1.0, 2.0), int(random.integers(5, 16)), key)


def _cup(random: np.random.Generator) -> Samples:
    return _scattered(
        random, 0.5, int(random.integers(1, 4)), lambda: _ringing(random, 0.4, random.uniform(1800, 7000, 5), 0.05)
    )


def _buzz(random: np.random.Generator) -> Samples:
    """A telephone that shakes on a table, twice."""
    times = _times(random.uniform(0.3, 0.6))
    shaking = np.sign(np.sin(2 * np.pi * random.uniform(130, 190) * times)) * 0.3 + _hiss(
        random, len(times) / RATE_HZ, 100, 900
    )
    return np.concatenate([shaking, np.zeros(RATE_HZ // 4), shaking])


def _chime(random: np.random.Generator) -> Samples:
    """Two notes of a notification."""
    notes_hz = random.uniform(500, 1800) * np.array([1.0, random.choice([1.25, 1.33, 1.5])])
    return np.concatenate([_ringing(random, 0.25, hz * np.array([1.0, 2.0, 3.0]), 0.08) for hz in notes_hz])


def _paper(random: np.random.Generator) -> Samples:
    return _scattered(
        random,
        random.uniform(0.5, 1.2),
        int(random.integers(8, 30)),
        lambda: _fading(_hiss(random, random.uniform(0.02, 0.08), 1000, 7800), 0.02),
    )


RECIPES: Mapping[str, Recipe] = {
    "cough": _cough,
    "sneeze": _sneeze,
    "sniff": _sniff,
    "chair": _chair,
    "door": _door,
    "typing": _typing,
    "cup": _cup,
    "telephone": _buzz,
    "chime": _chime,
    "paper": _paper,
}
