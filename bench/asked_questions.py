"""Asked questions: the questions of a pack in a bank of their own, as an interview gets them."""

from __future__ import annotations

import time
from pathlib import Path

from rag import CorrectiveRetrieval, Embedder, Pack, QuestionBank, SessionQuestions


def questions_of(pack: Pack, embedder: Embedder, folder: Path) -> SessionQuestions:
    """The questions of a pack, searched in a bank that is made in a folder."""
    bank = QuestionBank.open(folder / "bank", embedder)
    bank.add([pack])
    return SessionQuestions(CorrectiveRetrieval(bank, embedder, time.perf_counter), {pack.id: pack}, time.monotonic)
