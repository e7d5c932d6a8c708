"""Durations: making a Piper voice tell how long each of its phonemes lasts.

Every Piper model computes these durations (the output of its only Ceil node, in frames), but few name them as an output
of the graph. Naming one takes a few bytes, so no ONNX library is loaded for it: in protobuf's wire format a second
`graph` field is merged into the first, and so another output can be appended to the end of the file's content.

Field numbers are those of `onnx.proto`: ModelProto.graph is 7; GraphProto.node 1 and .output 12; NodeProto.output 2 and
.op_type 4; ValueInfoProto.name 1.
"""

from __future__ import annotations

from collections.abc import Iterator

_GRAPH, _NODE, _GRAPH_OUTPUT, _NODE_OUTPUT, _OP_TYPE, _NAME = 7, 1, 12, 2, 4, 1
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def durations_output(model: memoryview) -> bytes:
    """What to append to an ONNX model so that its phonemes' durations are its second output.

    Empty for a model that has more outputs than its sound already, or does not have exactly one Ceil node: such a voice
    is used as it is. Raises `ValueError` if `model` is no protobuf message.
    """
    outputs, ceilings = 0, []
    for graph in _fields(model, _GRAPH):
        for number, part in _all_fields(graph):
            outputs += number == _GRAPH_OUTPUT
            if number == _NODE and any(bytes(kind) == b"Ceil" for kind in _fields(part, _OP_TYPE)):
                ceilings += [bytes(name) for name in _fields(part, _NODE_OUTPUT)]
    if outputs != 1 or len(ceilings) != 1:
        return b""
    return _field(_GRAPH, _field(_GRAPH_OUTPUT, _field(_NAME, ceilings[0])))


def _fields(message: memoryview, wanted: int) -> Iterator[memoryview]:
    return (content for number, content in _all_fields(message) if number == wanted)


def _all_fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and content of the fields that have a length; numbers are skipped."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind in {_EIGHT_BYTES, _FOUR_BYTES}:
            at += 8 if kind == _EIGHT_BYTES else 4
        elif kind == _BYTES:
            length, at = _varint(message, at)
            yield number, message[at : at + length]
            at += length
        else:
            raise ValueError(f"not a protobuf message: a field of kind {kind}")
    if at > len(message):
        raise ValueError("not a protobuf message: it ends inside a field")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message):
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 (the last byte of a number has its highest bit unset)
            return value, at
        shift += 7
    raise ValueError("not a protobuf message: it ends inside a number")


def _field(number: int, content: bytes) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(content)) + content


def _number(value: int) -> bytes:
    encoded = bytearray()
    while value >= 0x80:  # noqa: PLR2004 (as in `_varint`)
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])
