"""The question bank: packs, their search, and corrective retrieval. It imports nothing else of Viva's.

A pack is a YAML file of questions with their rubrics (`packs`). Packs are imported into a Chroma folder and searched
there (`bank`) by sentence embeddings (`embedding`). `retrieval` is what an interview asks for its next question: a
graph that corrects a poor search, and a session that keeps what was found and gives no question twice. `duplicates`
tells whether a question was asked before in other words.

Names are imported when they are used: whoever only reads a pack does not wait for LangGraph, Chroma or onnxruntime.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.bank.bank import Added, Hit, QuestionBank
    from rag.bank.chroma import BankError
    from rag.bank.score_scale import MINILM_SCALE, ScoreScale
    from rag.duplicates.duplicates import Repetition, is_repetition
    from rag.embedding.embedder import Embedder, EmbedderError, MiniLM
    from rag.packs.pack import (
        BankQuestion,
        Concept,
        Pack,
        PackError,
        Topic,
        load_pack,
        load_packs,
    )
    from rag.retrieval.grading import GradeByModel
    from rag.retrieval.graph import CorrectiveRetrieval, Helpers, RetrievalRequest, Retrieved
    from rag.retrieval.query_rewriting import Rephrase
    from rag.retrieval.session import Choose, Found, SessionQuestions

__all__ = [
    "MINILM_SCALE",
    "Added",
    "BankError",
    "BankQuestion",
    "Choose",
    "Concept",
    "CorrectiveRetrieval",
    "Embedder",
    "EmbedderError",
    "Found",
    "GradeByModel",
    "Helpers",
    "Hit",
    "MiniLM",
    "Pack",
    "PackError",
    "QuestionBank",
    "Repetition",
    "Rephrase",
    "RetrievalRequest",
    "Retrieved",
    "ScoreScale",
    "SessionQuestions",
    "Topic",
    "is_repetition",
    "load_pack",
    "load_packs",
]

_HOMES = {
    "bank.bank": ("Added", "Hit", "QuestionBank"),
    "embedding.embedder": ("Embedder", "EmbedderError", "MiniLM"),
    "retrieval.grading": ("GradeByModel",),
    "packs.pack": (
        "BankQuestion",
        "Concept",
        "Pack",
        "PackError",
        "Topic",
        "load_pack",
        "load_packs",
    ),
    "retrieval.query_rewriting": ("Rephrase",),
    "duplicates.duplicates": ("Repetition", "is_repetition"),
    "retrieval.graph": ("CorrectiveRetrieval", "Helpers", "RetrievalRequest", "Retrieved"),
    "bank.score_scale": ("MINILM_SCALE", "ScoreScale"),
    "retrieval.session": ("Choose", "Found", "SessionQuestions"),
    "bank.chroma": ("BankError",),
}


def __getattr__(name: str) -> object:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'rag' has no attribute {name!r}; it has: {', '.join(__all__)}")
    return getattr(import_module(f"rag.{home}"), name)
