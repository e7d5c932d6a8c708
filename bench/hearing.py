"""How soon the words are known after the end of an answer, and how well streaming hears beside a whole-answer decode.

Answers are the packs' model answers, spoken by Viva's voice with pauses of 0.3 to 3 s between sentences. The stream
gets an answer's beginning as fast as it can decode it and its end in real time, so that three minutes need not be
waited for. Both decodes run in the same process, one after the other. `VIVA_BENCH_SOUND=FILE` adds a recording of your
own, for which there is no text: streaming is compared with the whole decode.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from livekit import rtc
from livekit.agents import stt
from rich.console import Console
from rich.table import Table
from scipy.signal import resample_poly

from agent.cli.transcribe import read_sound, stream_through
from agent.interviews.resources import whisper_choice
from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from rag import load_packs
from speech import SpeechModels, Voice, WhisperSTT, load_speech_models
from speech.audio import SAMPLE_RATE, Audio, from_int16

LENGTHS_S = (3, 30, 180)
REPEATS = 5
ANSWERS = 8
"""Of how many packs an answer is heard at each level of noise."""
NOISE_DB: tuple[int | None, ...] = (None, 20, 10)
"""Levels of speech over pink noise; None for no noise."""
PAUSES_S, PAUSE_SHARES = (0.3, 0.45, 0.7, 1.2, 2.0, 3.0), (0.30, 0.25, 0.20, 0.12, 0.08, 0.05)
REAL_TIME_S = 4.0
"""How much of the end is pushed in real time."""
FRAME_S = 0.03
SILENCE_AFTER_S = 1.5

_KINDS = stt.SpeechEventType


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds until the words of an answer were known."""

    after_speech: float
    """From the last voice to the first transcript with all words."""
    after_detection: float
    """From the detector's end of speech to the last final transcript; 0 if it came before."""
    whole: float
    """What a decode of the whole answer takes."""


def main() -> None:
    """Measure and print."""
    models, console = speech_models(), Console()
    console.print(_waits_table(models))
    console.print(_errors_table(models))
    if named := os.environ.get("VIVA_BENCH_SOUND"):
        whole, streamed = heard(models, from_int16(read_sound(Path(named))))
        errors, words = word_errors(whole, streamed)
        console.print(f"{named}: {errors} of {words} words are other words in the stream than in the whole decode")


def speech_models() -> SpeechModels:
    """Those of the settings."""
    settings = load_settings()
    paths = ensure_models(settings)
    return load_speech_models(whisper_choice(settings, paths), paths.voice, paths.end_of_turn)


def _waits_table(models: SpeechModels) -> Table:
    table = Table(
        "answer",
        "all words known after the last voice",
        "final after the detected end",
        "whole decode",
        title="seconds: median / longest",
    )
    rng = np.random.default_rng(3)
    for length_s in LENGTHS_S:
        waits = [_waits(models, _of_length(models.voice, length_s, rng)) for _ in range(REPEATS)]
        cells = ([getattr(each, name) for each in waits] for name in Waits.__slots__)
        table.add_row(f"{length_s} s", *(f"{np.median(cell):.2f} / {max(cell):.2f}" for cell in cells))
    return table


def _errors_table(models: SpeechModels) -> Table:
    table = Table("noise", "words", "whole decode", "streaming", title="word error rate")
    rng = np.random.default_rng(5)
    spoken = [(text, say(models.voice, text, rng)) for text in _answers()]
    for level in NOISE_DB:
        counts = np.zeros(3, dtype=int)
        for text, pcm in spoken:
            both = heard(models, with_noise(pcm, level, rng))
            (whole, words), (streamed, _) = (word_errors(text, each) for each in both)
            counts += (words, whole, streamed)
        words, whole, streamed = counts
        name = "none" if level is None else f"{level} dB under the speech"
        table.add_row(name, str(words), f"{whole / words:.1%}", f"{streamed / words:.1%}")
    return table


def _answers() -> list[str]:
    return [pack.questions[3].model_answer for pack in load_packs().values()][:ANSWERS]


