"""Synthesis, `viva say` and `viva voices`: a text as the interviewer would say it, as a WAV file or out loud."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import time
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.model_files.prepare import ensure_model
from agent.model_files.voices import VoiceDescription
from agent.settings import Settings
from speech import TextNormalizer, Voice
from speech.tts.clauses import has_words, split_clauses
from speech.tts.voice import checked_pace, pace_within_limits

_PLAYERS = (
    ("pw-play",),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error"),
)
"""Programs that play a WAV file, as Linux and macOS have them."""


class SpeakingError(RuntimeError):
    """A text cannot be said or played; the message says why."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A text as it was said."""

    samples: NDArray[np.int16]
    rate_hz: int
    said: str
    """What was said for what was written."""
    has_word_times: bool
    """Whether the voice tells when each word is heard."""
    took_s: float
    """What synthesising took, without loading the model."""

    @property
    def length_s(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate_hz

    def as_wav(self) -> bytes:
        """The content of a WAV file: mono, 16 bit."""
        content = io.BytesIO()
        with wave.open(content, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate_hz)
            file.writeframes(self.samples.tobytes())
        return content.getvalue()


def say_text(
    text: str, voice: VoiceDescription, settings: Settings, *, pace: float, pronunciations: dict[str, str] | None = None
) -> Saying:
    """Say a text, clause by clause as in an interview.

    Raises:
        ModelError, SpeechModelError: the voice's model cannot be used.
        SpeakingError: there is nothing in the text that can be said, or no voice speaks at such a pace.
    """
    try:
        checked_pace(pace)
    except ValueError as error:
        raise SpeakingError(str(error)) from None
    model = Voice.load(ensure_model(voice.model, settings.cache_dir, kind="voice"))
    wording = TextNormalizer(pronunciations, language=model.language)
    clauses = [said for clause in split_clauses(text) if has_words(said := wording.say(clause).text)]
    if not clauses:
        raise SpeakingError("There is nothing in this text that can be said.")
    started = time.perf_counter()
    spoken = [model.speak(clause, pace=pace_within_limits(voice.pace * pace)) for clause in clauses]
    return Saying(
        samples=np.concatenate([utterance.samples for utterance in spoken]),
        rate_hz=model.sample_rate,
        said="".join(clauses).strip(),
        has_word_times=all(utterance.marks for utterance in spoken),
        took_s=time.perf_counter() - started,
    )


def play_wav(content: bytes) -> str | None:
    """Play it through the first player that this system has, to its end; its name, or None when there is no player.

    Raises:
        SpeakingError: the player could not play it.
    """
    player = next((each for each in _PLAYERS if shutil.which(each[0])), None)
    if player is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "viva.wav"
        path.write_bytes(content)
        done = subprocess.run([*player, str(path)], check=False, capture_output=True, text=True)  # noqa: S603 (a list of ours)
    if done.returncode:
        reason = done.stderr.strip() or f"it ended with {done.returncode}"
        raise SpeakingError(f"{player[0]} could not play it: {reason}. --out FILE writes a WAV file instead.")
    return player[0]
