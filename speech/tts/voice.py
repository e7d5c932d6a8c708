"""Voice: text in, samples out, by Piper."""

from __future__ import annotations

import functools
import json
import mmap
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # it ships no types
from numpy.typing import NDArray
from piper import PiperVoice, SynthesisConfig
from piper.config import PiperConfig

from speech.errors import SpeechModelError
from speech.tts.alignment import Marks, Phoneme, word_marks
from speech.tts.durations import durations_output

NEEDS = "a Piper voice (name.onnx) with its configuration beside it (name.onnx.json)"

SLOWEST, FASTEST = 0.5, 2.0
"""Paces that still sound like speech; 1 is the voice's own."""

LOUDNESS = 0.08
"""Level (root mean square, full scale 1) that every clause is brought to. Piper's own normalising by the peak makes
"Good." 8 dB louder than the sentence after it."""

PEAK = 0.95
"""… but no sample goes above this."""


PHRASE_CHARACTERS = 80
"""Texts up to this length are kept once they were synthesised: an interview says its acknowledgements, its "one moment"
and its closings again and again, while questions, which are longer, are asked once. 80 characters are 5 s of speech."""

KEPT_PHRASES = 128
"""So many are kept, those that were said last: at most about 30 MB (at 5 s and 22,050 Hz), 10 MB as a rule."""

_SILENT = 0.01
"""Samples under this (full scale 1) are silence: 18 dB under the level that every clause is brought to."""
_KEPT_BEFORE_S, _KEPT_AFTER_S = 0.03, 0.06
"""What is left of silence, for sounds that begin softly ("f") and for what fades away."""


@dataclass(frozen=True, slots=True)
class SynthesizedText:
    """A text as a voice said it."""

    samples: NDArray[np.int16]
    """Mono, at the voice's sample rate; nobody may change them."""
    marks: Marks = ()
    """When the words are heard; empty if the voice does not tell."""

    def without_silence(self, rate_hz: int, *, before: bool, after: bool) -> SynthesizedText:
        """The same with at most `_KEPT_BEFORE_S` of silence before the voice and `_KEPT_AFTER_S` after it."""
        voiced = np.flatnonzero(np.abs(self.samples.astype(np.int32)) > _SILENT * np.iinfo(np.int16).max)
        if not len(voiced):
            return self
        first = max(0, voiced[0] - round(_KEPT_BEFORE_S * rate_hz)) if before else 0
        last = min(len(self.samples), voiced[-1] + 1 + round(_KEPT_AFTER_S * rate_hz)) if after else len(self.samples)
        marks = tuple((place, max(0.0, at_s - first / rate_hz)) for place, at_s in self.marks)
        return SynthesizedText(self.samples[first:last], marks)


class Voice:
    """One Piper voice that every interview of the process shares. Thread-safe: one clause is synthesised at a time."""

    def __init__(self, piper: PiperVoice) -> None:
        self._piper: Any = piper
        self._lock = threading.Lock()
        # Texts of two threads at once may both be synthesised; only one is kept, and no failure is.
        self._phrase = functools.lru_cache(KEPT_PHRASES)(self._utter)
        self._phonemes = functools.lru_cache(4096)(self._phonemise)

    @classmethod
    def load(cls, path: Path, *, cpu_threads: int = 2) -> Voice:
        """Load the voice `path` (its .onnx file). Raises `SpeechModelError` if it or its configuration is not there.

        The session gets threads that sleep when there is nothing to do. ONNX's own default spins on every core, which
        costs 40 to 60% more processor time per clause (measured on two cores) and slows Whisper down beside it.
        """
        config = Path(f"{path}.json")
        for file in (path, config):
            if not file.is_file():
                raise SpeechModelError(path, NEEDS, f"{file.name} is missing")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cpu_threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = onnxruntime.InferenceSession(_with_durations(path), options, providers=["CPUExecutionProvider"])
            settings = PiperConfig.from_dict(json.loads(config.read_text(encoding="utf-8")))
        except Exception as error:  # ONNX's errors have no base of their own
            raise SpeechModelError(path, NEEDS, f"it cannot be read ({error})") from error
        return cls(PiperVoice(session=session, config=settings))

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return int(self._piper.config.sample_rate)

    @property
    def language(self) -> str:
        """As espeak-ng calls it, such as `en-us`."""
        return str(self._piper.config.espeak_voice)

    def speak(self, text: str, *, pace: float = 1.0) -> SynthesizedText:
        """Say `text`, `pace` times as fast as the voice's own pace. Short texts are synthesised once for each pace.

        Raises `ValueError` for a pace outside 0.5 to 2.
        """
        utter = self._phrase if len(text) <= PHRASE_CHARACTERS else self._utter
        return utter(text, checked_pace(pace))

    def synthesize(self, text: str, *, pace: float = 1.0) -> NDArray[np.int16]:
        """The samples alone: int16, mono, at `sample_rate`. Raises as `speak` does."""
        return self.speak(text, pace=pace).samples

    def _utter(self, text: str, pace: float) -> SynthesizedText:
        config = SynthesisConfig(length_scale=self._piper.config.length_scale / pace, normalize_audio=False)
        with self._lock:
            chunks = list(self._piper.synthesize(text, config, include_alignments=True))
        samples = to_loudness(np.concatenate([*(chunk.audio_float_array for chunk in chunks), np.zeros(0, np.float32)]))
        samples.flags.writeable = False
        if not chunks or any(chunk.phoneme_alignments is None for chunk in chunks):
            return SynthesizedText(samples)
        phonemes = [
            Phoneme(aligned.phoneme, aligned.num_samples / self.sample_rate)
            for chunk in chunks
            for aligned in chunk.phoneme_alignments
        ]
        return SynthesizedText(samples, word_marks(text, phonemes, self._phonemes))

    def _phonemise(self, word: str) -> str:
        return "".join(sign for sentence in self._piper.phonemize(word) for sign in sentence)


def _with_durations(path: Path) -> bytes:
    """A voice's model that tells how long its phonemes last, as far as it can be made to."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        with memoryview(content) as model:
            output = durations_output(model)
        return b"".join([content, output])


def pace_within_limits(pace: float) -> float:
    """The pace nearest to `pace` that a voice can speak at."""
    return min(max(pace, SLOWEST), FASTEST)


def checked_pace(pace: float) -> float:
    """Return `pace`, or raise `ValueError` with the paces there are."""
    if not SLOWEST <= pace <= FASTEST:
        raise ValueError(
            f"A voice cannot speak at pace {pace}: choose {SLOWEST} (slow) to {FASTEST} (fast), 1 is normal."
        )
    return pace


def to_loudness(pcm: NDArray[np.float32]) -> NDArray[np.int16]:
    """Samples as integers, brought to `LOUDNESS` without going over `PEAK`; silence stays silent."""
    peak = float(np.abs(pcm).max(initial=0.0))
    if peak < 1e-4:  # noqa: PLR2004 (under the step of a 16-bit sample's neighbours: nothing to amplify)
        return np.zeros(len(pcm), dtype=np.int16)
    level = float(np.sqrt(np.mean(np.square(pcm), dtype=np.float64)))
    gain = min(LOUDNESS / level, PEAK / peak)
    return (pcm * gain * np.iinfo(np.int16).max).astype(np.int16)
