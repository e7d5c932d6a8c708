"""The sound of a recording: synthesised or read from a file, and mixed with noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from agent.rehearsal.hearing import RATE_HZ
from agent.rehearsal.persona import VoiceStyle
from agent.rehearsal.replies import Phrase
from agent.rehearsal.voice import CandidateVoice, Synthesize
from bench.voice.manifest import Chunk, Pause, Recording, chunks_of
from speech.audio import resampled

Pcm = NDArray[np.int16]

FULL_SCALE = 32767.0
_LOUDNESS = 0.08
"""Level (root mean square of what is voiced, full scale 1) of every recording: as loud as the interviewer's voice."""
_VOICED_DB = 30.0
"""A frame less than this under the loudest one is voiced."""
_FRAME_S = 0.02
_NOISE_S = 20.0
"""Length of the noise that is played over and over."""


class SoundError(RuntimeError):
    """A recording cannot be heard; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Sound:
    """An answer as sound, 48 kHz mono; times in seconds from its first sample."""

    pcm: Pcm
    speech_end_s: float
    """When its last word is over."""
    pauses: tuple[Pause, ...]
    """Its silences before that."""


def deterministic_voice(model: Path) -> Callable[[int], CandidateVoice]:
    """A Piper voice that says a text twice in the same way; a seed chooses its pitch and pace.

    Args:
        model: the voice (.onnx, its .onnx.json beside it).
    """
    from piper import PiperVoice, SynthesisConfig  # noqa: PLC0415 (onnxruntime takes a second to import)

    piper = PiperVoice.load(str(model))

    def synthesize(text: str, length_scale: float) -> tuple[Pcm, int]:
        # Without its noise the voice is a little flatter, and the same on every machine.
        config = SynthesisConfig(length_scale=length_scale, noise_scale=0.0, noise_w_scale=0.0)
        chunks = piper.synthesize(text, config)
        return np.concatenate([chunk.audio_int16_array for chunk in chunks]), piper.config.sample_rate

    say: Synthesize = synthesize
    return lambda seed: CandidateVoice(say, style_of(seed))


def style_of(seed: int) -> VoiceStyle:
    """Pitch and pace of a candidate: within what people have, and never the interviewer's."""
    draw = np.random.default_rng(seed)
    pitch = draw.choice([draw.uniform(0.84, 0.92), draw.uniform(1.08, 1.28)])
    return VoiceStyle(pitch=round(float(pitch), 3), pace=round(float(draw.uniform(0.88, 1.12)), 3))


def sound_of(recording: Recording, voice: Callable[[int], CandidateVoice]) -> Sound:
    """The sound of a recording, without noise.

    Raises:
        SoundError: its file is no audio, or is shorter than it says.
    """
    if recording.audio is None:
        return synthesised(chunks_of(recording.say), voice(recording.seed))
    assert recording.speech_end_s is not None
    pcm = read_audio(recording.audio)
    if recording.speech_end_s > len(pcm) / RATE_HZ:
        raise SoundError(
            f"{recording.audio} is {len(pcm) / RATE_HZ:.2f} s long, and speech_end_s is {recording.speech_end_s} s"
        )
    return Sound(to_level(pcm), recording.speech_end_s, tuple(p for p in recording.pauses if p.place != "end"))


def synthesised(chunks: list[Chunk], voice: CandidateVoice) -> Sound:
    """Chunks one after the other, with exactly the silence between them that is asked for."""
    parts: list[Pcm] = []
    pauses: list[Pause] = []
    at = 0
    for chunk in chunks:
        # Before a pause in mid-clause the voice stays up, as a speaker's does who goes on.
        text = chunk.text if chunk.text[-1] in ".,;:!?" else f"{chunk.text},"
        said = voice.render(Phrase(text, 0.0))
        silence = np.zeros(round(chunk.pause_s * RATE_HZ), np.int16)
        parts += [said, silence]
        at += len(said)
        if chunk.pause_s:
            start_s = at / RATE_HZ
            pauses.append(Pause(start_s=round(start_s, 3), end_s=round(start_s + chunk.pause_s, 3), place=chunk.place))
        at += len(silence)
    return Sound(to_level(np.concatenate(parts)), at / RATE_HZ, tuple(pauses))


def read_audio(path: Path) -> Pcm:
    """An audio file as 48 kHz mono.

    Raises:
        SoundError: it cannot be read.
    """
    try:
        with av.open(str(path)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE_HZ)
            frames = [out for frame in container.decode(audio=0) for out in resampler.resample(frame)]
            frames += resampler.resample(None)
    except (av.FFmpegError, IndexError) as error:
        raise SoundError(f"{path} cannot be read as audio ({error})") from None
    return np.concatenate([frame.to_ndarray().reshape(-1) for frame in frames]).astype(np.int16)


def level_of(pcm: Pcm) -> float:
    """Root mean square, full scale 1, of what is voiced; 0 of silence."""
    voiced = np.repeat(voiced_frames(pcm), _frame())
    if not voiced.any():
        return 0.0
    heard = pcm[: len(voiced)][voiced].astype(np.float64) / FULL_SCALE
    return float(np.sqrt(np.mean(np.square(heard))))


def voiced_frames(pcm: Pcm) -> NDArray[np.bool_]:
    """Which frames of 20 ms are at most 30 dB under the loudest one."""
    frames = pcm[: len(pcm) // _frame() * _frame()].reshape(-1, _frame()).astype(np.float64)
    power = np.mean(np.square(frames), axis=1)
    voiced: NDArray[np.bool_] = power > max(1.0, float(power.max(initial=0.0)) * 10 ** (-_VOICED_DB / 10))
    return voiced


def to_level(pcm: Pcm) -> Pcm:
    """Brought to the level of all recordings; silence stays silent."""
    level = level_of(pcm)
    return pcm if not level else _as_pcm(pcm.astype(np.float64) * (_LOUDNESS / level))


def noise(snr_db: float, seed: int, seconds: float = _NOISE_S) -> Pcm:
    """Pink noise, as of fans and streets, so far under a recording's voiced level as the ratio says.

    Its ends fit together, so that it can be played over and over.
    """
    size = round(seconds * RATE_HZ)
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=size))
    hertz = np.fft.rfftfreq(size, 1 / RATE_HZ)
    # Below 60 Hz there is nothing that a microphone for speech passes on.
    spectrum *= np.where(hertz < 60, 0.0, 1 / np.sqrt(np.maximum(hertz, 60)))
    sound = np.fft.irfft(spectrum, size)
    level = _LOUDNESS * 10 ** (-snr_db / 20)
    return _as_pcm(sound / np.sqrt(np.mean(np.square(sound))) * level * FULL_SCALE)


def mixed(pcm: Pcm, bed: Pcm, start: int = 0) -> Pcm:
    """A sound over noise that is repeated for as long as the sound lasts, beginning at its sample number `start`."""
    places = (np.arange(len(pcm)) + start) % len(bed)
    return _as_pcm(pcm.astype(np.float64) + bed[places])


def at_rate(pcm: Pcm, rate_hz: int) -> Pcm:
    """48 kHz mono at another rate."""
    return resampled(pcm, RATE_HZ, rate_hz)


def _frame() -> int:
    return round(_FRAME_S * RATE_HZ)


def _as_pcm(sound: NDArray[np.float64]) -> Pcm:
    limited: Pcm = np.clip(np.rint(sound), -32768, 32767).astype(np.int16)
    return limited
