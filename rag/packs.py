"""Question packs: data files that hold everything an interviewer needs to ask and judge a question.

A pack is one YAML file. Its shape is the models below; `docs/question-packs.md` explains it to authors.
Loading is all or nothing: a pack with one bad question is refused whole, with the place of every fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

PACKS_DIR = Path(__file__).parent / "packs"

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Spoken = Annotated[str, Field(min_length=8)]
"""Text that is said aloud or compared with what was said aloud: a sentence, no markup."""


class PackError(ValueError):
    """A pack cannot be used. `faults` holds one sentence each, with file and place."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(f"{path.name} was not loaded: " + "; ".join(faults))


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
    minutes: Annotated[float, Field(ge=1, le=10)]
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


class Pack(_Data):
    """One field of interview questions."""

    id: Slug
    title: Annotated[str, Field(min_length=2)]
    description: Spoken
    language: str = "en"
    topics: Annotated[list[Topic], Field(min_length=1)]
    concepts: list[Concept]
    questions: Annotated[list[BankQuestion], Field(min_length=1)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Pack:
        faults = [
            *_repeated("topic", (topic.id for topic in self.topics)),
            *_repeated("concept", (concept.id for concept in self.concepts)),
            *_repeated("question", (question.id for question in self.questions)),
            *_repeated("question text", (question.text.lower() for question in self.questions)),
        ]
        topics = {topic.id for topic in self.topics}
        concepts = {concept.id for concept in self.concepts}
        for question in self.questions:
            if question.topic not in topics:
                faults.append(f"question {question.id}: topic {question.topic!r} is not one of {sorted(topics)}")
            faults += [
                f"question {question.id}: concept {concept!r} is not defined in the pack"
                for concept in question.concepts
                if concept not in concepts
            ]
        asked = {question.topic for question in self.questions}
        faults += [f"topic {topic.id}: no question is about it" for topic in self.topics if topic.id not in asked]
        if faults:
            raise ValueError("; ".join(faults))
        return self


def _repeated(what: str, names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    faults: list[str] = []
    for name in names:
        if name in seen:
            faults.append(f"{what} {name!r} appears more than once")
        seen.add(name)
    return faults


def load_pack(path: Path) -> Pack:
    """Read one pack.

    Raises:
        PackError: the file is missing, empty, not YAML, or does not have the shape of a pack.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PackError(path, ["there is no such file"]) from None
    except UnicodeDecodeError as error:
        raise PackError(path, [f"it is not UTF-8 text (byte {error.start})"]) from None
    try:
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise PackError(path, [f"line {line}: it is not YAML ({error.problem})"]) from None
    if not isinstance(data, dict):
        raise PackError(path, ["it is empty or not a mapping of keys to values"])
    try:
        return Pack.model_validate(data)
    except ValidationError as error:
        raise PackError(path, [_sentence(fault["loc"], fault["msg"]) for fault in error.errors()]) from None


def load_packs(folder: Path = PACKS_DIR) -> dict[str, Pack]:
    """Every pack of a folder by its id, in the order of their file names.

    Raises:
        PackError: one of the packs is broken, or two have the same id.
    """
    packs: dict[str, Pack] = {}
    for path in sorted(folder.glob("*.yaml")):
        pack = load_pack(path)
        if pack.id in packs:
            raise PackError(path, [f"its id {pack.id!r} is already taken by another pack"])
        packs[pack.id] = pack
    return packs


def _sentence(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part) for part in place) or "the pack"
    return f"{where}: {message.removeprefix('Value error, ')}"
