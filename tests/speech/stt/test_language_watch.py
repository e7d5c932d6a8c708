"""When another language than the interview's is spoken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from speech import OtherLanguage, WhisperSTT
from speech.audio import Audio
from speech.stt.language_watch import FOR_A_WHILE_S, LanguageWatch
from speech.stt.recognizer import Recognition
from speech.stt.whisper import AUTO, NO_PROMPT, DecodePrompt, SpokenLanguage, always_wanted
from tests.speech.fakes import LoudnessVAD, LoudRecognizer, tone
from tests.speech.stt.test_plugin import finals, frames, hear

GERMAN, ENGLISH, UNSURE = SpokenLanguage("de", 0.9), SpokenLanguage("en", 0.9), SpokenLanguage("de", 0.5)


def test_another_language_is_told_after_a_while_and_once() -> None:
    """A candidate who does not know which language is understood hears of it, and is not told at every breath."""
    watch = LanguageWatch("en")
    told = [watch.heard(GERMAN, 3.0) for _ in range(8)]
    assert [other for other in told if other] == [OtherLanguage("de", "en")]
    assert told.index(OtherLanguage("de", "en")) == pytest.approx(FOR_A_WHILE_S / 3, abs=1)
    assert watch.language == "en"


def test_a_foreign_name_is_no_other_language() -> None:
    """One window, or a guess, proves nothing; words of the expected language in between end the doubt."""
    watch = LanguageWatch("en")
    heard = [GERMAN, ENGLISH, GERMAN, ENGLISH, UNSURE, UNSURE, UNSURE, UNSURE]
    assert [watch.heard(each, 4.0) for each in heard] == [None] * len(heard)


def test_it_is_told_again_when_it_happens_again() -> None:
    """After words of the expected language."""
    watch = LanguageWatch("en")
    told = [watch.heard(each, 5.0) for each in (GERMAN, GERMAN, ENGLISH, GERMAN, GERMAN)]
    assert [other is not None for other in told] == [False, True, False, False, True]


def test_a_free_interview_takes_the_language_that_is_spoken() -> None:
    """The first, and later another one if it is spoken for a while."""
    watch = LanguageWatch(AUTO)
    assert watch.language == ""
    watch.heard(UNSURE, 5.0)
    assert watch.language == ""
    watch.heard(ENGLISH, 3.0)
    assert watch.language == "en"
    assert watch.heard(GERMAN, 5.0) is None
    assert watch.heard(GERMAN, 5.0) == OtherLanguage("de", "en")
    assert watch.language == "de"


class Foreign(LoudRecognizer):
    """Hears German; keeps what it was told."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.cues: list[DecodePrompt] = []

    def hear(
        self,
        pcm: Audio,
        prompt: DecodePrompt = NO_PROMPT,
        *,
        patient: bool = True,
        wanted: Callable[[], bool] = always_wanted,
    ) -> Recognition | None:
        self.cues.append(prompt)
        heard = super().hear(pcm)
        assert heard is not None
        return Recognition(heard.text, heard.words, prompt.language or "de", GERMAN if prompt.detect else None)


async def test_the_session_is_told_of_another_language() -> None:
    """By an event, with which the interview can say what it understands."""
    whisper = WhisperSTT(Foreign("en"), LoudnessVAD())
    told: list[OtherLanguage] = []
    whisper.on("other_language", told.append)
    events = await hear(whisper, *frames(tone(*[(5, 0.3), (1, 0)] * 3)))
    assert told == [OtherLanguage("de", "en")]
    assert {str(data.language) for data in finals(events)} == {"en"}


async def test_words_are_told_in_the_language_that_was_found() -> None:
    """And later windows are not asked which it is before they are decoded."""
    recognizer = Foreign(AUTO)
    events = await hear(WhisperSTT(recognizer, LoudnessVAD()), *frames(tone(*[(5, 0.3), (1, 0)] * 2)))
    assert {str(data.language) for data in finals(events)} == {"de"}
    assert (recognizer.cues[0].language, recognizer.cues[-1].language) == ("", "de")


async def test_hot_words_are_told_and_taken_back() -> None:
    """Each once, in the order of their likelihood."""
    recognizer = Foreign("en")
    whisper = WhisperSTT(recognizer, LoudnessVAD())
    whisper.set_hot_words(["Kafka", " idempotent ", "Kafka", ""])
    await hear(whisper, *frames(tone((1, 0.3), (1, 0))))
    whisper.set_hot_words([])
    await hear(whisper, *frames(tone((1, 0.3), (1, 0))))
    assert [recognizer.cues[0].hot_words, recognizer.cues[-1].hot_words] == ["Kafka, idempotent", ""]
