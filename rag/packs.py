"""Question packs: data files that hold everything an interviewer needs to ask and judge a question.

A pack is one YAML file. Its shape is the models below; `docs/question-packs.md` explains it to authors.
Loading is all or nothing: a pack with one bad question is refused whole, with the place of every fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

PACKS_DIR = Path(__file__).parent / "packs"

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")

LONGEST_MINUTES = 10
"""No question takes longer than this."""

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Spoken = Annotated[str, Field(min_length=8)]
"""Text that is said aloud or compared with what was said aloud: a sentence, no markup."""

_Place = tuple[int | str, ...]
"""Where something is in a pack: keys, and indexes of list items from 0, from the outside in."""


class PackError(ValueError):
    """A pack cannot be used. `faults` holds one sentence each, with file and place."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(f"{path.name} was not loaded: " + "; ".join(faults))


class _DisagreementError(ValueError):
    """Parts of a pack that are fine by themselves contradict each other. Each fault is a place and a sentence."""

    def __init__(self, faults: list[tuple[_Place, str]]) -> None:
        self.faults = faults
        super().__init__("; ".join(sentence for _, sentence in faults))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class BankQuestion(_Data):
    """One question with the rubric that its answers are judged by."""

    id: Slug
    topic: Slug
    difficulty: Difficulty
    text: Spoken
    """As the interviewer says it: one or two sentences."""
    key_points: Annotated[list[Spoken], Field(min_length=3, max_length=6)]
    """Separate claims, each phrased as something a candidate could say."""
    misconceptions: Annotated[list[Spoken], Field(min_length=1, max_length=3)]
    """Wrong claims that candidates really make, phrased as they would say them."""
    model_answer: Annotated[str, Field(min_length=80)]
    """A good answer as spoken: it covers every key point."""
    minutes: Annotated[float, Field(ge=1, le=LONGEST_MINUTES)]
    """Expected minutes for asking and answering."""
    concepts: Annotated[list[Slug], Field(min_length=1)]
    """Ids of the pack's concepts that the question is about."""

    @field_validator("text")
    @classmethod
    def _asks_something(cls, text: str) -> str:
        if not text.endswith(("?", ".")):
            raise ValueError("must end with a question mark or a full stop")
        return text


class Concept(_Data):
    """An idea that questions of the pack share, explained twice."""

    id: Slug
    name: Annotated[str, Field(min_length=2)]
    explanation: Spoken
    simple_explanation: Spoken


class Topic(_Data):
    """A part of the field, in the order a plan visits it."""

    id: Slug
    title: Annotated[str, Field(min_length=2)]
    fundamental: bool = False
    """Fundamental topics come first once the difficulty had to be lowered."""
    weight: Annotated[float, Field(gt=0, le=10)] = 1
    """How much of an interview it gets beside the other topics: 2 is twice as much as 1."""


class Pack(_Data):
    """One field of interview questions."""

    id: Slug
    title: Annotated[str, Field(min_length=2)]
    description: Spoken
    language: str = "en"
    topics: Annotated[list[Topic], Field(min_length=1)]
    concepts: list[Concept]
    questions: Annotated[list[BankQuestion], Field(min_length=1)]

    def concept(self, name_or_id: str) -> Concept | None:
        """The concept with this id or spoken name, in any case, with hyphens or spaces; None when there is none."""
        wanted = _as_spoken(name_or_id)
        by_id = (concept for concept in self.concepts if _as_spoken(concept.id) == wanted)
        by_name = (concept for concept in self.concepts if _as_spoken(concept.name) == wanted)
        return next(chain(by_id, by_name), None)

    @model_validator(mode="after")
    def _hangs_together(self) -> Pack:
        topics = {topic.id for topic in self.topics}
        concepts = {concept.id for concept in self.concepts}
        faults = [
            *_repeated("topics", "id", [topic.id for topic in self.topics]),
            *_repeated("concepts", "id", [concept.id for concept in self.concepts]),
            *_repeated("concepts", "name", [_as_spoken(concept.name) for concept in self.concepts]),
            *_repeated("questions", "id", [question.id for question in self.questions]),
            *_repeated("questions", "text", [question.text.lower() for question in self.questions]),
        ]
        for index, question in enumerate(self.questions):
            place: _Place = ("questions", index)
            if question.topic not in topics:
                known = ", ".join(sorted(topics))
                faults.append(((*place, "topic"), f"{question.topic!r} is not a topic of the pack; it has: {known}"))
            faults += [
                ((*place, "concepts"), f"{concept!r} is not a concept of the pack; define it, or correct its name")
                for concept in question.concepts
                if concept not in concepts
            ]
        asked = {question.topic for question in self.questions}
        faults += [
            (("topics", index), "no question is about this topic; write one, or remove the topic")
            for index, topic in enumerate(self.topics)
            if topic.id not in asked
        ]
        if faults:
            raise _DisagreementError(faults)
        return self


