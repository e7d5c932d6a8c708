"""How soon a sentence is heard, whether a gap follows its first clause, and how exact the words' times are.

First audio is the time from the text to the first samples of the voice: of the sentence whole, and of its first clause
as in an interview. The slack is how much earlier a clause is ready than the one before has been played: below nothing
there is a gap. Words' times are compared with Whisper's, heard from the same sound (its own are exact to about a tenth
of a second): those from the voice's phonemes, and those spread over a clause by length, as for a voice that tells
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.signal import resample_poly

from agent.model_files.prepare import ensure_models
from agent.model_files.voices import find_voice
from agent.settings import load_settings
from speech import TextNormalizer, Voice
from speech.audio import SAMPLE_RATE, from_int16
from speech.stt.recognizer import Recognizer
from speech.stt.repetition import words_of
from speech.tts.clauses import split_clauses
from speech.tts.plugin import timed_words

GOAL_S = 0.12
"""First audio of a sentence of fifteen words, on two idle cores."""

SENTENCES = (
    "Thank you, that covers the main points, so let us now turn to caching in general.",
    "When a service is slow, what do you look at first, and how do you go on?",
    "How would you keep two copies of the same data consistent without making every write wait?",
    "Good, you named the index and its price, so tell me when it does not help.",
    "Imagine that a job runs every night and fails once a week without leaving any error.",
    "Right, and if the queue grows faster than it is read, what would you do then?",
)
"""Fifteen or sixteen words each, with a comma early, late, or not at all."""


@dataclass
class Heard:
    """What was measured, in seconds."""

    whole_s: list[float] = field(default_factory=list)
    first_s: list[float] = field(default_factory=list)
    slack_s: list[float] = field(default_factory=list)
    by_voice_s: list[float] = field(default_factory=list)
    by_length_s: list[float] = field(default_factory=list)
    apart_s: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    settings = load_settings()
    paths = ensure_models(settings)
    voice, recognizer = Voice.load(paths.voice), Recognizer.load(paths.whisper)
    voice.speak("Ready.")
    recognizer.warm_up()
    heard = Heard()
    for sentence in SENTENCES:
        _first_audio(voice, sentence, heard)
        _word_times(voice, recognizer, sentence, heard)
    table = Table("measured", "median", "worst", title=f"{find_voice(settings.voice).name}, {len(SENTENCES)} sentences")
    for name, values in (
        ("first audio, whole sentence", heard.whole_s),
        (f"first audio, first clause (goal {GOAL_S} s)", heard.first_s),
        ("words' beginnings by the voice, off Whisper's", heard.by_voice_s),
        ("words' beginnings by length, off Whisper's", heard.by_length_s),
        ("words' beginnings by length, off the voice's", heard.apart_s),
    ):
        table.add_row(name, f"{np.median(values):.2f} s", f"{np.max(values):.2f} s")
    table.add_row("slack before the next clause", f"{np.median(heard.slack_s):.2f} s", f"{np.min(heard.slack_s):.2f} s")
    Console().print(table)


def _first_audio(voice: Voice, sentence: str, heard: Heard) -> None:
    # A pace that nobody asked for before, so that no clause comes from what is kept.
    pace = 1.0 + len(heard.whole_s) / 10_000
    started = time.perf_counter()
    voice.speak(sentence, pace=pace)
    heard.whole_s.append(time.perf_counter() - started)
    ready_s, lengths_s = [], []
    started = time.perf_counter()
    for clause in split_clauses(sentence):
        lengths_s.append(len(voice.speak(clause, pace=pace).samples) / voice.sample_rate)
        ready_s.append(time.perf_counter() - started)
    heard.first_s.append(ready_s[0])
    played_s = ready_s[0] + np.cumsum(lengths_s)
    heard.slack_s += [float(end) - ready for end, (_, ready) in zip(played_s, pairwise(ready_s), strict=False)]


def _word_times(voice: Voice, recognizer: Recognizer, sentence: str, heard: Heard) -> None:
    spoken = TextNormalizer().say(sentence)
    utterance = voice.speak(spoken.text, pace=1.0)
    length_s = len(utterance.samples) / voice.sample_rate
    by_voice = [float(word.start_time) for word in timed_words(spoken, utterance.marks, 0, length_s)]  # type: ignore[arg-type]
    by_length = [float(word.start_time) for word in timed_words(spoken, (), 0, length_s)]  # type: ignore[arg-type]
    heard.apart_s += list(np.abs(np.subtract(by_voice, by_length)))
    pcm = resample_poly(from_int16(utterance.samples), SAMPLE_RATE, voice.sample_rate).astype(np.float32)
    words = recognizer.transcribe(pcm).words
    if _plain([word.text for word in words]) != _plain(sentence.split()):
        return  # misheard: there is nothing to compare word by word
    by_whisper = [word.start_s for word in words]
    heard.by_voice_s += list(np.abs(np.subtract(by_voice, by_whisper)))
    heard.by_length_s += list(np.abs(np.subtract(by_length, by_whisper)))


def _plain(words: Sequence[str]) -> list[str]:
    return [" ".join(words_of(word)) for word in words]


if __name__ == "__main__":
    main()
