"""Transcription, `viva transcribe`: what Viva hears in a sound file, streaming as in an interview or the whole file at
once.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from livekit import rtc
from livekit.agents import stt
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from agent.interviews.resources import whisper_choice
from agent.model_files.prepare import ensure_models
from agent.settings import Settings
from speech import HeardWord, Recognizer, WhisperSTT, load_detector, load_recognizer
from speech.audio import SAMPLE_RATE, from_int16
from speech.stt.recognizer import pieces

_LONG_S = 20.0
"""Seconds of sound from which on there is a progress bar."""
_FRAME_S = 0.03


class SoundFileError(ValueError):
    """A file that cannot be heard; the message says why."""


@dataclass(frozen=True, slots=True)
class HeardUtterance:
    """What was said without a break."""

    text: str
    words: tuple[HeardWord, ...]
    language: str


def transcribe(file: Path, settings: Settings, *, as_stream: bool, as_json: bool) -> int:
    """Print what is said in a file, a line for each utterance.

    Raises:
        SoundFileError: there is no such file, or no sound in it that can be read.
        ModelError, SpeechModelError: the model is missing or broken.
    """
    samples = read_sound(file)
    recognizer = load_recognizer(whisper_choice(settings, ensure_models(settings)))
    seconds = len(samples) / SAMPLE_RATE
    with Progress(console=Console(stderr=True), disable=seconds < _LONG_S, transient=True) as progress:
        bar = progress.add_task("Listening", total=seconds)

        def heard_to(at_s: float) -> None:
            progress.update(bar, completed=at_s)

        if as_stream:
            detector = load_detector()
            utterances = asyncio.run(stream_through(WhisperSTT(recognizer, detector), samples, heard_to))
        else:
            utterances = hear_whole(recognizer, samples, heard_to)
    _print(file, seconds, utterances, as_json=as_json)
    return 0


def read_sound(file: Path) -> NDArray[np.int16]:
    """The sound of a file as Whisper hears it: 16 kHz, one channel. Any format that FFmpeg's libraries read.

    Raises:
        SoundFileError: see there.
    """
    if not file.is_file():
        raise SoundFileError(f"{file} is not there, or is no file; give the path of a sound file")
    try:
        blocks = list(_decoded(file))
    except (av.FFmpegError, OSError) as error:
        raise SoundFileError(f"{file} cannot be read as sound ({error.strerror or error}); WAV, FLAC, Ogg, MP3, "
                             "M4A and most other formats can") from error  # fmt: skip
    if not sum(map(len, blocks)):
        raise SoundFileError(f"{file} holds no sound")
    return np.concatenate(blocks)


def _decoded(file: Path) -> Iterator[NDArray[np.int16]]:
    with av.open(str(file)) as container:
        if not container.streams.audio:
            raise SoundFileError(f"{file} holds no sound")
        resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
        for frame in container.decode(audio=0):
            yield from (part.to_ndarray().reshape(-1) for part in resampler.resample(frame))
        yield from (part.to_ndarray().reshape(-1) for part in resampler.resample(None))


def hear_whole(
    recognizer: Recognizer, samples: NDArray[np.int16], heard_to: Callable[[float], None]
) -> list[HeardUtterance]:
    """Decode piece by piece, each with all that is in it."""
    utterances: list[HeardUtterance] = []
    for start_s, piece in pieces(from_int16(samples)):
        heard = recognizer.transcribe(piece)
        if heard.words:
            words = tuple(word.shifted(start_s) for word in heard.words)
            utterances.append(HeardUtterance(heard.text, words, heard.language))
        heard_to(start_s + len(piece) / SAMPLE_RATE)
    return utterances


async def stream_through(
    whisper: WhisperSTT, samples: NDArray[np.int16], heard_to: Callable[[float], None]
) -> list[HeardUtterance]:
    """Decode as in a room, in frames, but as fast as it goes.

    Raises:
        SoundFileError: words could not be decoded.
    """
    lost: list[str] = []
    whisper.on("error", lambda error: None if error.recoverable else lost.append(str(error.error)))
    async with whisper.stream() as stream:
        pushing = asyncio.create_task(_push(stream, samples, heard_to))
        events = [event async for event in stream]
        await pushing
    if lost:
        raise SoundFileError(lost[0])
    return [_utterance(event) for event in events if event.type is stt.SpeechEventType.FINAL_TRANSCRIPT]


async def _push(stream: Any, samples: NDArray[np.int16], heard_to: Callable[[float], None]) -> None:
    size = round(_FRAME_S * SAMPLE_RATE)
    for start in range(0, len(samples), size):
        part = samples[start : start + size]
        stream.push_frame(rtc.AudioFrame(part.tobytes(), SAMPLE_RATE, 1, len(part)))
        await stream.caught_up()
        heard_to((start + len(part)) / SAMPLE_RATE)
    stream.end_input()


def _utterance(event: stt.SpeechEvent) -> HeardUtterance:
    heard = event.alternatives[0]
    words = tuple(
        HeardWord(str(word), float(word.start_time), float(word.end_time), float(word.confidence))  # type: ignore[arg-type]
        for word in heard.words or []
    )
    return HeardUtterance(heard.text, words, str(heard.language))


def _print(file: Path, seconds: float, utterances: Sequence[HeardUtterance], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(_as_json(file, seconds, utterances), ensure_ascii=False, indent=1) + "\n")
        return
    for each in utterances:
        minutes, at_s = divmod(each.words[0].start_s, 60)
        sys.stdout.write(f"{int(minutes):02d}:{at_s:04.1f}  {each.text}\n")
    if not utterances:
        sys.stderr.write(f"Nobody speaks in {file}.\n")


def _as_json(file: Path, seconds: float, utterances: Sequence[HeardUtterance]) -> dict[str, Any]:
    return {
        "file": str(file),
        "seconds": round(seconds, 3),
        "text": " ".join(each.text for each in utterances),
        "utterances": [
            {
                "text": each.text,
                "language": each.language,
                "words": [
                    {
                        "text": word.text,
                        "start_s": round(word.start_s, 3),
                        "end_s": round(word.end_s, 3),
                        "confidence": round(word.confidence, 3),
                    }
                    for word in each.words
                ],
            }
            for each in utterances
        ],
    }
