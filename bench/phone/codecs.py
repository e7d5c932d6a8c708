"""Codecs: word errors of the same recordings at 16 kHz and through G.711 as a call brings it, decoded as a stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from agent.cli.transcribe import read_sound, stream_through
from agent.rehearsal.hearing import RATE_HZ
from bench.hearing import speech_models, word_errors
from bench.phone.venue import pack_of_key_points
from bench.voice.complete_answers import recording_of
from bench.voice.figures import Row, within
from bench.voice.manifest import load_manifest
from bench.voice.sounds import deterministic_voice, sound_of
from bench.voice.talks import Tell
from bench.voice.words import SILENCE_S, as_it_is, by_telephone, without_fillers
from speech import SpeechModels, WhisperSTT
from speech.audio import SAMPLE_RATE, Audio, from_int16, resampled

Spoken = tuple[str, Audio]
"""Words, and their sound at 16 kHz."""
MANIFEST = "manifest.yaml"
SYNTHETIC = 8
"""Answers that are synthesised."""
_POINTS = 0.03


def codec_rows(people: Path | None, voice: Path, tell: Tell) -> list[Row]:
    """Of synthetic voices, and of people where there is a folder of them.

    Args:
        people: folder with a `manifest.yaml` of recordings (docs/voice.md).
        voice: Piper's.
        tell: takes lines of progress.

    Raises:
        ManifestError, SoundFileError: the recordings cannot be used.
    """
    models = speech_models()
    sets: dict[str, Callable[[], list[Spoken]]] = {"synthetic voices": lambda: synthetic(voice)}
    if people is not None:
        sets["people"] = lambda: of_people(people)
    return [_row(name, models, spoken(), tell) for name, spoken in sets.items()]


def synthetic(voice: Path) -> list[Spoken]:
    """Answers in voices of several pitches."""
    say = deterministic_voice(voice)
    made = []
    for question in pack_of_key_points(SYNTHETIC).questions:
        recording = recording_of(question)
        pcm = resampled(sound_of(recording, say).pcm, RATE_HZ, SAMPLE_RATE)
        made.append((recording.words, from_int16(pcm)))
    return made


def of_people(folder: Path) -> list[Spoken]:
    """The recordings of a manifest that are files."""
    recordings = [each for each in load_manifest(folder / MANIFEST) if each.audio is not None]
    return [(each.transcript, from_int16(read_sound(each.audio))) for each in recordings if each.audio is not None]


def _row(name: str, models: SpeechModels, spoken: Sequence[Spoken], tell: Tell) -> Row:
    rates = []
    for way in (by_telephone, as_it_is):
        errors = words = 0
        for text, pcm in spoken:
            found, count = word_errors(without_fillers(text), without_fillers(_heard(models, way(pcm))))
            errors, words = errors + found, words + count
        rates.append(errors / words)
        tell(f"{name}, {'G.711' if way is by_telephone else '16 kHz'}: {errors} of {words} words are wrong")
    return Row(
        f"word error rate offline, {name}: G.711, 16 kHz", *rates,
        unit="%", goal="≤ 3 points more", met=within(rates[0] - rates[1], _POINTS), samples=f"{words} words",
    )  # fmt: skip


def _heard(models: SpeechModels, pcm: Audio) -> str:
    quiet = np.pad(pcm, (0, SAMPLE_RATE * SILENCE_S))
    stream = WhisperSTT(models.recognizer, models.vad)
    utterances = asyncio.run(stream_through(stream, (quiet * 32_767).astype(np.int16), lambda _: None))
    return " ".join(each.text for each in utterances)
