"""Embeddings: order, memory and threads with a scripted model; the real model where its behaviour matters (slow)."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import numpy as np
import pytest

from agent.model_files.prepare import ModelPaths
from rag.embedding.embedder import EmbedderError, MiniLM, Vectors


class ScriptedModel:
    """Stands in for a model: refuses to be used by two threads at once, as some tokenizers do."""

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self._busy = Lock()

    def encode(self, texts: list[str]) -> Vectors:
        """Rows that tell texts apart by their length."""
        assert self._busy.acquire(blocking=False), "Already borrowed"
        self.encoded += texts
        angles = np.array([len(text) / 100 for text in texts], dtype=np.float32)
        rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._busy.release()
        return rows


@pytest.fixture
def model() -> ScriptedModel:
    """A model whose calls can be counted."""
    return ScriptedModel()


def test_rows_are_in_the_order_of_the_texts(model: ScriptedModel) -> None:
    """One row of unit length a text, repeated texts included."""
    rows = MiniLM(model).embed(["bb", "a", "bb"])

    assert rows.dtype == np.float32
    assert rows.shape == (3, 2)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(rows[0], rows[2])
    assert rows[0, 1] > rows[1, 1]


def test_no_texts_give_no_rows(model: ScriptedModel) -> None:
    """Nothing to embed has the model's width and no rows."""
    assert MiniLM(model).embed([]).shape == (0, 2)


def test_a_text_is_computed_once(model: ScriptedModel) -> None:
    """What comes again turn after turn is looked up."""
    minilm = MiniLM(model)
    model.encoded.clear()
    first = minilm.embed(["a", "bb"])
    again = minilm.embed(["bb", "ccc", "a", "a"])

    assert model.encoded == ["a", "bb", "ccc"]
    np.testing.assert_array_equal(first, again[[2, 0]])


def test_memory_is_bounded(model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts that were not used for longest are forgotten first."""
    monkeypatch.setattr("rag.embedding.embedder._REMEMBERED_TEXTS", 2)
    minilm = MiniLM(model)
    for text in ("a", "bb", "a", "ccc"):
        minilm.embed([text])
    model.encoded.clear()
    minilm.embed(["a", "ccc"])
    minilm.embed(["bb"])

    assert model.encoded == ["bb"]


def test_threads_take_turns(model: ScriptedModel) -> None:
    """Many threads may embed at once and get their own rows."""
    minilm = MiniLM(model)
    texts = ["x" * length for length in range(1, 60)]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda text: minilm.embed([text])[0], texts))

    np.testing.assert_allclose(rows, minilm.embed(texts))


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    """A wrong path says what is missing and which setting to correct."""
    with pytest.raises(EmbedderError, match=r"no embedding model in .*setting `embedder`"):
        MiniLM.load(tmp_path)


@pytest.mark.slow
def test_the_real_model_is_loaded_once_and_silently(model_paths: ModelPaths, capfd: pytest.CaptureFixture[str]) -> None:
    """Threads that ask for a folder at once share one model; no progress bar, no warning."""
    with ThreadPoolExecutor(4) as pool:
        one, *others = pool.map(MiniLM.load, [model_paths.embedder] * 4)
    rows = one.embed(["What is overfitting?", "A model learns its training data by heart.", "The soup is salty."])

    assert all(other is one for other in others)
    assert capfd.readouterr() == ("", "")
    assert rows.shape == (3, 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


@pytest.mark.slow
def test_loading_asks_nobody(model_paths: ModelPaths) -> None:
    """In a process in which every connection fails, the model loads and embeds, with warnings as errors."""
    script = f"""
import socket
def refuse(*args, **kwargs):
    raise AssertionError("a connection was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from pathlib import Path
from rag import MiniLM
print(MiniLM.load(Path({str(model_paths.embedder)!r})).embed(["hello"]).shape)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False, cwd=_ROOT
    )

    assert (done.stdout, done.stderr) == ("(1, 384)\n", "")


_ROOT = Path(__file__).resolve().parents[3]
