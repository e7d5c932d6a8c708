"""MiniLM run by onnxruntime: the numbers of a model's folder in the graph that ships with Viva."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rag.embedding.minilm.files import MINILM, TOKENIZER_FILE, WEIGHTS_FILE
from rag.embedding.onnx import Batch, Rows, in_batches, session_options

GRAPH = Path(__file__).parents[3] / "assets" / "minilm" / "graph.onnx"
"""Made by `training.encoders.minilm_to_onnx`."""

_AT_ONCE = 8
"""On one thread 500 texts take 35% less time than in batches of 32, and a quarter of the memory."""


class MiniLMEncoder:
    """A model of MiniLM's kind, in 32-bit floating point; its vectors are those of sentence-transformers.

    Used from several threads at once.

    Args:
        folder: holds `model.safetensors` and `tokenizer.json`.
        max_tokens: word pieces; what is longer is cut at its end.

    Raises:
        Exception: the files are missing or damaged. Two of the three libraries that read them raise types of their
            own making, down to bare Exception.
    """

    def __init__(self, folder: Path, max_tokens: int) -> None:
        # A tenth of a second for both, which a command line that needs no model should not pay.
        import onnxruntime  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        # With two threads on two busy cores the threads wait for each other, and on an idle machine a second one
        # gains nothing for a sentence.
        options = session_options(threads=1)
        weights = _weights(folder / WEIGHTS_FILE)
        options.add_external_initializers(list(weights), list(weights.values()))
        self._session = onnxruntime.InferenceSession(str(GRAPH), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)

    def encode(self, texts: list[str]) -> Rows:
        """One row of unit length for each text, in their order."""
        rows = in_batches(self._tokenizer.encode_batch(texts), self._run, at_once=_AT_ONCE)
        return np.stack(rows) if rows else np.empty((0, MINILM.hidden_size), np.float32)

    def _run(self, batch: Batch) -> Rows:
        return np.asarray(self._session.run(None, batch)[0], np.float32)


def _weights(path: Path) -> dict[str, Any]:
    """The tensors that the graph names, as onnxruntime wants them; they are needed only until it has copied them."""
    import onnxruntime  # noqa: PLC0415
    from safetensors import safe_open  # noqa: PLC0415

    with safe_open(path, framework="numpy") as file:
        # The head that BERT was trained with is in the file as well, and the numbers of the places.
        names = [
            name
            for name in file.keys()  # noqa: SIM118 - it is no dictionary
            if name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias"))
        ]
        return {
            name: onnxruntime.OrtValue.ortvalue_from_numpy(file.get_tensor(name).astype(np.float32, copy=False))
            for name in names
        }
