"""The room's entry: every public name is there, and nothing heavy comes before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rag
from agent.model_files.prepare import ModelPaths

ROOT = Path(__file__).resolve().parents[2]


def loaded_by(statement: str, *heavy: str) -> list[str]:
    """Which of some modules a fresh process has loaded after a statement."""
    script = f"import sys\n{statement}\nprint(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.split()


def test_every_public_name_is_there() -> None:
    """What the entry names, it has."""
    assert all(getattr(rag, name) is not None for name in rag.__all__)


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    """A misspelt import says what there is."""
    with pytest.raises(AttributeError, match=r"no attribute 'QuestionBanc'; it has: .*QuestionBank"):
        _ = rag.QuestionBanc


def test_reading_packs_loads_nothing_heavy() -> None:
    """Whoever lists the packs does not wait for LangGraph, Chroma or onnxruntime."""
    assert loaded_by("from rag import load_packs; load_packs()", "onnxruntime", "chromadb", "langgraph", "numpy") == []


def test_using_the_whole_room_loads_onnxruntime_and_chroma_later() -> None:
    """Importing the bank and its retrieval is cheap; opening a bank and loading a model are not."""
    statement = "from rag import CorrectiveRetrieval, MiniLM, QuestionBank, is_repetition"
    assert loaded_by(statement, "onnxruntime", "chromadb", "sentence_transformers") == []


@pytest.mark.slow
def test_minilm_needs_no_torch(model_paths: ModelPaths) -> None:
    """Loading the model that Viva brings, and embedding with it, imports nothing that `make run` does not install."""
    statement = f"from pathlib import Path; from rag import MiniLM; MiniLM.load(Path({str(model_paths.embedder)!r}))"
    assert loaded_by(statement, "onnxruntime", "torch", "sentence_transformers", "transformers") == ["onnxruntime"]
