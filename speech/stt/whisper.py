"""Whisper itself: listen to a window of sound, say its words, say when they were.

`WhisperDecoder` does it with CTranslate2 directly rather than by `WhisperModel.transcribe`, which pads every call to
30 s: its encoder then costs the same for one word as for half a minute. Measured on two cores with Whisper base in
int8: 3.2 s of speech take 0.18 s in a window of their own and 0.70 s in one of 30 s, 7.3 s take 0.35 and 0.92 s,
14 s take 0.64 and 1.5 s; tiny needs about half of each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer
from faster_whisper.transcribe import get_suppressed_tokens, merge_punctuations

from speech.audio import SAMPLE_RATE, Audio
from speech.errors import SpeechModelError

NEEDS = "a folder with a Whisper model converted for CTranslate2 (model.bin, config.json, tokenizer.json)"
MAX_TOKENS = 224
"""Whisper's own limit for one window."""
MAX_HOT_TOKENS = 100
"""How much of the text before this one may be hot words, …"""
MAX_MANNER_TOKENS = 40
"""… how much an example of how it is written, …"""
MAX_BEFORE_TOKENS = 60
"""… and how much words that were said. Whisper takes 223 in all."""
AUTO = "auto"
"""Instead of a language: the one that is spoken."""

_FRAMES_PER_S = 100
_WITHOUT_BLANKS = {"zh", "ja", "th", "lo", "my", "yue"}
_PREPENDED = "\"'“¿([{-"
_APPENDED = "\"'.。,，!！?？:：”)]}、"  # noqa: RUF001 (Whisper's punctuation in every script)


@dataclass(frozen=True, slots=True)
class DecodedWord:
    """A word with the times that Whisper's attention gives it."""

    text: str
    """As the tokens spell it: a blank before it, punctuation after it."""
    start_s: float
    end_s: float
    probability: float
    """Mean probability of its tokens."""
    tokens: int
    """How many tokens it has, punctuation included."""

    def joined(self, following: DecodedWord) -> DecodedWord:
        """This word and the rest of it: Whisper splits "gradient-boosted" at the hyphen."""
        tokens = self.tokens + following.tokens
        return DecodedWord(
            text=self.text + following.text,
            start_s=self.start_s,
            end_s=following.end_s,
            probability=(self.probability * self.tokens + following.probability * following.tokens) / tokens,
            tokens=tokens,
        )


@dataclass(frozen=True, slots=True)
class DecodePrompt:
    """What a decode is told beside the sound."""

    manner: str = ""
    """A text written as this one is to be written."""
    before: str = ""
    """What was said just before."""
    hot_words: str = ""
    """Terms that are likely to be said, with commas between them."""
    language: str = ""
    """Whisper's code of the language to write in; empty for the decoder's own, or else the one that is spoken."""
    detect: bool = False
    """Whether to say which language is spoken."""

    @property
    def has_text(self) -> bool:
        """True if Whisper is told a text before this one: then it makes up more."""
        return bool(self.hot_words or self.manner or self.before)


NO_PROMPT = DecodePrompt()


@dataclass(frozen=True, slots=True)
class SpokenLanguage:
    """Which language Whisper takes a sound for."""

    code: str
    """Such as "en"."""
    probability: float


@dataclass(frozen=True, slots=True)
class Decoded:
    """What the decoder said about one window."""

    text: str
    words: tuple[DecodedWord, ...]
    complete: bool
    """False if it was stopped by its bound of tokens."""
    no_speech: float
    """Whisper's probability that the window holds no speech."""
    log_prob: float
    """Mean log probability of the tokens."""
    language: str = ""
    """The language it is written in."""
    spoken: SpokenLanguage | None = None
    """The language that is spoken, if that was asked for and the model knows more than one."""


class DecodeAbandonedError(Exception):
    """Nobody wanted the words any more when the sound was encoded."""


def always_wanted() -> bool:
    """Words that are wanted whatever happens meanwhile."""
    return True