def _as_spoken(name: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))


def _repeated(part: str, key: str, values: Sequence[str]) -> list[tuple[_Place, str]]:
    first: dict[str, int] = {}
    faults: list[tuple[_Place, str]] = []
    for index, value in enumerate(values):
        if first.setdefault(value, index) != index:
            faults.append(((part, index, key), f"{value!r} was used before in this pack; each needs its own"))
    return faults


def load_pack(path: Path) -> Pack:
    """Read one pack.

    Raises:
        PackError: the file is missing, empty, not YAML, or does not have the shape of a pack.
    """
    loader = _yaml_loader(path)
    try:
        root = loader.get_single_node()
        data = loader.construct_document(root) if root else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise PackError(path, [f"line {line}: it is not YAML ({error.problem})"]) from None
    if root is None or not isinstance(data, dict):
        raise PackError(path, ["it is empty or not a mapping of keys to values; a pack begins with its id and title"])
    if faults := list(_keys_given_twice(root)):
        raise PackError(path, faults)
    try:
        return Pack.model_validate(data)
    except ValidationError as error:
        faults = [
            f"line {_line(root, place)}, {_name(data, place)}: {sentence}"
            for details in error.errors()
            for place, sentence in _explained(details)
        ]
        raise PackError(path, faults) from None


def load_packs(folder: Path = PACKS_DIR) -> dict[str, Pack]:
    """Every pack of a folder by its id, in the order of their file names.

    Raises:
        PackError: there is no pack in the folder, one of the packs is broken, or two have the same id.
    """
    packs: dict[str, Pack] = {}
    for path in sorted(folder.glob("*.yaml")):
        pack = load_pack(path)
        if pack.id in packs:
            raise PackError(path, [f"its id {pack.id!r} is already taken by another pack of the folder"])
        packs[pack.id] = pack
    if not packs:
        raise PackError(folder, ["there is no pack in this folder; a pack is a file whose name ends in .yaml"])
    return packs


def _yaml_loader(path: Path) -> yaml.SafeLoader:
    try:
        return yaml.SafeLoader(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PackError(path, ["there is no such file"]) from None
    except OSError as error:
        raise PackError(path, [f"it cannot be read ({error.strerror})"]) from None
    except UnicodeDecodeError as error:
        raise PackError(path, [f"it is not UTF-8 text (byte {error.start}); save it as UTF-8"]) from None
    except yaml.reader.ReaderError as error:
        raise PackError(path, [f"it is not text (character {error.position} is a control character)"]) from None


def _keys_given_twice(node: yaml.Node) -> Iterator[str]:
    """YAML keeps the last of two equal keys. That is how a forgotten hyphen makes a question vanish."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _keys_given_twice(item)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield f"line {key.start_mark.line + 1}: {key.value!r} is given twice; is the hyphen of an item missing?"
            seen.add(key.value)
            yield from _keys_given_twice(value)


def _line(node: yaml.Node, place: _Place) -> int:
    """Line (from 1) of the innermost part of the place that is in the file."""
    line = node.start_mark.line + 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            found = (node.value[part], node.value[part])
        else:
            found = None
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line


def _name(data: dict[str, Any], place: _Place) -> str:
    """The place in an author's words: `question bias-variance, key_points, item 2`."""
    if len(place) > 1 and isinstance(index := place[1], int):
        item = data[str(place[0])][index]
        own_name = item.get("id", index + 1) if isinstance(item, dict) else index + 1
        start, rest = [f"{str(place[0]).removesuffix('s')} {own_name}"], place[2:]
    else:
        start, rest = [], place
    names = [f"item {part + 1}" if isinstance(part, int) else part for part in rest]
    return ", ".join([*start, *names]) or "the pack"


def _explained(details: ErrorDetails) -> list[tuple[_Place, str]]:
    """What Pydantic found, as sentences for an author."""
    place, kind, found = details["loc"], details["type"], details["input"]
    disagreement = details.get("ctx", {}).get("error")
    if isinstance(disagreement, _DisagreementError):
        return disagreement.faults
    if kind == "missing":
        return [(place, "is missing")]
    if kind == "extra_forbidden":
        parts: dict[str, type[_Data]] = {"topics": Topic, "concepts": Concept, "questions": BankQuestion}
        known = ", ".join(parts.get(str(place[0]), Pack).model_fields)
        return [(place, f"is not a key that is known here; known are: {known}")]
    if kind == "string_pattern_mismatch":
        return [(place, f"must be lower-case words joined by hyphens, like cross-validation, not {found!r}")]
    if kind == "model_type":
        return [(place, "must be a mapping of keys to values")]
    sentence = re.sub(r"^(Input|String|List) should", "must", details["msg"]).replace(" after validation", "")
    shown = f" (found: {found!r})" if isinstance(found, int | float) or kind == "literal_error" else ""
    return [(place, sentence.removeprefix("Value error, ") + shown)]
