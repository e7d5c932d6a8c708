"""Running a small encoder: texts, or pairs of texts, to one row of scores each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

Rows = NDArray[np.float32]

MODEL_FILE = "model.onnx"
TOKENIZER = Path(__file__).parent / "tokenizer.json"
"""MiniLM's own, for all encoders that are made from it."""

_MAX_PAIRS_AT_ONCE = 32
"""Memory is bounded, and a batch of like lengths has little padding."""


class EncoderError(RuntimeError):
    """The files of an encoder are missing or damaged."""


class Encoder:
    """One model. Used from several threads at once.

    Args:
        folder: holds `model.onnx`.
        max_tokens: what is longer is cut at its end.
        threads: for one batch. Two help a long answer; for one sentence a second thread gains nothing.

    Raises:
        EncoderError: the files are missing or damaged.
    """

    def __init__(self, folder: Path, *, max_tokens: int, threads: int = 1) -> None:
        # Both take a tenth of a second to import, which a command line that needs no model should not pay.
        import onnxruntime  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(threads, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        # A thread that waits by spinning takes its core from the speech models.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = Tokenizer.from_file(str(TOKENIZER))
        except Exception as error:
            # Both libraries raise types of their own making, down to bare Exception.
            raise EncoderError(
                f"The encoder in {folder} cannot be loaded ({error}). Its files come with Viva: install Viva again."
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    def scores(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> Rows:
        """One row of raw scores for each text or pair, in their order. The same call gives the same rows, always.

        In another company a row may differ in its second decimal: int8 arithmetic scales by what is in a batch.
        """
        encoded = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
        rows: list[Rows | None] = [None] * len(encoded)
        for start in range(0, len(order), _MAX_PAIRS_AT_ONCE):
            places = order[start : start + _MAX_PAIRS_AT_ONCE]
            for place, row in zip(places, self._run([encoded[place] for place in places]), strict=True):
                rows[place] = row
        made = [row for row in rows if row is not None]
        return np.stack(made) if made else np.empty((0, 0), np.float32)

    def _run(self, encoded: Sequence[Any]) -> Rows:
        longest = max(len(each.ids) for each in encoded)
        shape = (len(encoded), longest)
        ids, mask, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, each in enumerate(encoded):
            size = len(each.ids)
            ids[row, :size], mask[row, :size], types[row, :size] = each.ids, 1, each.type_ids
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        return np.asarray(self._session.run(None, fed)[0], np.float32)


Weights = TypeVar("Weights", bound=BaseModel)


def read_weights(path: Path, form: type[Weights]) -> Weights:
    """What was learned, from a JSON file that comes with Viva.

    Raises:
        EncoderError: the file is missing, or is of another form.
    """
    try:
        return form.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise EncoderError(f"{path} cannot be used ({error}). It comes with Viva: install Viva again.") from error


@cache
def load(folder: Path, *, max_tokens: int, threads: int = 1) -> Encoder:
    """The encoder of a folder, loaded once for all who ask."""
    return Encoder(folder, max_tokens=max_tokens, threads=threads)
