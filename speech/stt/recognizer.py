"""Recognizer: sound in, words with their times out.

Whisper is asked with little silence after the words, and asked again with its full window when the answer goes round
in circles. What it says about silence and noise is not believed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

import numpy as np

from speech.audio import SAMPLE_RATE, Audio, is_inaudible, quietest_place, voiced_frames
from speech.stt.hallucinations import goes_in_circles, is_believable, without_echo, without_loop
from speech.stt.scheduler import FairScheduler
from speech.stt.whisper import (
    MAX_TOKENS,
    NO_PROMPT,
    Decoded,
    DecodePrompt,
    Decoder,
    SpokenLanguage,
    WhisperDecoder,
    always_wanted,
)
from speech.stt.word_times import HeardWord, settle

FULL_WINDOW_S = 30.0
"""The window that Whisper was trained with, in seconds."""

OWN_WINDOW_S = 8.0
"""Seconds that the window has at least: the shorter it is, the more often the decoder repeats itself."""

OWN_SILENCE_S = 1.0
"""Seconds of silence that the window has at least after the sound."""

MAX_PIECE_S = 26.0
"""Longer audio is cut at its quietest place and decoded in pieces: the full window wants silence at its end too."""

CUT_WITHIN_S = 8.0
"""How many seconds before `MAX_PIECE_S` that quietest place is looked for."""

FEW_WORDS = 3
"""So many words and fewer are believed only when they are also heard by a Whisper that is told nothing."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """What was heard; empty if nobody spoke."""

    text: str = ""
    words: tuple[HeardWord, ...] = ()
    language: str = ""
    """Whisper's code of the language that it is written in."""
    spoken: SpokenLanguage | None = None
    """The language that was spoken, if that was asked for."""

    @property
    def confidence(self) -> float:
        """The mean confidence of the words, 0 to 1; 0 if there are none."""
        return sum(word.confidence for word in self.words) / len(self.words) if self.words else 0.0


