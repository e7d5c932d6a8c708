"""Speech: hearing (Whisper as a LiveKit STT) and speaking (Piper as a LiveKit TTS).

`load_speech_models` gives the models that all interviews of a process share; `WhisperSTT` and `PiperTTS` plug them
into a session. Everything runs on the CPU of this machine: no sound leaves it.
"""

from speech.errors import SpeechModelError
from speech.models import SpeechModels, WhisperChoice, load_detector, load_hearing, load_speech_models
from speech.stt.language_watch import OtherLanguage
from speech.stt.plugin import WhisperSTT
from speech.stt.recognizer import Hearing, Transcript
from speech.stt.word_times import HeardWord
from speech.text_normalization import Wording
from speech.tts.plugin import PiperTTS
from speech.tts.voice import Utterance, Voice

__all__ = [
    "HeardWord",
    "Hearing",
    "OtherLanguage",
    "PiperTTS",
    "SpeechModelError",
    "SpeechModels",
    "Transcript",
    "Utterance",
    "Voice",
    "WhisperChoice",
    "WhisperSTT",
    "Wording",
    "load_detector",
    "load_hearing",
    "load_speech_models",
]