class Decoder(ABC):
    """Turns one window of sound into words. Not thread-safe: `Recognizer` lets in one caller at a time."""

    @abstractmethod
    def decode(
        self,
        pcm: Audio,
        window_s: float,
        max_tokens: int,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Decoded:
        """Decode `pcm` greedily in at most `max_tokens`, with silence after it up to `window_s` (at most 30 s).

        `wanted` is asked half-way, when the sound is encoded: the words take at least as long again. Raises
        `DecodeAbandonedError` where it says no.
        """


class WhisperDecoder(Decoder):
    """A Whisper model of any size in CTranslate2's format.

    `language` is Whisper's code of one, or `AUTO`: then each decode is written in the language that is spoken.

    Raises `SpeechModelError` if `path` holds no such model, `ValueError` for a language that Whisper does not know.
    """

    def __init__(self, path: Path, *, language: str, cpu_threads: int, compute_type: str, device: str = "cpu") -> None:
        for name in ("model.bin", "config.json", "tokenizer.json"):
            if not (path / name).is_file():
                raise SpeechModelError(path, NEEDS, f"{name} is missing")
        try:
            self._model: Any = WhisperModel(
                str(path), device=device, compute_type=compute_type, cpu_threads=cpu_threads, local_files_only=True
            )
        except Exception as error:  # of three libraries, without a common base
            raise SpeechModelError(
                path, NEEDS, f"it cannot be read for device {device} and compute type {compute_type} ({error})"
            ) from error
        self._is_multilingual = bool(self._model.model.is_multilingual)
        self._language = "" if language == AUTO and self._is_multilingual else language.replace(AUTO, "en")
        self._tokenizers: dict[str, Any] = {}
        self._encoded: tuple[Audio, int, Any] | None = None
        """The last sound with its frames and what the encoder made of it: few words are decoded twice, see
        `Recognizer.hear`, and the encoder takes half of the time."""
        self._tokenizer_for(self._language or "en")
        self._suppressed = list(get_suppressed_tokens(self._tokenizer_for(self._language or "en"), [-1]))

    def decode(
        self,
        pcm: Audio,
        window_s: float,
        max_tokens: int,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Decoded:
        """See `Decoder.decode`."""
        frames = round(window_s * _FRAMES_PER_S / 2) * 2
        encoded = self._encode(pcm, frames)
        if not wanted():
            raise DecodeAbandonedError
        language = prompt.language or self._language
        spoken = self._spoken(encoded) if prompt.detect or not language else None
        language = language or (spoken.code if spoken else "en")
        tokenizer = self._tokenizer_for(language)
        tokens = [*_before(tokenizer, prompt), *self._model.get_prompt(tokenizer, [], without_timestamps=True)]
        result = self._model.model.generate(
            encoded,
            [tokens],
            beam_size=1,
            max_length=_max_length(max_tokens, len(tokens)),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
        )[0]
        tokens = [token for token in result.sequences_ids[0] if token < tokenizer.eot]
        return Decoded(
            text=tokenizer.decode(tokens).strip(),
            words=self._align(encoded, tokens, frames, tokenizer),
            complete=len(tokens) < max_tokens,
            no_speech=result.no_speech_prob,
            log_prob=result.scores[0] * len(tokens) / (len(tokens) + 1),
            language=language,
            spoken=spoken,
        )

    def _spoken(self, encoded: Any) -> SpokenLanguage | None:
        """The likeliest language. It costs one step of the decoder."""
        if not self._is_multilingual:
            return None
        token, probability = self._model.model.detect_language(encoded)[0][0]
        return SpokenLanguage(token.strip("<|>"), float(probability))

    def _tokenizer_for(self, language: str) -> Any:
        if language not in self._tokenizers:
            self._tokenizers[language] = Tokenizer(
                self._model.hf_tokenizer, self._is_multilingual, task="transcribe", language=language
            )
        return self._tokenizers[language]

    def _encode(self, pcm: Audio, frames: int) -> Any:
        if self._encoded is not None and self._encoded[0] is pcm and self._encoded[1] == frames:
            return self._encoded[2]
        samples = frames * SAMPLE_RATE // _FRAMES_PER_S
        padded = np.pad(pcm[:samples], (0, max(0, samples - len(pcm))))
        features = self._model.feature_extractor(padded, padding=0)[:, :frames]
        encoded = self._model.model.encode(ctranslate2.StorageView.from_array(np.ascontiguousarray(features[None])))
        self._encoded = pcm, frames, encoded
        return encoded

    def _align(self, encoded: Any, tokens: Sequence[int], frames: int, tokenizer: Any) -> tuple[DecodedWord, ...]:
        """The words with their times, from the attention over what is encoded already.

        That costs 0.02 to 0.06 s, and of 1,732 times in 40 clips 98% lie within 0.04 s of those in the window of 30 s
        (measured on two cores with base). `transcribe(word_timestamps=True)` takes 1.2 to 2 s for the same, and goes
        on decoding after the last word, where it makes up more ("you", "Great.").
        """
        if not tokens:
            return ()
        alignment = self._model.find_alignment(tokenizer, [list(tokens)], encoded, frames)[0]
        merge_punctuations(alignment, _PREPENDED, _APPENDED)
        words: list[DecodedWord] = []
        for found in alignment:
            word = DecodedWord(
                found["word"],
                float(found["start"]),
                float(found["end"]),
                float(found["probability"]),
                len(found["tokens"]),
            )
            if words and word.text and not word.text.startswith(" ") and tokenizer.language_code not in _WITHOUT_BLANKS:
                words[-1] = words[-1].joined(word)
            elif word.text:
                words.append(word)
        return tuple(words)


def _before(tokenizer: Any, prompt: DecodePrompt) -> list[int]:
    """What Whisper takes for the text before this one: hot words, the manner, and what was really said."""
    hot = tokenizer.encode(f" {prompt.hot_words}.")[:MAX_HOT_TOKENS] if prompt.hot_words else []
    said = tokenizer.encode(f" {prompt.before}")[-MAX_BEFORE_TOKENS:] if prompt.before else []
    manner = tokenizer.encode(f" {prompt.manner}")[:MAX_MANNER_TOKENS] if prompt.manner else []
    tokens = [*hot, *manner, *said]
    return [tokenizer.sot_prev, *tokens] if tokens else []


def _max_length(max_tokens: int, prompt: int) -> int:
    """CTranslate2 gives the answer at most half of this length, and no more than the prompt leaves of it."""
    return min(2 * MAX_TOKENS, max(2 * max_tokens, max_tokens + prompt - 1))
