"""Serializer of checkpoints: the state's own types and no others, by the paths of today and of earlier versions."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any, get_args, get_type_hints

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from graph.state import InterviewState

_LIBRARIES = frozenset({"builtins", "langchain_core", "langgraph", "typing"})
"""Packages whose types are the serialiser's own business."""

OLD_PATHS = {
    ("graph.questions", "FollowUp"): "domain.question",
    ("graph.questions", "KeyPoints"): "domain.question",
    ("graph.questions", "Question"): "domain.question",
    ("graph.questions", "QuestionRecord"): "domain.question",
    ("graph.judging.verdicts", "Counts"): "domain.verdict",
    ("graph.judging.verdicts", "Evaluation"): "domain.verdict",
    ("graph.judging.verdicts", "Quote"): "domain.verdict",
    ("graph.judging.verdicts", "Scores"): "domain.verdict",
    ("graph.judging.verdicts", "Verdict"): "domain.verdict",
    ("graph.answers", "AnswerSpan"): "domain.verdict",
    ("graph.turns", "Answered"): "graph.dialogue.policy",
    ("graph.turns", "PendingRequest"): "graph.dialogue.policy",
    ("graph.dialogue_policy", "Answered"): "graph.dialogue.policy",
    ("graph.dialogue_policy", "PendingRequest"): "graph.dialogue.policy",
    ("graph.intents.vocabulary", "DetectedIntent"): "graph.intents.types",
    ("graph.answers", "SpokenWords"): "graph.dialogue.spoken_words",
    ("graph.spoken_words", "SpokenWords"): "graph.dialogue.spoken_words",
}
"""Where classes are now whose module had another name: (old module, class) to new module.

A checkpoint holds the module and the class of every object in it (LangGraph's `JsonPlusSerializer`). An interview that
was begun with an earlier version goes on only if these are found: a class that moves gets a line here, and no line is
ever removed.
"""


def types_within(*annotations: object) -> tuple[type, ...]:
    """All models, dataclasses and enumerations that values with these annotations can hold, at any depth, by name."""
    found: set[type] = set()
    waiting = list(annotations)
    while waiting:
        annotation = waiting.pop()
        waiting += get_args(annotation)
        if not isinstance(annotation, type) or annotation in found:
            continue
        if annotation.__module__.partition(".")[0] in _LIBRARIES:
            continue
        if issubclass(annotation, BaseModel):
            found.add(annotation)
            waiting += [each.annotation for each in annotation.model_fields.values()]
        elif dataclasses.is_dataclass(annotation):
            found.add(annotation)
            waiting += get_type_hints(annotation).values()
        elif issubclass(annotation, Enum):
            found.add(annotation)
    return tuple(sorted(found, key=lambda each: (each.__module__, each.__name__)))


STATE_MODELS = types_within(*get_type_hints(InterviewState, include_extras=True).values())
"""Our own types in the state: what its annotations name, so that none can be forgotten."""


class CheckpointSerializer(JsonPlusSerializer):
    """Knows the state's own models and no others, and reads what earlier versions wrote."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=STATE_MODELS)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Bring back what was written down, by this version or an earlier one."""
        kind, packed = data
        return super().loads_typed((kind, with_present_paths(packed) if kind == "msgpack" else packed))


def serializer() -> JsonPlusSerializer:
    """Serializer that knows the state's own models and no others."""
    return CheckpointSerializer()


_OLD_MODULES = tuple({module.encode() for module, _ in OLD_PATHS})


def with_present_paths(packed: bytes) -> bytes:
    """The same MessagePack with the classes of `OLD_PATHS` under their present modules."""
    if not any(module in packed for module in _OLD_MODULES):
        return packed
    return _packed(_unpacked(packed))


def _present(code: int, data: bytes) -> ormsgpack.Ext:
    """An object of LangGraph's encoding, its class under its present path: [module, class, arguments, …]."""
    parts = _unpacked(data)
    if isinstance(parts, list) and len(parts) > 1 and isinstance(parts[0], str) and isinstance(parts[1], str):
        parts[0] = OLD_PATHS.get((parts[0], parts[1]), parts[0])
    return ormsgpack.Ext(code, _packed(parts))


def _unpacked(packed: bytes) -> Any:
    return ormsgpack.unpackb(packed, ext_hook=_present, option=ormsgpack.OPT_NON_STR_KEYS)


def _packed(value: Any) -> bytes:
    return ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS)
