"""Embedder: texts as vectors of unit length, so that a dot product is their cosine."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rag.embedding import sentence_transformer
from rag.embedding.minilm.encoder import MiniLMEncoder
from rag.embedding.minilm.files import limit_of_minilm

Vectors = NDArray[np.float32]

_REMEMBERED_TEXTS = 4096
"""Rows of 384 float32: six megabytes. Key points, questions and queries come again turn after turn."""


class EmbedderError(RuntimeError):
    """The embedding model cannot be used."""


class Embedder(Protocol):
    """Turns texts into vectors. Used from several threads at once."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text, in their order; no rows for no texts."""
        ...


class _Encoder(Protocol):
    """What computes vectors."""

    def encode(self, texts: list[str]) -> Vectors:
        """One row of unit length for each text, in their order."""
        ...


class MiniLM:
    """The embedder that Viva uses: all-MiniLM-L6-v2 (384 dimensions), or another model of sentence-transformers.

    Text beyond the model's limit (256 word pieces for MiniLM, about 190 words) is not looked at: embed sentences or
    clauses, not speeches.
    """

    def __init__(self, encoder: _Encoder) -> None:
        self._encoder = encoder
        # The first sentence takes longer than the others: it is not the candidate's.
        self._dimensions = encoder.encode(["Shall we begin?"]).shape[1]
        # One lock for both: some tokenizers refuse to be used by two threads at once.
        self._lock = Lock()
        self._remembered: OrderedDict[str, Vectors] = OrderedDict()

    @staticmethod
    def load(path: Path) -> MiniLM:
        """The model in a folder, warmed up. Every call with the same folder gives the same instance.

        The first call takes about half a second (for a model of another kind than MiniLM's many seconds, to import
        torch); it belongs into a thread.

        Raises:
            EmbedderError: there is no model in the folder, its files cannot be read, or what runs it is not installed.
        """
        folder = path.resolve()
        with _loading:
            if folder not in _loaded:
                _loaded[folder] = MiniLM(_load_encoder(folder))
            return _loaded[folder]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text; texts embedded lately are looked up, not computed."""
        with self._lock:
            known = {text: self._remembered[text] for text in texts if text in self._remembered}
            if unknown := list(dict.fromkeys(text for text in texts if text not in known)):
                known.update(zip(unknown, self._encoder.encode(unknown), strict=True))
            self._remember(known)
        if not texts:
            return np.empty((0, self._dimensions), dtype=np.float32)
        return np.stack([known[text] for text in texts]).astype(np.float32, copy=False)

    def _remember(self, rows: dict[str, Vectors]) -> None:
        for text, row in rows.items():
            self._remembered[text] = row
            self._remembered.move_to_end(text)
        while len(self._remembered) > _REMEMBERED_TEXTS:
            self._remembered.popitem(last=False)


_loaded: dict[Path, MiniLM] = {}
_loading = Lock()


def _load_encoder(folder: Path) -> _Encoder:
    if not (folder / "modules.json").is_file():
        raise EmbedderError(
            f"There is no embedding model in {folder} (its modules.json is missing). "
            "`viva doctor` says how to get the default model; another one is named by the setting `embedder`."
        )
    # Read at every use: tokenizing a sentence in a pool of threads only earns a warning when the process forks later.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        max_tokens = limit_of_minilm(folder)
        if max_tokens is not None:
            return MiniLMEncoder(folder, max_tokens)
        if sentence_transformer.is_installed():
            return sentence_transformer.SentenceTransformerEncoder(folder)
    except Exception as error:
        # Four libraries read the files, and raise types of their own making, down to bare Exception.
        raise EmbedderError(
            f"The embedding model in {folder} cannot be loaded ({error}). Its files are damaged or of another kind. "
            "`viva doctor` says how to get the default model again; another one is named by the setting `embedder`."
        ) from error
    raise EmbedderError(
        f"The embedding model in {folder} is none that Viva runs by itself (those are built like all-MiniLM-L6-v2, "
        "with model.safetensors and tokenizer.json): it needs the package sentence-transformers, which is not "
        "installed. Install it with 'python3 -m install train' (it brings PyTorch, several GB), or choose the default "
        "model by removing the setting `embedder`."
    )
