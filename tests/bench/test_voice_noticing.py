"""How soon a first word is noticed: where speech begins in a recording, and when a detector has had enough of it."""

from __future__ import annotations

import numpy as np
import pytest

from agent.conversation.voice_activity import SureVoiceDetector
from agent.rehearsal.hearing import RATE_HZ as SOUND_HZ
from bench.voice.manifest import Pause
from bench.voice.noticing import RATE_HZ, Beginning, beginnings, noticed_after_s, noticing_rows
from bench.voice.sounds import Sound
from tests.speech.fakes import WINDOW_S, LoudnessVAD


def sound(*pauses: tuple[float, float], length_s: float = 12.0) -> Sound:
    """A hum with silences in it."""
    pcm = np.full(round(length_s * SOUND_HZ), 6000, np.int16)
    for start_s, end_s in pauses:
        pcm[round(start_s * SOUND_HZ) : round(end_s * SOUND_HZ)] = 0
    told = tuple(Pause(start_s=start_s, end_s=end_s, place="inside") for start_s, end_s in pauses)
    return Sound(pcm, length_s, told)


def test_speech_begins_after_each_pause_that_is_one() -> None:
    """A hesitation of a fifth of a second is none; of a long silence the last second is heard."""
    found = beginnings([sound((1.0, 1.2), (4.0, 4.5), (7.0, 9.0))], [None])
    assert [each.speech_s for each in found] == [0.5, 1.0]
    assert [len(each.pcm) / RATE_HZ for each in found] == [3.5, 4.0]


def test_each_is_heard_over_each_noise() -> None:
    """The same beginnings, as often as there are levels."""
    assert len(beginnings([sound((4.0, 5.0))], [None, 20.0, 10.0])) == 3


async def test_it_is_noticed_when_the_detector_has_had_enough() -> None:
    """Counted from the first sound; what is never enough is never noticed."""
    heard = Beginning(np.concatenate([np.zeros(RATE_HZ, np.int16), np.full(RATE_HZ, 6000, np.int16)]), 1.0)
    detector = SureVoiceDetector(LoudnessVAD())
    assert await noticed_after_s(detector, heard, 0.1) == pytest.approx(0.1, abs=2 * WINDOW_S)
    assert await noticed_after_s(detector, heard, 5.0) is None


async def test_the_table_has_those_who_were_never_noticed() -> None:
    """They are no part of the percentiles, and are counted."""
    silent = Beginning(np.zeros(2 * RATE_HZ, np.int16), 1.0)
    rows = await noticing_rows(LoudnessVAD(), [silent])
    assert [row.viva for row in rows] == [None, None, 1.0] * 2
