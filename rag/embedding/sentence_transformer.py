"""Embedding models of every kind, by sentence-transformers where it is installed; MiniLM needs none of this."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rag.embedding.onnx import Rows


def is_installed() -> bool:
    """Whether there is a sentence-transformers that could be imported."""
    return find_spec("sentence_transformers") is not None


class SentenceTransformerEncoder:
    """A model that sentence-transformers loads. The tokenizer refuses to be used by two threads at once.

    Making one takes seconds, nearly all of them for importing torch.

    Raises:
        Exception: sentence-transformers cannot load the folder. It imports what the folder names, and raises what
            that raises.
    """

    def __init__(self, folder: Path) -> None:
        # Read when the libraries are imported: no request may leave the machine.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch  # noqa: PLC0415 - seconds and hundreds of megabytes, only for who chose such a model
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging  # noqa: PLC0415

        logging.disable_progress_bar()
        # With two threads on two busy cores the threads wait for each other: one question took 91 ms, with one thread
        # 11 ms. On an idle machine a second thread gains nothing for a sentence.
        torch.set_num_threads(1)
        self._model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(self, texts: list[str]) -> Rows:
        """One row of unit length for each text, in their order."""
        rows: Rows = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return rows
