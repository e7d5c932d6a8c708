"""What every interview of a worker shares: models, question bank, packs; loaded and warm before anyone calls."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass

from agent.models import ensure_models
from agent.settings import Settings
from rag import CorrectiveRetrieval, Embedder, MiniLM, Pack, QuestionBank, load_packs
from rag.packs import PACKS_DIR
from speech import SpeechModels, load_speech_models

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_loaded: dict[str, Equipment] = {}


@dataclass(frozen=True, slots=True)
class Equipment:
    """Shared by all interviews of a process; each part is safe to use from several threads."""

    speech: SpeechModels
    embedder: Embedder
    packs: dict[str, Pack]
    retrieval: CorrectiveRetrieval


def load_equipment(settings: Settings) -> Equipment:
    """Everything ready to use. LiveKit calls this once for each idle executor; only the first call does the work.

    Raises:
        ModelError, SpeechModelError, PackError, BankError: something is missing or broken; the message says what to do.
    """
    key = settings.model_dump_json()
    with _lock:
        if key not in _loaded:
            started = time.monotonic()
            _loaded[key] = _load(settings)
            _log.info("models, packs and bank are ready after %.1f s", time.monotonic() - started)
        return _loaded[key]


def _load(settings: Settings) -> Equipment:
    paths = ensure_models(settings)
    speech = load_speech_models(paths.whisper, paths.voice, language=settings.language)
    embedder = MiniLM.load(paths.embedder)
    packs = load_packs(settings.packs_dir or PACKS_DIR)
    bank = QuestionBank.open(settings.bank_dir, embedder)
    added = bank.add(packs.values())
    _log.info("question bank: %s new, %s changed, %s unchanged", added.new, added.changed, added.unchanged)
    return Equipment(speech, embedder, packs, CorrectiveRetrieval(bank, embedder, time.perf_counter))
