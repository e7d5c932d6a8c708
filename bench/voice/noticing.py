"""First words: how soon after them the interviewer would stop, by the detector alone and without a room.

Each beginning of speech in the recordings is heard after the silence that is before it: the first sound after a pause,
over noise or none. What a way there and back adds is measured elsewhere (`barge_in`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from livekit import rtc
from livekit.agents import vad
from numpy.typing import NDArray

from agent.conversation.barge_in import GOING_ON_S, INTO_A_QUESTION_S
from agent.conversation.voice_activity import SureVoiceDetector
from agent.rehearsal.hearing import RATE_HZ as SOUND_HZ
from bench.voice.figures import Row, percentiles
from bench.voice.sounds import Sound, at_rate, mixed, noise

RATE_HZ = 16_000
DEFAULT_S = 0.5
"""LiveKit's own `min_duration`."""
_QUIET_S = 0.3
"""A pause at least this long has speech that begins after it."""
_SAID_S = 3.0
"""So much of what follows is heard."""
_LEAD_S = 1.0
"""So much sound of the room goes before a recording's first word."""

Pcm = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Beginning:
    """Silence and then speech, at 16 kHz."""

    pcm: Pcm
    speech_s: float
    """When the first sound of speech is, in seconds from its beginning."""


def beginnings(sounds: Iterable[Sound], snrs_db: Sequence[float | None]) -> list[Beginning]:
    """Where somebody goes on after a pause, over each noise."""
    return [
        Beginning(at_rate(piece, RATE_HZ), speech_s)
        for number, sound in enumerate(sounds)
        for snr_db in snrs_db
        for piece, speech_s in _pieces(sound, snr_db, number)
    ]


async def noticing_rows(detector: vad.VAD, found: Sequence[Beginning]) -> list[Row]:
    """How long it takes to notice a first word, beside LiveKit's session as it is set up by default."""
    sure = SureVoiceDetector(detector)
    default = [await noticed_after_s(detector, each, DEFAULT_S) for each in found]
    rows = []
    for spoken, enough_s in (("feedback", GOING_ON_S), ("a question", INTO_A_QUESTION_S)):
        own = [await noticed_after_s(sure, each, enough_s) for each in found]
        what = f"first sound → {spoken} would stop"
        rows += percentiles(what, [each for each in own if each is not None], [s for s in default if s is not None])
        rows.append(
            Row(
                f"- never within {_SAID_S:.0f} s",
                _share_of_none(own),
                _share_of_none(default),
                "%",
                samples=str(len(own)),
            )
        )
    return rows


async def noticed_after_s(detector: vad.VAD, heard: Beginning, enough_s: float) -> float | None:
    """When a detector's `speech_duration` is enough, in seconds of sound after the first word; None for never."""
    stream = detector.stream()
    for start in range(0, len(heard.pcm), RATE_HZ // 100):
        frame = heard.pcm[start : start + RATE_HZ // 100]
        stream.push_frame(rtc.AudioFrame(frame.tobytes(), RATE_HZ, 1, len(frame)))
    stream.end_input()
    noticed = None
    async for event in stream:
        if event.type is vad.VADEventType.INFERENCE_DONE and event.speech_duration >= enough_s:
            noticed = event.timestamp - heard.speech_s
            break
    await stream.aclose()
    return noticed


def _pieces(sound: Sound, snr_db: float | None, number: int) -> Iterable[tuple[Pcm, float]]:
    pcm = sound.pcm if snr_db is None else mixed(sound.pcm, noise(snr_db, number))
    for pause in sound.pauses:
        if pause.end_s - pause.start_s >= _QUIET_S:
            start_s = max(0.0, pause.start_s, pause.end_s - _LEAD_S)
            yield pcm[round(start_s * SOUND_HZ) : round((pause.end_s + _SAID_S) * SOUND_HZ)], pause.end_s - start_s


def _share_of_none(noticed: Sequence[float | None]) -> float | None:
    return sum(each is None for each in noticed) / len(noticed) if noticed else None
