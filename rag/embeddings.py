"""Sentence embeddings: texts as vectors of unit length, so that a dot product is their cosine."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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


class _SentenceModel(Protocol):
    """What is used of `sentence_transformers.SentenceTransformer`."""

    def encode(self, sentences: list[str], *, normalize_embeddings: bool, show_progress_bar: bool) -> Vectors: ...


class MiniLM:
    """The embedder that Viva uses: all-MiniLM-L6-v2 (384 dimensions), or any model of sentence-transformers.

    Text beyond the model's limit (256 word pieces for MiniLM, about 190 words) is not looked at: embed sentences or
    clauses, not speeches.
    """

    def __init__(self, model: _SentenceModel) -> None:
        self._model = model
        # The first sentence takes far longer than the others: it is not the candidate's.
        warm_up = model.encode(["Shall we begin?"], normalize_embeddings=True, show_progress_bar=False)
        self._dimensions = warm_up.shape[1]
        # One lock for both: the tokenizer refuses to be used by two threads at once.
        self._lock = Lock()
        self._remembered: OrderedDict[str, Vectors] = OrderedDict()

    @staticmethod
    def load(path: Path) -> MiniLM:
        """The model in a folder, warmed up. Every call with the same folder gives the same instance.

        The first call takes seconds, nearly all of them for importing torch; it belongs into a thread.

        Raises:
            EmbedderError: there is no model in the folder, or its files cannot be read.
        """
        folder = path.resolve()
        with _loading:
            if folder not in _loaded:
                _loaded[folder] = MiniLM(_load_model(folder))
            return _loaded[folder]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text; texts embedded lately are looked up, not computed."""
        with self._lock:
            known = {text: self._remembered[text] for text in texts if text in self._remembered}
            if unknown := list(dict.fromkeys(text for text in texts if text not in known)):
                rows = self._model.encode(unknown, normalize_embeddings=True, show_progress_bar=False)
                known.update(zip(unknown, rows, strict=True))
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


def _load_model(folder: Path) -> _SentenceModel:
    if not (folder / "modules.json").is_file():
        raise EmbedderError(
            f"There is no embedding model in {folder} (its modules.json is missing). "
            "`viva doctor` says how to get the default model; another one is named by the setting `embedder`."
        )
    # Both are read when the libraries are imported: no request may leave the machine, and tokenizing a sentence
    # in a pool of threads only earns a warning when the process forks later.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch  # noqa: PLC0415 - seconds and hundreds of megabytes, only for who embeds
    from safetensors import SafetensorError  # noqa: PLC0415
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    logging.disable_progress_bar()
    # With two threads on two busy cores the threads wait for each other: one question took 91 ms, with one thread
    # 11 ms. On an idle machine a second thread gains nothing for a sentence.
    torch.set_num_threads(1)
    try:
        model: _SentenceModel = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise EmbedderError(
            f"The embedding model in {folder} cannot be loaded ({error}). Its files are damaged or of another kind. "
            "`viva doctor` says how to get the default model again; another one is named by the setting `embedder`."
        ) from error
    return model
