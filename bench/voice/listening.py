"""Recordings as Viva hears them, once: silences, words and when they were known. The rest is arithmetic.

A recording is fed to the real detector and the real recognizer at the pace at which it would arrive, so that the time a
decoder takes is in it. What was heard is kept in the cache folder: another knob needs no second hearing.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from livekit import rtc
from livekit.agents import stt, vad
from livekit.local_inference import EOT, EOT_MAX_SAMPLES
from pydantic import ValidationError

import speech
from bench.voice.manifest import Recording
from bench.voice.sounds import Pcm, Sound, at_rate, mixed, noise
from bench.voice.turns import NOTICED_S, Listened, Silence, Words
from speech import SpeechModels, WhisperSTT

RATE_HZ = 16_000
TAIL_S = 4.0
"""Silence after an answer in which a policy has to make up its mind."""
_STEP_S = 0.02
_A_WORD_S = 0.15
"""A voice that is heard for less is no word."""
_SETTLED_S = 3.0
"""How long words are waited for when the sound is over."""

Hear = Callable[[Recording, Sound, float | None], Listened]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the detector says at a time."""

    at_s: float
    silence_s: float
    speech_s: float


class Listener:
    """Hears recordings with the models of an interview.

    Args:
        models: recognizer and detector.
        pace: how many seconds of a recording pass in a second while somebody speaks; pauses always take their time.
    """

    def __init__(self, models: SpeechModels, pace: float = 1.0) -> None:
        self._models = models
        self._pace = pace
        self._detector = EOT()

    async def listen(self, recording: Recording, sound: Sound, snr_db: float | None) -> Listened:
        """Hear one recording, with noise that is as far under it as asked for (none: as it is).

        Raises:
            RuntimeError: no voice was found in it.
        """
        pcm = prepared(sound, snr_db, recording.seed)
        frames = await self._detected(pcm)
        spans = silences_in(frames, len(pcm) / RATE_HZ)
        if not spans:
            raise RuntimeError(f"the detector heard no voice in {recording.id!r}, or no silence after it")
        words, known = await self._heard(pcm, spans)
        return Listened(
            id=recording.id,
            part=recording.part,
            snr_db=snr_db,
            speech_start_s=round(next(f.at_s - f.speech_s for f in frames if f.speech_s), 3),
            speech_end_s=round(sound.speech_end_s, 3),
            pauses=sound.pauses,
            said=recording.words,
            silences=tuple(
                Silence(
                    start_s=start_s,
                    end_s=end_s,
                    end_of_turn=self._end_of_turn(pcm, start_s + NOTICED_S),
                    smart_turn=self._smart_turn(pcm, start_s + NOTICED_S),
                    all_known_at_s=known_s,
                )
                for (start_s, end_s), known_s in zip(spans, known, strict=True)
            ),
            words=tuple(words),
        )

    async def speech_end_s(self, pcm: Pcm) -> float:
        """When the voice of a recording of which nothing is known stops, as the detector hears it (16 kHz mono)."""
        quiet = np.concatenate([pcm, np.zeros(RATE_HZ, np.int16)])
        spans = silences_in(await self._detected(quiet), len(quiet) / RATE_HZ)
        if not spans:
            raise RuntimeError("the detector hears nobody speak in it")
        return min(last_voice_s(spans), len(pcm) / RATE_HZ)

    def _end_of_turn(self, pcm: Pcm, at_s: float) -> float:
        """v1-mini looks at the last 1.2 seconds, as LiveKit's `TurnDetector` has it do."""
        last = round(at_s * RATE_HZ)
        return round(float(self._detector.predict(pcm[max(0, last - EOT_MAX_SAMPLES) : last])), 4)

    def _smart_turn(self, pcm: Pcm, at_s: float) -> float:
        heard = pcm[: round(at_s * RATE_HZ)].astype(np.float32) / -float(np.iinfo(np.int16).min)
        return round(self._models.turns.chance_over(heard), 4)

    async def _detected(self, pcm: Pcm) -> list[_Frame]:
        stream = self._models.vad.stream()
        for frame in _frames(pcm):
            stream.push_frame(frame)
        stream.end_input()
        try:
            return [
                _Frame(event.timestamp, event.raw_accumulated_silence, event.raw_accumulated_speech)
                async for event in stream
                if event.type is vad.VADEventType.INFERENCE_DONE
            ]
        finally:
            await stream.aclose()

    async def _heard(self, pcm: Pcm, spans: Sequence[tuple[float, float]]) -> tuple[list[Words], list[float | None]]:
        """Words with the moment at which they were known, and for each silence when all of them were."""
        whisper = WhisperSTT(self._models.recognizer, self._models.vad)
        stream = whisper.stream()
        clock = _SoundClock(spans, self._pace)
        words: list[Words] = []
        known: list[float | None] = [None] * len(spans)

        async def read() -> None:
            async for event in stream:
                if event.type is stt.SpeechEventType.FINAL_TRANSCRIPT and event.alternatives:
                    # Not gathered at the end: the time is that at which it came.
                    words.append(Words(at_s=round(clock.now_s, 3), text=event.alternatives[0].text))  # noqa: PERF401

        async def watch() -> None:
            # Between two words of a silence it is asked often enough for a hundredth of a second to be right.
            while True:
                await asyncio.sleep(_STEP_S / 2)
                for number, (start_s, end_s) in enumerate(spans):
                    inside = start_s + NOTICED_S <= clock.now_s < end_s
                    if inside and known[number] is None and _is_all_heard(whisper):
                        known[number] = round(clock.now_s, 3)

        reading, watching = asyncio.create_task(read()), asyncio.create_task(watch())
        try:
            for frame in _frames(pcm):
                stream.push_frame(frame)
                await clock.passed(_STEP_S)
            stream.end_input()
            await asyncio.wait({reading}, timeout=_SETTLED_S)
        finally:
            watching.cancel()
            await stream.aclose()
            await asyncio.wait({reading, watching}, timeout=_SETTLED_S)
        return words, known


