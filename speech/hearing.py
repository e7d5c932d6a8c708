"""Hearing: sound in, words with their times out.

Whisper is asked with little silence after the words, and asked again with its full window when the answer goes round
in circles. What it says about silence and noise is not believed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log
from pathlib import Path

import numpy as np

from speech.audio import SAMPLE_RATE, Audio, is_inaudible, quietest_place, voiced_frames
from speech.repetition import loop_start, repeats_itself, words_of
from speech.whisper import MAX_TOKENS, Decoded, DecodedWord, Decoder, WhisperDecoder
from speech.word_times import HeardWord, settle

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

ECHO_S = 0.2
"""A word that begins this long after the end of the sound was not in it. Cut-off words begin before the end."""

_SILENCE = 0.9
_LIKELY_SILENCE = 0.55
_POSSIBLE_SILENCE = 0.3
_DOUBT = -0.6
_NONSENSE = -1.6
_TIMELESS_S = 0.05


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was heard; empty if nobody spoke."""

    text: str = ""
    words: tuple[HeardWord, ...] = ()

    @property
    def confidence(self) -> float:
        """The mean confidence of the words, 0 to 1; 0 if there are none."""
        return sum(word.confidence for word in self.words) / len(self.words) if self.words else 0.0


class Hearing:
    """One Whisper model that every interview of the process shares.

    Thread-safe: one window is decoded at a time, so that interviews do not fight over the cores; between two windows
    of a long answer another interview gets its turn.
    """

    def __init__(self, decoder: Decoder, *, language: str = "en") -> None:
        self.language = language
        self._decoder = decoder
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: Path, *, language: str = "en", cpu_threads: int = 2, compute_type: str = "int8") -> Hearing:
        """Load the model in the folder `path`, in CTranslate2's format.

        Raises `SpeechModelError` if there is none, `ValueError` for a language that Whisper does not know.
        """
        decoder = WhisperDecoder(path, language=language, cpu_threads=cpu_threads, compute_type=compute_type)
        return cls(decoder, language=language)

    def warm_up(self) -> None:
        """Decode a second of faint noise: a first call allocates what later ones use.

        In its own window only: the full one takes five times as long, and is not faster the second time.
        """
        noise = np.random.default_rng(0).normal(0, 0.01, SAMPLE_RATE).astype(np.float32)
        self._decode(noise, own_window_s(1.0))

    def transcribe(self, pcm: Audio) -> Transcript:
        """Hear what is said in `pcm` (float32, mono, 16 kHz, full scale ±1; any length).

        Raises what the model raises when it fails (`RuntimeError`); silence and noise are not failures.
        """
        texts: list[str] = []
        words: list[HeardWord] = []
        for start_s, piece in pieces(pcm):
            text, heard = self._hear_piece(piece)
            texts.append(text)
            words.extend(word.shifted(start_s) for word in heard)
        return Transcript(" ".join(filter(None, texts)), tuple(words))

    def _hear_piece(self, pcm: Audio) -> tuple[str, tuple[HeardWord, ...]]:
        if is_inaudible(pcm):
            return "", ()
        duration_s = len(pcm) / SAMPLE_RATE
        decoded = self._decode(pcm, own_window_s(duration_s))
        if is_believable(decoded) and goes_in_circles(decoded):
            decoded = without_loop(self._decode(pcm, FULL_WINDOW_S), duration_s)
        decoded = without_echo(decoded, duration_s)
        if not is_believable(decoded):
            return "", ()
        heard = [HeardWord(word.text.strip(), word.start_s, word.end_s, word.probability) for word in decoded.words]
        return decoded.text, settle(heard, voiced_frames(pcm), duration_s)

    def _decode(self, pcm: Audio, window_s: float) -> Decoded:
        with self._lock:
            return self._decoder.decode(pcm, window_s, token_bound(len(pcm) / SAMPLE_RATE))


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


def goes_in_circles(decoded: Decoded) -> bool:
    """True if the decoder ran out of tokens or repeats itself."""
    return not decoded.complete or repeats_itself(decoded.text)


def without_loop(decoded: Decoded, duration_s: float) -> Decoded:
    """Drop a repetition at the end that takes up no time in the audio: it was not said. Real repetitions stay."""
    start = loop_start([" ".join(words_of(word.text)) for word in decoded.words])
    if start is None or _time_within(decoded.words[start:], duration_s) >= _TIMELESS_S:
        return decoded
    return _first_words(decoded, start)


def without_echo(decoded: Decoded, duration_s: float) -> Decoded:
    """Drop what begins after the sound has ended: given a short "No." Whisper may say "No. No."."""
    heard = len(decoded.words)
    while heard and decoded.words[heard - 1].start_s > duration_s + ECHO_S:
        heard -= 1
    return decoded if heard == len(decoded.words) else _first_words(decoded, heard)


def _first_words(decoded: Decoded, count: int) -> Decoded:
    kept = decoded.words[:count]
    tokens = sum(word.tokens for word in kept)
    log_prob = sum(word.tokens * log(max(word.probability, 1e-6)) for word in kept) / max(tokens, 1)
    return replace(decoded, text="".join(word.text for word in kept).strip(), words=kept, log_prob=log_prob)


def _time_within(words: tuple[DecodedWord, ...], duration_s: float) -> float:
    """The mean time in seconds that the words take up in audio of that length."""
    return sum(max(0.0, min(word.end_s, duration_s) - min(word.start_s, duration_s)) for word in words) / len(words)


def is_believable(decoded: Decoded) -> bool:
    """False for what Whisper makes up about silence and noise ("you", "Thank you.", "I'm not sure if I can do that.").

    Whisper's own rule (no-speech probability above 0.6 and mean log probability under -1: Radford and others 2022,
    section 4.5) is for its full window. Measured with the short one: on 116 clips of silence and seven kinds of noise
    (0.6 to 10 s, four levels) base made up words for 83 and tiny for 63, of which none passes this rule; of 313 clips
    of speech from one word to 25 s, soft and noisy ones among them, base loses none and tiny 3 to 6.
    """
    if not words_of(decoded.text) or not decoded.words or decoded.no_speech > _SILENCE:
        return False
    if decoded.no_speech > _LIKELY_SILENCE:
        return decoded.log_prob >= _DOUBT
    return decoded.log_prob >= _NONSENSE or decoded.no_speech <= _POSSIBLE_SILENCE
