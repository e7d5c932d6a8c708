"""Speech: hearing (Whisper as a LiveKit STT) and speaking (Piper as a LiveKit TTS).

`load_speech_models` gives the models that all interviews of a process share; `WhisperSTT` and `PiperTTS` plug them
into a session. Everything runs on the CPU of this machine: no sound leaves it.
"""

from speech.errors import SpeechModelError
from speech.hearing import Hearing, Transcript
from speech.languages import OtherLanguage
from speech.models import SpeechModels, WhisperChoice, load_detector, load_hearing, load_speech_models
from speech.stt import WhisperSTT
from speech.tts import PiperTTS
from speech.voice import Utterance, Voice
from speech.word_times import HeardWord
from speech.wording import Wording

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
