"""MiniLM as ONNX: draws `graph.onnx`, what it computes, without the numbers that it computes with.

    python -m training.encoders.minilm_to_onnx

It needs the package onnx (extra `training`) and no weights: each initializer has the name of a tensor in
`model.safetensors`, and gets its numbers when the graph is loaded.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from agent.files import write_atomically
from rag.embedding.minilm.encoder import GRAPH
from rag.embedding.minilm.files import MINILM

_OPSET = 20
"""The first with GELU as one operation."""
_IR_VERSION = 10
"""Of the same age: the oldest onnxruntime that `pyproject.toml` admits reads both."""
_HIDDEN = -1e9
"""Added to the attention that is paid to padding: after a softmax nothing is left of it."""


class _Drawing:
    """A graph that grows by one operation after the other."""

    def __init__(self) -> None:
        from onnx import helper  # noqa: PLC0415 - only for who draws the graph

        self._helper = helper
        self._nodes: list[Any] = []
        self._tensors: dict[str, Any] = {}

    def do(self, operation: str, *inputs: str, **attributes: Any) -> str:
        """Add an operation; the name of its one output."""
        output = f"{operation}-{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(operation, list(inputs), [output], name=output, **attributes))
        return output

    def constant(self, value: float | list[int]) -> str:
        """Add a number, or a list of whole ones."""
        kind = np.float32 if isinstance(value, float) else np.int64
        from onnx import numpy_helper  # noqa: PLC0415

        return self.do("Constant", value=numpy_helper.from_array(np.array(value, kind)))

    def weights(self, name: str, *shape: int) -> str:
        """Add a tensor whose numbers are given when the graph is loaded."""
        from onnx import TensorProto  # noqa: PLC0415

        tensor = TensorProto(name=name, dims=shape, data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="given-when-loading")
        self._tensors[name] = tensor
        return name

    def linear(self, name: str, inputs: str, *, wide: int, out: int) -> str:
        """Add a dense layer, its weights stored as torch does: a row for each output."""
        turned = self.do("Transpose", self.weights(f"{name}.weight", out, wide), perm=[1, 0])
        return self.do("Add", self.do("MatMul", inputs, turned), self.weights(f"{name}.bias", out))

    def normalised(self, name: str, inputs: str) -> str:
        """Add a layer normalisation."""
        scale, bias = (self.weights(f"{name}.{part}", MINILM.hidden_size) for part in ("weight", "bias"))
        return self.do("LayerNormalization", inputs, scale, bias, axis=-1, epsilon=MINILM.layer_norm_eps)

    def save(self, target: Path, inputs: list[str], output: str) -> None:
        """Write the graph, whole or not at all."""
        from onnx import TensorProto  # noqa: PLC0415

        make = self._helper.make_tensor_value_info
        graph = self._helper.make_graph(
            self._nodes, "MiniLM",
            [make(name, TensorProto.INT64, ["batch", "length"]) for name in inputs],
            [make(output, TensorProto.FLOAT, ["batch", MINILM.hidden_size])],
            list(self._tensors.values()),
        )  # fmt: skip
        opset = self._helper.make_opsetid("", _OPSET)
        model = self._helper.make_model(graph, opset_imports=[opset], ir_version=_IR_VERSION, producer_name="viva")
        write_atomically(target, model.SerializeToString(deterministic=True))


def draw(target: Path) -> None:
    """Write the graph: BERT, the mean of its last layer over the word pieces, brought to unit length."""
    drawing = _Drawing()
    mask = drawing.do("Cast", "attention_mask", to=1)
    states = _embeddings(drawing)
    bias = drawing.do("Mul", drawing.do("Sub", drawing.constant(1.0), mask), drawing.constant(_HIDDEN))
    bias = drawing.do("Unsqueeze", bias, drawing.constant([1, 2]))
    for number in range(MINILM.num_hidden_layers):
        states = _layer(drawing, f"encoder.layer.{number}", states, bias)
    there = drawing.do("Unsqueeze", mask, drawing.constant([2]))
    total = drawing.do("ReduceSum", drawing.do("Mul", states, there), drawing.constant([1]), keepdims=0)
    mean = drawing.do("Div", total, drawing.do("ReduceSum", there, drawing.constant([1]), keepdims=0))
    length = drawing.do("ReduceL2", mean, drawing.constant([1]), keepdims=1)
    vectors = drawing.do("Div", mean, length)
    drawing.save(target, ["input_ids", "attention_mask", "token_type_ids"], vectors)


def _embeddings(drawing: _Drawing) -> str:
    def table(name: str, rows: int) -> str:
        return drawing.weights(f"embeddings.{name}_embeddings.weight", rows, MINILM.hidden_size)

    words = drawing.do("Gather", table("word", MINILM.vocab_size), "input_ids")
    types = drawing.do("Gather", table("token_type", MINILM.type_vocab_size), "token_type_ids")
    length = drawing.do("Shape", "input_ids", start=1, end=2)
    places = drawing.do(
        "Slice", table("position", MINILM.max_position_embeddings), drawing.constant([0]), length, drawing.constant([0])
    )
    summed = drawing.do("Add", drawing.do("Add", words, types), places)
    return drawing.normalised("embeddings.LayerNorm", summed)


def _layer(drawing: _Drawing, name: str, states: str, bias: str) -> str:
    size, wide = MINILM.hidden_size, MINILM.intermediate_size
    heads = MINILM.num_attention_heads
    split, joined = drawing.constant([0, 0, heads, size // heads]), drawing.constant([0, 0, size])

    def by_head(part: str, order: list[int]) -> str:
        whole = drawing.linear(f"{name}.attention.self.{part}", states, wide=size, out=size)
        return drawing.do("Transpose", drawing.do("Reshape", whole, split), perm=order)

    query, key, value = by_head("query", [0, 2, 1, 3]), by_head("key", [0, 2, 3, 1]), by_head("value", [0, 2, 1, 3])
    fit = drawing.do("Div", drawing.do("MatMul", query, key), drawing.constant((size / heads) ** 0.5))
    share = drawing.do("Softmax", drawing.do("Add", fit, bias), axis=-1)
    seen = drawing.do("Transpose", drawing.do("MatMul", share, value), perm=[0, 2, 1, 3])
    seen = drawing.do("Reshape", seen, joined)
    seen = drawing.linear(f"{name}.attention.output.dense", seen, wide=size, out=size)
    states = drawing.normalised(f"{name}.attention.output.LayerNorm", drawing.do("Add", seen, states))
    thought = drawing.do("Gelu", drawing.linear(f"{name}.intermediate.dense", states, wide=size, out=wide))
    thought = drawing.linear(f"{name}.output.dense", thought, wide=wide, out=size)
    return drawing.normalised(f"{name}.output.LayerNorm", drawing.do("Add", thought, states))


if __name__ == "__main__":
    draw(GRAPH)
    sys.stdout.write(f"{GRAPH}: {GRAPH.stat().st_size} bytes\n")