class _SoundClock:
    """Where in the recording it is now: quick while somebody speaks, if so wanted, and real in silences."""

    def __init__(self, silences: Sequence[tuple[float, float]], pace: float) -> None:
        self._silences = silences
        self._pace = pace
        self._fed_s = 0.0
        self._due = time.monotonic()

    @property
    def now_s(self) -> float:
        """Seconds of the recording, up to which it has been fed; on a busy machine that may be a moment behind."""
        behind = max(0.0, time.monotonic() - self._due)
        return self._fed_s + behind

    async def passed(self, seconds: float) -> None:
        """So much more was fed: wait until it would have arrived."""
        self._fed_s += seconds
        silent = any(start <= self._fed_s < end for start, end in self._silences)
        self._due = max(self._due + seconds / (1 if silent else self._pace), time.monotonic() - seconds)
        if (left := self._due - time.monotonic()) > 0:
            await asyncio.sleep(left)


def _is_all_heard(whisper: WhisperSTT) -> bool:
    waiting = whisper.all_heard()
    try:
        waiting.send(None)
    except StopIteration:
        return True
    finally:
        waiting.close()
    return False


def silences_in(frames: Sequence[_Frame], length_s: float) -> list[tuple[float, float]]:
    """Where the detector hears no voice for long enough to be noticed, after the first voice."""
    spans: list[tuple[float, float]] = []
    began: float | None = None
    spoken = False
    for frame in frames:
        if frame.speech_s > 0:
            spoken = True
            if began is not None and frame.at_s - frame.speech_s - began >= NOTICED_S:
                spans.append((round(began, 3), round(frame.at_s - frame.speech_s, 3)))
            began = None
        elif spoken and began is None:
            began = frame.at_s - frame.silence_s
    if began is not None:
        spans.append((round(began, 3), round(length_s, 3)))
    return spans


def last_voice_s(silences: Sequence[tuple[float, float]]) -> float:
    """When the last voice ends: one cut out of a longer recording may have the next word's first sound."""
    at = len(silences) - 1
    while at > 0 and silences[at][0] - silences[at - 1][1] < _A_WORD_S:
        at -= 1
    return silences[at][0]


def prepared(sound: Sound, snr_db: float | None, seed: int) -> Pcm:
    """A recording at 16 kHz with silence after it, over noise if that is asked for."""
    size, tail = round(sound.speech_end_s * 48_000), round(TAIL_S * 48_000)
    # What the recording has of its own room after the answer is kept: models that go by sound were never taught what
    # perfect silence means.
    pcm = np.pad(sound.pcm[: size + tail], (0, max(0, size + tail - len(sound.pcm))))
    return at_rate(pcm if snr_db is None else mixed(pcm, noise(snr_db, seed)), RATE_HZ)


def _frames(pcm: Pcm) -> list[rtc.AudioFrame]:
    size = round(_STEP_S * RATE_HZ)
    pcm = pcm[: len(pcm) // size * size]
    return [rtc.AudioFrame(pcm[start : start + size].tobytes(), RATE_HZ, 1, size) for start in range(0, len(pcm), size)]


class Kept:
    """What was heard, kept in a folder. What hears is part of the key: another version of `speech/` hears anew."""

    def __init__(self, folder: Path, model: str) -> None:
        self._folder = folder
        source = Path(speech.__file__).parent
        code = b"".join(path.read_bytes() for path in sorted(source.rglob("*.py")))
        self._ears = hashlib.sha256(code + model.encode()).hexdigest()

    def read(self, recording: Recording, sound: Sound, snr_db: float | None) -> Listened | None:
        """What was heard of it before; None when it was not, or cannot be read."""
        try:
            return Listened.model_validate_json(self._path(recording, sound, snr_db).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write(self, recording: Recording, sound: Sound, heard: Listened) -> None:
        """Keep it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._path(recording, sound, heard.snr_db).write_text(heard.model_dump_json(), encoding="utf-8")

    def _path(self, recording: Recording, sound: Sound, snr_db: float | None) -> Path:
        key = f"{self._ears} {recording.model_dump_json()} {snr_db}".encode() + sound.pcm.tobytes()
        return self._folder / f"{recording.id}-{hashlib.sha256(key).hexdigest()[:16]}.json"
