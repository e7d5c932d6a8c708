"""ONNX sessions of small encoders: what MiniLM and the encoders of the graph have in common."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
Given = TypeVar("Given")
Batch = dict[str, NDArray[np.int64]]
"""`input_ids`, `attention_mask` and `token_type_ids`: a row for each text, padded with zeros to the longest."""


def session_options(threads: int) -> Any:
    """Options of an onnxruntime session that shares a few cores with the speech models.

    Args:
        threads: for one batch, at most as many as there are cores.
    """
    # It takes a tenth of a second to import, which a command line that needs no model should not pay.
    import onnxruntime  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(threads, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    # A thread that waits by spinning takes its core from the speech models.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Processors with AVX2 and without VNNI cut off the sums of int8 products where this is not asked for.
    options.add_session_config_entry("session.x64quantprecision", "1")
    return options


def in_batches(encoded: Sequence[Any], run: Callable[[Batch], Iterable[Given]], *, at_once: int) -> list[Given]:
    """What is given for each encoded text, in their order; texts of like lengths run together, to need little padding.

    Args:
        encoded: of a tokenizer that does not pad.
        run: gives one thing, such as a row, for each text of a batch.
        at_once: texts in a batch, which bounds the memory that it takes.
    """
    order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
    rows: dict[int, Given] = {}
    for start in range(0, len(order), at_once):
        places = order[start : start + at_once]
        rows.update(zip(places, run(_padded([encoded[place] for place in places])), strict=True))
    return [rows[place] for place in range(len(encoded))]


def _padded(encoded: Sequence[Any]) -> Batch:
    shape = (len(encoded), max(len(each.ids) for each in encoded))
    ids, mask, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, each in enumerate(encoded):
        size = len(each.ids)
        ids[row, :size], mask[row, :size], types[row, :size] = each.ids, 1, each.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