class Recognizer:
    """One Whisper model that every interview of the process shares.

    Thread-safe: one window is decoded at a time, so that interviews do not fight over the cores; between two windows
    of a long answer another interview gets its turn.
    """

    def __init__(self, decoder: Decoder, *, language: str = "en") -> None:
        self.language = language
        self._decoder = decoder
        self._lock = threading.Lock()
        self.scheduler = FairScheduler()
        """Through which interviews that speak at once share this recognizer."""

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        language: str = "en",
        cpu_threads: int = 2,
        compute_type: str = "int8",
        device: str = "cpu",
    ) -> Recognizer:
        """Load the model in the folder `path`, in CTranslate2's format.

        `language` is Whisper's code of one, or "auto" for whatever is spoken. Raises `SpeechModelError` if there is no
        model, or none that runs on this device; `ValueError` for a language that Whisper does not know.
        """
        decoder = WhisperDecoder(
            path, language=language, cpu_threads=cpu_threads, compute_type=compute_type, device=device
        )
        return cls(decoder, language=language)

    def warm_up(self) -> None:
        """Decode a second of faint noise: a first call allocates what later ones use.

        In its own window only: the full one takes five times as long, and is not faster the second time.
        """
        noise = np.random.default_rng(0).normal(0, 0.01, SAMPLE_RATE).astype(np.float32)
        self._decode(noise, own_window_s(1.0))

    def transcribe(self, pcm: Audio) -> Recognition:
        """Hear what is said in `pcm` (float32, mono, 16 kHz, full scale ±1; any length).

        Raises what the model raises when it fails (`RuntimeError`); silence and noise are not failures.
        """
        return joined([(start_s, self.hear(piece) or Recognition()) for start_s, piece in pieces(pcm)])

    def hear(
        self,
        pcm: Audio,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        patient: bool = True,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Recognition | None:
        """Hear one window of at most `MAX_PIECE_S`.

        `wanted` is asked when its sound is encoded: raises `DecodeAbandonedError` where it says no.

        None if the decoder goes round in circles and `patient` is false: then the answer is not worth the time of a
        second call.
        """
        if is_inaudible(pcm):
            return Recognition()
        duration_s = len(pcm) / SAMPLE_RATE
        decoded = self._decode(pcm, own_window_s(duration_s), prompt, wanted)
        if is_believable(decoded) and goes_in_circles(decoded):
            if not patient:
                return None
            decoded = without_loop(self._out_of_circles(pcm, prompt), duration_s)
        decoded = without_echo(decoded, duration_s)
        if is_believable(decoded) and prompt.has_text and len(decoded.words) <= FEW_WORDS:
            decoded = self._checked(pcm, decoded)
        if not is_believable(decoded):
            return Recognition()
        heard = [HeardWord(word.text.strip(), word.start_s, word.end_s, word.probability) for word in decoded.words]
        words = settle(heard, voiced_frames(pcm), duration_s)
        return Recognition(decoded.text, words, decoded.language, decoded.spoken)

    def _out_of_circles(self, pcm: Audio, prompt: DecodePrompt) -> Decoded:
        """Decode again with the full window, and where that goes in circles as well, without the text before.

        A text before is often what it circles about: "I guess I'm not here" ten times for ten seconds of a sentence by
        telephone. Somebody who does repeat themselves is heard to do so whatever Whisper is told.
        """
        told = self._decode(pcm, FULL_WINDOW_S, prompt)
        if not (prompt.has_text and is_believable(told) and goes_in_circles(told)):
            return told
        plain = self._decode(pcm, FULL_WINDOW_S, DecodePrompt(language=prompt.language))
        if goes_in_circles(plain) or not is_believable(plain):
            return told
        return replace(plain, spoken=told.spoken)

    def _checked(self, pcm: Audio, told: Decoded) -> Decoded:
        """Of a few words that Whisper hears when it is told a text before them, what to believe.

        They may be made up. Measured with base on 36 clips of noise, tunes, breath and silence: with hot words, fillers
        or words before, it made up "you", "Oh," or "I'm sorry." for 2 to 5 of them, told nothing for none.

        Or they may be all that is left: told of fillers, it stopped after "I'm" in some decodes of 2.5 to 5.6 s of a
        sentence in noise (docs/hearing.md says in how many), with a mean log probability of -1.2 to -1.4. Told nothing
        it heard the sentence in all of them, with -0.2 to -0.6.
        """
        duration_s = len(pcm) / SAMPLE_RATE
        plain = without_echo(self._decode(pcm, own_window_s(duration_s), NO_PROMPT), duration_s)
        if not is_believable(plain):
            return plain
        is_more = len(plain.words) > len(told.words) and plain.log_prob > told.log_prob
        return replace(plain, spoken=told.spoken) if is_more and not goes_in_circles(plain) else told

    def _decode(
        self, pcm: Audio, window_s: float, prompt: DecodePrompt = NO_PROMPT, wanted: Callable[[], bool] = always_wanted
    ) -> Decoded:
        with self._lock:
            return self._decoder.decode(pcm, window_s, token_bound(len(pcm) / SAMPLE_RATE), prompt, wanted=wanted)


def joined(parts: Sequence[tuple[float, Recognition]]) -> Recognition:
    """One transcript of pieces that begin at these seconds."""
    words = tuple(word.shifted(start_s) for start_s, part in parts for word in part.words)
    language = next((part.language for _, part in parts if part.words), "")
    return Recognition(" ".join(part.text for _, part in parts if part.text), words, language)


def own_window_s(duration_s: float) -> float:
    """How many seconds the encoder is given for so many seconds of sound.

    Measured on two cores with 63 clips of 1 to 25 s: with only 0.5 s of silence after the sound base goes round in
    circles on 15 of them, among these 11 of the 19 shorter than 4 s, and tiny on 27; with this window on 2 and 8, none
    of them short. Fewer second calls pay for the longer window: base needs 34 s of processor time instead of 47 s.
    """
    return min(FULL_WINDOW_S, max(OWN_WINDOW_S, duration_s + OWN_SILENCE_S))


def token_bound(duration_s: float) -> int:
    """How many tokens so many seconds of speech can have.

    Sentences read fast have 5 in a second, network addresses read out nearly 9 (measured).
    """
    return min(MAX_TOKENS, 10 + ceil(10 * duration_s))


def pieces(pcm: Audio) -> Iterator[tuple[float, Audio]]:
    """Cut audio into pieces of at most `MAX_PIECE_S` at its quietest places; each with its start in seconds."""
    start = 0
    while (len(pcm) - start) / SAMPLE_RATE > MAX_PIECE_S:
        cut_s = quietest_place(pcm[start:], MAX_PIECE_S - CUT_WITHIN_S, MAX_PIECE_S)
        end = start + round(cut_s * SAMPLE_RATE)
        yield start / SAMPLE_RATE, pcm[start:end]
        start = end
    yield start / SAMPLE_RATE, pcm[start:]
