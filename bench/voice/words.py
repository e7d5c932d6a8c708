"""Word errors on recordings, as they are and by telephone: what a whole decode hears, and what a stream hears.

    python -m bench.voice.words --manifest FILE

By telephone means 300 to 3,400 Hz at 8 kHz through the curve of G.711 mu-law, as a call arrives. Fillers ("um") are
counted neither as words nor as errors. The stream gets a recording as fast as it can hear it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.signal import butter, resample_poly, sosfilt

from agent.cli.transcribe import read_sound
from bench.hearing import heard, speech_models, word_errors
from bench.voice.manifest import Recording, load_manifest
from speech import SpeechModels
from speech.audio import SAMPLE_RATE, Audio, from_int16

TELEPHONE_HZ = 8_000
BAND_HZ = (300, 3_400)
"""What a telephone line carries (ITU-T G.712)."""
MU = 255.0
_STEPS = 127.0
"""Mu-law has eight bits, one of them the sign."""
_FILLERS = frozenset({"um", "uh", "uhm", "er", "mm", "hm", "hmm", "mhm", "erm", "ah"})
SILENCE_S = 1
"""After a recording, so that its last words are heard as in a room."""


def as_it_is(pcm: Audio) -> Audio:
    """The recording."""
    return pcm


def by_telephone(pcm: Audio) -> Audio:
    """Sound at 16 kHz as it arrives by a call: the band of a line, 8 kHz, mu-law (ITU-T G.711's curve), and back."""
    line = butter(4, BAND_HZ, btype="bandpass", fs=SAMPLE_RATE, output="sos")
    narrow = resample_poly(sosfilt(line, pcm), TELEPHONE_HZ, SAMPLE_RATE).clip(-1, 1)
    pressed = np.sign(narrow) * np.log1p(MU * np.abs(narrow)) / np.log1p(MU)
    steps = np.round(pressed * _STEPS) / _STEPS
    arrived = np.sign(steps) * np.expm1(np.abs(steps) * np.log1p(MU)) / MU
    return resample_poly(arrived, SAMPLE_RATE, TELEPHONE_HZ).astype(np.float32)


WAYS: dict[str, Callable[[Audio], Audio]] = {"16 kHz": as_it_is, "8 kHz mu-law": by_telephone}


def without_fillers(text: str) -> str:
    """A transcript without "um" and "uh", which some transcribers write and others do not."""
    return " ".join(word for word in text.split() if word.lower().strip(".,?!") not in _FILLERS)


def errors_table(models: SpeechModels, recordings: Sequence[Recording], console: Console) -> Table:
    """Word errors of all recordings, each way."""
    table = Table("way", "words", "whole decode", "streaming", "streaming - whole", title="word error rate")
    for name, way in WAYS.items():
        words = whole = streamed = 0
        for recording in recordings:
            assert recording.audio is not None, "chosen by it"
            pcm = way(from_int16(read_sound(recording.audio)))
            of_whole, of_stream = heard(models, np.pad(pcm, (0, SAMPLE_RATE * SILENCE_S)))
            said = without_fillers(recording.transcript)
            for_whole, count = word_errors(said, without_fillers(of_whole))
            for_stream, _ = word_errors(said, without_fillers(of_stream))
            words, whole, streamed = words + count, whole + for_whole, streamed + for_stream
            if for_stream > for_whole + 1:
                console.print(f"{name}, {recording.id}: {for_stream} errors in the stream, {for_whole} in the whole")
                console.print(f"  said   {recording.transcript}\n  whole  {of_whole}\n  stream {of_stream}")
        shares = (whole / words, streamed / words, (streamed - whole) / words)
        table.add_row(name, str(words), *(f"{share:.1%}" for share in shares))
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 2 when there is nothing to measure."""
    options = argparse.ArgumentParser("python -m bench.voice.words", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--manifest", type=Path, required=True, help="recordings of people (docs/voice.md)")
    chosen = options.parse_args(arguments)
    recordings = [each for each in load_manifest(chosen.manifest) if each.audio is not None]
    if not recordings:
        print("There is no audio file in this manifest, and with synthetic voices `python -m bench hearing` does this.")
        return 2
    console = Console()
    console.print(errors_table(speech_models(), recordings, console))
    return 0


if __name__ == "__main__":
    sys.exit(main())
