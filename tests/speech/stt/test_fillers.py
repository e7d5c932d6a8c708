"""Fillers are no words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from livekit.agents import stt

from speech import Recognition, WhisperSTT
from speech.audio import Audio
from speech.stt.fillers import is_filler
from speech.stt.whisper import NO_PROMPT, DecodePrompt, always_wanted
from speech.stt.word_times import HeardWord
from tests.speech.fakes import LoudnessVAD, LoudRecognizer, tone
from tests.speech.stt.test_plugin import KINDS, finals, frames, hear


class Umming(LoudRecognizer):
    """Hears the same words in every sound."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def hear(
        self,
        pcm: Audio,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        patient: bool = True,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Recognition | None:
        first_s = super().hear(pcm).words[0].start_s  # type: ignore[union-attr]
        parts = self.text.split()
        words = [HeardWord(text, first_s + 0.1 * at, first_s + 0.1 * at + 0.1, 0.9) for at, text in enumerate(parts)]
        return Recognition(self.text, tuple(words))


async def said(text: str) -> list[stt.SpeechEvent]:
    """What a stream says when that is heard."""
    return await hear(WhisperSTT(Umming(text), LoudnessVAD()), *frames(tone((0.5, 0), (0.8, 0.3), (1, 0))))


@pytest.mark.parametrize(("text", "expected"), [("Um,", True), ("uh...", True), ("Er", True), ("hmm-mm", True)])
def test_sounds_that_say_nothing_are_fillers(text: str, expected: bool) -> None:
    """Whatever the punctuation."""
    assert is_filler(HeardWord(text, 0, 1, 0.5)) is expected


@pytest.mark.parametrize("text", ["ERM-based", "umbrella", "mhm", "uh-huh", "err-disabled", "42"])
def test_words_are_no_fillers(text: str) -> None:
    """Nor are the sounds that mean yes."""
    assert not is_filler(HeardWord(text, 0, 1, 0.5))


async def test_fillers_are_told_beside_the_words() -> None:
    """With their times, for how the answer was delivered; what is judged does not have them."""
    (data,) = finals(await said("Um, a uh tree"))
    assert data.text == "a tree"
    assert [str(word) for word in data.words or []] == ["a", "tree"]
    fillers = (data.metadata or {})["fillers"]
    assert [str(filler) for filler in fillers] == ["Um,", "uh"]
    assert fillers[1].start_time == pytest.approx(0.7, abs=0.05)


async def test_somebody_who_only_hums_has_said_nothing() -> None:
    """Thinking aloud is no answer."""
    events = await said("Um... uh")
    assert {event.type for event in events} == {KINDS.START_OF_SPEECH, KINDS.END_OF_SPEECH, KINDS.RECOGNITION_USAGE}
