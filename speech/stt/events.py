"""Events of LiveKit's STT interface, made of recognised words."""

from __future__ import annotations

from collections.abc import Sequence

from livekit.agents import LanguageCode, stt
from livekit.agents.types import TimedString

from speech.stt.word_times import HeardWord

_WITHOUT_BLANKS = {"zh", "ja", "th", "lo", "my", "yue"}

FILLERS_KEY = "fillers"
"""Under which the metadata of a final transcript have the fillers that were heard, as the framework's words."""


def text_of(words: Sequence[HeardWord], language: str) -> str:
    """The words as they are written one after the other."""
    return ("" if language in _WITHOUT_BLANKS else " ").join(word.text for word in words)


def transcript_event(
    kind: stt.SpeechEventType,
    words: Sequence[HeardWord],
    language: str,
    fillers: Sequence[HeardWord] = (),
    *,
    offset_s: float,
) -> stt.SpeechEvent:
    """Words whose times count from the start of the stream, on the time line that begins `offset_s` before it."""
    data = stt.SpeechData(
        language=LanguageCode(language),
        text=text_of(words, language),
        start_time=offset_s + (words[0].start_s if words else 0.0),
        end_time=offset_s + (words[-1].end_s if words else 0.0),
        confidence=sum(word.confidence for word in words) / len(words) if words else 0.0,
        words=_timed(words, offset_s),
        metadata={FILLERS_KEY: _timed(fillers, offset_s)} if fillers else None,
    )
    return stt.SpeechEvent(kind, alternatives=[data])


def _timed(words: Sequence[HeardWord], offset_s: float) -> list[TimedString]:
    return [
        TimedString(
            word.text,
            start_time=offset_s + word.start_s,
            end_time=offset_s + word.end_s,
            confidence=word.confidence,
            start_time_offset=offset_s,
        )
        for word in words
    ]


def usage_event(seconds: float) -> stt.SpeechEvent:
    """So much audio has been transcribed for good."""
    usage = stt.RecognitionUsage(audio_duration=seconds)
    return stt.SpeechEvent(stt.SpeechEventType.RECOGNITION_USAGE, recognition_usage=usage)
