"""Voice pipeline of one interview: the parts that make words of sound, and sound of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agent.conversation.answer_audio import AnswerAudio
from agent.conversation.listening import ListeningSignals, SignalPlayer
from agent.conversation.transcript import AudioTimeline, Utterances
from agent.conversation.voice_activity import SureVoiceDetector
from agent.endpointing.detector import EndOfTurnDetector
from agent.model_files.voices import usual_pace
from agent.settings import Settings
from domain.events import Event
from speech import PiperTTS, SpeechModels, TextNormalizer, WhisperSTT

_KEPT_AFTER_S = 60.0
"""So much of what follows the longest answer is kept: it is heard again while the interviewer speaks."""


@dataclass(frozen=True, slots=True)
class VoicePipeline:
    """The parts, each with the shared models behind it."""

    detector: SureVoiceDetector
    whisper: WhisperSTT
    utterances: Utterances
    turn_detector: EndOfTurnDetector
    audio: AnswerAudio
    voice: PiperTTS
    signals: SignalPlayer
    listening: ListeningSignals | None
    """None when the interviewer gives no listening signals."""


def make_pipeline(
    models: SpeechModels,
    settings: Settings,
    *,
    pronunciations: Mapping[str, str],
    risk: float,
    speaks: Callable[[], bool],
    record: Callable[[Event], None],
    clock: Callable[[], float],
) -> VoicePipeline:
    """The pipeline of an interview.

    Args:
        models: recogniser, turn model and voice, which all interviews of a process share.
        settings: the settings in force.
        pronunciations: of the question pack.
        risk: how probable it may be that an answer is cut off (`RISKS`).
        speaks: whether the interviewer is saying something.
        record: takes events.
        clock: seconds since the epoch.
    """
    wording = TextNormalizer(pronunciations, language=models.voice.language)
    whisper = WhisperSTT(models.recognizer, models.vad, models.turns)
    utterances = Utterances(AudioTimeline(clock))
    signals = SignalPlayer(models.voice)
    listening = ListeningSignals(signals, speaks, record, clock) if settings.listening_signals else None
    return VoicePipeline(
        detector=SureVoiceDetector(models.vad),
        whisper=whisper,
        utterances=utterances,
        turn_detector=EndOfTurnDetector(
            whisper.all_heard,
            whisper.chance_over,
            utterances,
            clock,
            risk=risk,
            record=record,
            listening=listening,
        ),
        audio=AnswerAudio(clock, settings.longest_answer_s + _KEPT_AFTER_S),
        voice=PiperTTS(models.voice, usual_pace=usual_pace(settings), wording=wording),
        signals=signals,
        listening=listening,
    )
