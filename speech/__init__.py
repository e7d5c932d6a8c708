"""Speech: hearing (Whisper as a LiveKit STT) and speaking (Piper as a LiveKit TTS).

`load_speech_models` gives the models that all interviews of a process share; `WhisperSTT` and `PiperTTS` plug them
into a session. Everything runs on the CPU of this machine: no sound leaves it.
"""

from speech.end_of_turn import SmartTurn, TurnModel
from speech.errors import SpeechModelError
from speech.models import SpeechModels, WhisperChoice, load_detector, load_recognizer, load_speech_models
from speech.stt.language_watch import OtherLanguage
from speech.stt.plugin import WhisperSTT
from speech.stt.recognizer import Recognition, Recognizer
from speech.stt.word_times import HeardWord
from speech.text_normalization import TextNormalizer
from speech.tts.plugin import PiperTTS
from speech.tts.voice import SynthesizedText, Voice

__all__ = [
    "HeardWord",
    "OtherLanguage",
    "PiperTTS",
    "Recognition",
    "Recognizer",
    "SmartTurn",
    "SpeechModelError",
    "SpeechModels",
    "SynthesizedText",
    "TextNormalizer",
    "TurnModel",
    "Voice",
    "WhisperChoice",
    "WhisperSTT",
    "load_detector",
    "load_recognizer",
    "load_speech_models",
]
