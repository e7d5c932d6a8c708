"""Resources that every interview of a process shares: models, question bank, packs; loaded and warm before anyone
calls.

An interview by text needs `InterviewResources` alone; one by voice hears and speaks as well.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agent.interviews.language_models import import_providers
from agent.model_files.prepare import ModelPaths, ensure_models
from agent.packs import packs_in_force
from agent.settings import Settings
from graph.intents import RuleDetector
from graph.judging import BuiltInJudge
from rag import CorrectiveRetrieval, Embedder, MiniLM, Pack, QuestionBank, SessionQuestions

if TYPE_CHECKING:
    from speech import SpeechModels, WhisperChoice

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_loaded: dict[tuple[type, str], object] = {}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InterviewResources:
    """What interviews think with; each part is safe to use from several threads."""

    embedder: Embedder
    packs: dict[str, Pack]
    questions: SessionQuestions
    detector: RuleDetector
    judge: BuiltInJudge


@dataclass(frozen=True, slots=True)
class VoiceResources:
    """The same, for interviews by voice: with models that hear and speak."""

    speech: SpeechModels
    interview: InterviewResources


def load_voice_resources(settings: Settings) -> VoiceResources:
    """Everything ready to use. LiveKit calls this once for each idle executor; only the first call does the work.

    Raises:
        ModelError, SpeechModelError, EncoderError, PackError, BankError: something is missing or broken; the message
            says what to do.
    """
    return _once(VoiceResources, settings, _load_voice_resources)


def load_interview_resources(settings: Settings) -> InterviewResources:
    """What an interview by text needs, ready to use; only the first call does the work.

    Raises:
        ModelError, EncoderError, PackError, BankError: something is missing or broken; the message says what to do.
    """
    return _once(InterviewResources, settings, _load_interview_resources)


def _once(kind: type[T], settings: Settings, load: Callable[[Settings], T]) -> T:
    key = (kind, settings.model_dump_json())
    with _lock:
        if key not in _loaded:
            started = time.monotonic()
            _loaded[key] = load(settings)
            _log.info("%s is ready after %.1f s", kind.__name__.lower(), time.monotonic() - started)
        loaded = _loaded[key]
    assert isinstance(loaded, kind)
    return loaded


def whisper_choice(settings: Settings, paths: ModelPaths) -> WhisperChoice:
    """The Whisper model that the settings name, and where it runs."""
    from speech import WhisperChoice  # noqa: PLC0415 - as below

    return WhisperChoice(paths.whisper, settings.language, settings.whisper_device, settings.whisper_compute_type)


def _load_voice_resources(settings: Settings) -> VoiceResources:
    # Not at the top: LiveKit's plugins can be imported by a main thread only, and an interview by text needs none. The
    # worker has imported them long before, with the job.
    from speech import load_speech_models  # noqa: PLC0415

    paths = ensure_models(settings)
    # Side by side: both compute and read files more than they run Python. When both fail, the first is told.
    with ThreadPoolExecutor(1, "interview resources") as pool:
        interview = pool.submit(_load_interview_resources, settings)
        speech = load_speech_models(whisper_choice(settings, paths), paths.voice, paths.end_of_turn)
        return VoiceResources(speech, interview.result())


def _load_interview_resources(settings: Settings) -> InterviewResources:
    embedder = MiniLM.load(ensure_models(settings).embedder)
    packs = packs_in_force(settings)
    bank = QuestionBank.open(settings.bank_dir, embedder)
    added = bank.add(packs.values())
    _log.info("question bank: %s new, %s changed, %s unchanged", added.new, added.changed, added.unchanged)
    retrieval = CorrectiveRetrieval(bank, embedder, time.perf_counter)
    judge = BuiltInJudge(embedder=embedder)
    judge.warm_up()
    import_providers(settings)
    return InterviewResources(
        embedder, packs, SessionQuestions(retrieval, packs, time.monotonic), RuleDetector(), judge
    )
