"""Runtime of a small encoder: texts, or pairs of texts, to one row of scores each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from rag.embedding.onnx import Batch, Rows, in_batches, session_options

MODEL_FILE = "model.onnx"
TOKENIZER = Path(__file__).parents[2] / "assets" / "encoders" / "tokenizer.json"
"""MiniLM's own, for all encoders that are made from it."""

_AT_ONCE = 32
"""What the encoders' scores were calibrated with: a row depends a little on the company it is in."""
_LONG_AT_ONCE = 8
"""Pairs with a whole answer: they are long enough to fill the cores, and more of them would take much memory."""


class EncoderError(RuntimeError):
    """The files of an encoder are missing or damaged."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A pair of texts as an encoder reads it that marks words."""

    scores: Rows
    """Of the classes."""
    marks: Rows
    """Of each word piece of the first text: the log-odds that it carries the class. What was cut off has none."""
    places: list[tuple[int, int]]
    """Of each word piece: its characters in the first text, from and to."""


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

        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / MODEL_FILE), session_options(threads), providers=["CPUExecutionProvider"]
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
        rows = in_batches(encoded, self._run, at_once=_AT_ONCE)
        return np.stack(rows) if rows else np.empty((0, 0), np.float32)

    def marked(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Marked]:
        """Scores of each text or pair with the marks of its first text, by an encoder that marks words."""
        encoded = self._tokenizer.encode_batch(list(texts))
        given = in_batches(encoded, self._run_marked, at_once=_LONG_AT_ONCE)
        return [_marked(each, scores, marks) for each, (scores, marks) in zip(encoded, given, strict=True)]

    def _run(self, batch: Batch) -> Rows:
        return np.asarray(self._session.run(None, batch)[0], np.float32)

    def _run_marked(self, batch: Batch) -> Iterable[tuple[Rows, Rows]]:
        outputs = self._session.run(None, batch)
        if len(outputs) != 2:  # noqa: PLR2004 - scores and marks
            raise EncoderError("This encoder marks no words: its file is of another kind. Install Viva again.")
        scores, marks = outputs
        return zip(np.asarray(scores, np.float32), np.asarray(marks, np.float32), strict=True)


def _marked(encoded: Any, scores: Rows, marks: Rows) -> Marked:
    of_first_text = [
        index
        for index, (text, special) in enumerate(zip(encoded.type_ids, encoded.special_tokens_mask, strict=True))
        if not text and not special
    ]
    return Marked(scores, marks[of_first_text], [encoded.offsets[index] for index in of_first_text])


class LearnedOfFeatures(BaseModel):
    """Weights of a linear model, with the features that they belong to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    features: tuple[str, ...]


Weights = TypeVar("Weights", bound=BaseModel)
OfFeatures = TypeVar("OfFeatures", bound=LearnedOfFeatures)


def read_weights_of(features: tuple[str, ...], path: Path, form: type[OfFeatures], command: str) -> OfFeatures:
    """What was learned for these features.

    Args:
        features: that there are.
        path: of a JSON file that comes with Viva.
        form: of the weights.
        command: that learns them anew, for the message.

    Raises:
        EncoderError: the file is missing, of another form, or was learned for other features.
    """
    weights = read_weights(path, form)
    if weights.features != features:
        raise EncoderError(f"{path} was learned for other features: run `{command}` again.")
    return weights


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