def say(voice: Voice, text: str, rng: np.random.Generator) -> Audio:
    """A text spoken with pauses after sentences and before some clauses, half a second of silence before it."""
    parts = [np.zeros(SAMPLE_RATE // 2, dtype=np.float32)]
    for part in re.split(r"(?<=[.?!])\s+|(?<=,)\s+(?=(?:so|but|and|which|because)\b)", text.strip()):
        pcm = resample_poly(from_int16(voice.synthesize(part)), SAMPLE_RATE, voice.sample_rate).astype(np.float32)
        sounding = np.flatnonzero(np.abs(pcm) > 0.01)
        pause = np.zeros(round(rng.choice(PAUSES_S, p=PAUSE_SHARES) * SAMPLE_RATE), dtype=np.float32)
        parts += [pcm[sounding[0] : sounding[-1] + SAMPLE_RATE // 20], pause]
    return np.concatenate(parts)


def _of_length(voice: Voice, seconds: float, rng: np.random.Generator) -> Audio:
    """Speech of about this length, which ends with a voice."""
    sentences = [each for text in _answers() for each in re.split(r"(?<=[.?!])\s+", text)]
    parts: list[Audio] = []
    while sum(map(len, parts)) < seconds * SAMPLE_RATE:
        parts.append(say(voice, sentences[rng.integers(len(sentences))], rng))
    pcm = np.concatenate(parts)
    pcm = pcm[-round(seconds * SAMPLE_RATE) :] if len(parts) > 1 else pcm
    return pcm[: np.flatnonzero(np.abs(pcm) > 0.01)[-1] + 1]


def with_noise(pcm: Audio, level_db: int | None, rng: np.random.Generator) -> Audio:
    """Speech with pink noise so many decibels under it."""
    if level_db is None:
        return pcm
    spectrum = np.fft.rfft(rng.normal(size=len(pcm)))
    noise = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), len(pcm))
    speech = np.sqrt(np.mean(np.square(pcm[np.abs(pcm) > 0.005])))
    mixed: Audio = (pcm + noise * speech / noise.std() * 10 ** (-level_db / 20)).astype(np.float32)
    return mixed.clip(-1, 1)


def heard(models: SpeechModels, pcm: Audio) -> tuple[str, str]:
    """What a whole decode hears, and what a stream hears."""
    stream = WhisperSTT(models.recognizer, models.vad)
    utterances = asyncio.run(stream_through(stream, (pcm * 32767).astype(np.int16), lambda _: None))
    return models.recognizer.transcribe(pcm).text, " ".join(each.text for each in utterances)


def _waits(models: SpeechModels, pcm: Audio) -> Waits:
    began = time.perf_counter()
    models.recognizer.transcribe(pcm)
    whole_s = time.perf_counter() - began
    after_speech_s, after_detection_s = asyncio.run(_end_of(WhisperSTT(models.recognizer, models.vad), pcm))
    return Waits(after_speech_s, after_detection_s, whole_s)


async def _end_of(whisper: WhisperSTT, pcm: Audio) -> tuple[float, float]:
    arrived: list[tuple[float, stt.SpeechEvent]] = []
    async with whisper.stream() as stream:

        async def listen() -> None:
            async for event in stream:
                arrived.append((time.perf_counter(), event))  # noqa: PERF401 (the time is taken as each comes)

        listening = asyncio.create_task(listen())
        silence = np.zeros(round(SILENCE_AFTER_S * SAMPLE_RATE), dtype=np.float32)
        frames = list(_frames(np.concatenate([pcm, silence])))
        ended_at = time.perf_counter()
        next_at, pushed_s = 0.0, 0.0
        for frame in frames:
            stream.push_frame(frame)
            pushed_s += frame.duration
            if pushed_s < len(pcm) / SAMPLE_RATE - REAL_TIME_S:
                await stream.caught_up()
            else:
                next_at = max(next_at, time.perf_counter() - FRAME_S) + FRAME_S
                await asyncio.sleep(next_at - time.perf_counter())
            if pushed_s <= len(pcm) / SAMPLE_RATE:
                ended_at = time.perf_counter()
        stream.end_input()
        await listening
    texts = [(at, event) for at, event in arrived if event.alternatives and event.alternatives[0].text]
    final_at, final = [(at, event) for at, event in texts if event.type is _KINDS.FINAL_TRANSCRIPT][-1]
    detected_at = [at for at, event in arrived if event.type is _KINDS.END_OF_SPEECH][-1]
    known_at = min(
        at for at, event in texts if at > ended_at and event.alternatives[0].text == final.alternatives[0].text
    )
    return known_at - ended_at, max(final_at - detected_at, 0.0)


def _frames(pcm: Audio) -> Iterator[rtc.AudioFrame]:
    samples, size = (pcm * 32767).astype(np.int16), round(FRAME_S * SAMPLE_RATE)
    for start in range(0, len(samples), size):
        part = samples[start : start + size]
        yield rtc.AudioFrame(part.tobytes(), SAMPLE_RATE, 1, len(part))


def word_errors(said: str, heard: str) -> tuple[int, int]:
    """How many words were left out, put in or mistaken (Levenshtein's distance), and how many there are."""
    wanted, found = _words(said), _words(heard)
    row = list(range(len(found) + 1))
    for number, word in enumerate(wanted, 1):
        diagonal, row[0] = row[0], number
        for at, other in enumerate(found, 1):
            diagonal, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, diagonal + (word != other))
    return row[-1], len(wanted)


def _words(text: str) -> Sequence[str]:
    return re.findall(r"[a-z0-9']+", text.lower().replace("-", " "))


if __name__ == "__main__":
    main()
