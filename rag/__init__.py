"""The question bank: packs, their search, and corrective retrieval. It imports nothing else of Viva's.

A pack is a YAML file of questions with their rubrics (`packs`). Packs are imported into a Chroma folder (`bank`,
`store`), searched by sentence embeddings (`embeddings`, computed by `minilm`; `scale`), and asked for through a graph
that corrects a poor search (`retrieval`, `grading`, `refining`). `session` is what an interview asks for its next
question: it keeps what was found (`cache`) and gives no question twice. `repetition` and `contrast` tell whether a
question was asked before in other words. `encoders` is how small models are run, here and in the graph.

Names are imported when they are used: whoever only reads a pack does not wait for LangGraph, Chroma or onnxruntime.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.bank import Added, Hit, QuestionBank
    from rag.embeddings import Embedder, EmbedderError, MiniLM
    from rag.grading import Grade, GradeByModel
    from rag.packs import DIFFICULTIES, BankQuestion, Concept, Difficulty, Pack, PackError, Topic, load_pack, load_packs
    from rag.refining import Rephrase
    from rag.repetition import AskedQuestion, Repetition, is_repetition
    from rag.retrieval import CorrectiveRetrieval, Helpers, Request, Retrieved
    from rag.scale import MINILM_SCALE, ScoreScale
    from rag.session import Choose, Found, SessionQuestions
    from rag.store import BankError

__all__ = [
    "DIFFICULTIES",
    "MINILM_SCALE",
    "Added",
    "AskedQuestion",
    "BankError",
    "BankQuestion",
    "Choose",
    "Concept",
    "CorrectiveRetrieval",
    "Difficulty",
    "Embedder",
    "EmbedderError",
    "Found",
    "Grade",
    "GradeByModel",
    "Helpers",
    "Hit",
    "MiniLM",
    "Pack",
    "PackError",
    "QuestionBank",
    "Repetition",
    "Rephrase",
    "Request",
    "Retrieved",
    "ScoreScale",
    "SessionQuestions",
    "Topic",
    "is_repetition",
    "load_pack",
    "load_packs",
]

_HOMES = {
    "bank": ("Added", "Hit", "QuestionBank"),
    "embeddings": ("Embedder", "EmbedderError", "MiniLM"),
    "grading": ("Grade", "GradeByModel"),
    "packs": (
        "DIFFICULTIES",
        "BankQuestion",
        "Concept",
        "Difficulty",
        "Pack",
        "PackError",
        "Topic",
        "load_pack",
        "load_packs",
    ),
    "refining": ("Rephrase",),
    "repetition": ("AskedQuestion", "Repetition", "is_repetition"),
    "retrieval": ("CorrectiveRetrieval", "Helpers", "Request", "Retrieved"),
    "scale": ("MINILM_SCALE", "ScoreScale"),
    "session": ("Choose", "Found", "SessionQuestions"),
    "store": ("BankError",),
}


def __getattr__(name: str) -> object:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'rag' has no attribute {name!r}; it has: {', '.join(__all__)}")
    return getattr(import_module(f"rag.{home}"), name)
