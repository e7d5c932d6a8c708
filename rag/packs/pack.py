"""Question packs: data files that hold everything an interviewer needs to ask and judge a question.

A pack is one YAML file. Its shape is the models below; `docs/question-packs.md` explains it to authors.
Loading is all or nothing: a pack with one bad question is refused whole, with the place of every fault.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from domain.vocabulary import Difficulty, StarPart
from rag.packs.source import PackError, Place, Source, read_bytes, source_of

__all__ = [
    "LONGEST_MINUTES",
    "PACKS_DIR",
    "STAR",
    "BankQuestion",
    "Concept",
    "FollowUpSeed",
    "Pack",
    "PackError",
    "Topic",
    "load_pack",
    "load_pack_with_source",
    "load_packs",
    "pack_files",
]

PACKS_DIR = Path(__file__).parent

LONGEST_MINUTES = 10
"""No question takes longer than this."""

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Spoken = Annotated[str, Field(min_length=8)]
"""Text that is said aloud or compared with what was said aloud: a sentence, no markup."""

_SAYABLE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .'’-])*")  # noqa: RUF001 (an apostrophe as it is written)


class _DisagreementError(ValueError):
    """Parts of a pack that are fine by themselves contradict each other. Each fault is a place and a sentence."""

    def __init__(self, faults: list[tuple[Place, str]]) -> None:
        self.faults = faults
        super().__init__("; ".join(sentence for _, sentence in faults))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, use_attribute_docstrings=True)


STAR: tuple[StarPart, ...] = ("situation", "task", "action", "result")
"""The parts that every story of experience has; what was learned from it may follow."""


class FollowUpSeed(_Data):
    """A natural spoken question that asks for key points which a first answer left out."""

    points: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]
    """Numbers of the key points, from 1."""
    text: Spoken

    @field_validator("text")
    @classmethod
    def _asks_once(cls, text: str) -> str:
        if not text.endswith("?") or text.count("?") > 1:
            raise ValueError("must be one question, with one question mark, at its end")
        return text


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
    corrections: list[Spoken] = []
    """What holds instead of each misconception, and why: one spoken sentence for each, in their order."""
    spoken_points: dict[Annotated[int, Field(ge=1)], Spoken] = {}
    """How a key point is said aloud to a candidate who left it out, by its number from 1; for those that would sound
    wrong as they are written after "the whole answer also has this". In a story: what to tell there, and how."""
    model_answer: Annotated[str, Field(min_length=80)]
    """A good answer as spoken: it covers every key point."""
    minutes: Annotated[float, Field(ge=1, le=LONGEST_MINUTES)]
    """Expected minutes for asking and answering."""
    concepts: Annotated[list[Slug], Field(min_length=1)]
    """Ids of the pack's concepts that the question is about."""
    hints: Annotated[list[Spoken], Field(max_length=3)] = []
    """A ladder for whoever asks for help: a nudge, a narrower question, an example. None gives a key point away."""
    follow_ups: list[FollowUpSeed] = []
    """Questions that ask for what a first answer left out."""
    parts: list[StarPart] = []
    """For a question that asks for a story: the part of the story that each key point tells, in their order."""

    def follow_up(self, points: Sequence[str]) -> FollowUpSeed | None:
        """The seed that asks for the first of some key points that has one; None when none has."""
        return next((seed for point in points for seed in self.follow_ups if point in self.asked_by(seed)), None)

    def asked_by(self, seed: FollowUpSeed) -> tuple[str, ...]:
        """The key points that a follow-up asks for."""
        return tuple(self.key_points[number - 1] for number in seed.points)

    @model_validator(mode="after")
    def _names_its_own_points(self) -> BankQuestion:
        count = len(self.key_points)
        faults: list[tuple[Place, str]] = [
            (("follow_ups", index, "points"), f"there is no key point {number}; the question has {count}")
            for index, seed in enumerate(self.follow_ups)
            for number in seed.points
            if number > count
        ]
        faults += [
            (("spoken_points", number), f"there is no key point {number}; the question has {count}")
            for number in self.spoken_points
            if number > count
        ]
        if self.corrections and len(self.corrections) != (wrong := len(self.misconceptions)):
            sentence = f"must correct each of the {wrong} misconceptions, in their order, not {len(self.corrections)}"
            faults.append((("corrections",), sentence))
        if self.parts and len(self.parts) != count:
            faults.append((("parts",), f"must name one part for each of the {count} key points, not {len(self.parts)}"))
        elif self.parts and (absent := [part for part in STAR if part not in self.parts]):
            faults.append((("parts",), f"no key point tells the {' or the '.join(absent)}"))
        if faults:
            raise _DisagreementError(faults)
        return self

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
    examples: list[Spoken] = []
    """Short, concrete cases of it."""


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
    technical: bool = True
    """False for questions about how somebody works: "can we do a technical assessment" then wants another interview."""
    pronunciations: dict[Annotated[str, Field(min_length=1)], str] = {}
    """Terms that a voice would say wrongly, and how they are said: nginx as "engine X", letters one by one as "A.W.S".
    A term with a capital is found as it is written, one without in any case."""
    topics: Annotated[list[Topic], Field(min_length=1)]
    concepts: list[Concept]
    questions: Annotated[list[BankQuestion], Field(min_length=1)]

    def concept(self, name_or_id: str) -> Concept | None:
        """The concept with this id or spoken name, in any case, with hyphens or spaces; None when there is none."""
        wanted = _as_spoken(name_or_id)
        by_id = (concept for concept in self.concepts if _as_spoken(concept.id) == wanted)
        by_name = (concept for concept in self.concepts if _as_spoken(concept.name) == wanted)
        return next(chain(by_id, by_name), None)

    @field_validator("pronunciations")
    @classmethod
    def _can_be_said(cls, pronunciations: dict[str, str]) -> dict[str, str]:
        faults: list[tuple[Place, str]] = [
            ((term,), f"must be said with words, such as engine X, or letters, such as A.W.S, not {said!r}")
            for term, said in pronunciations.items()
            if not _SAYABLE.fullmatch(said)
        ]
        if faults:
            raise _DisagreementError(faults)
        return pronunciations

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
            place: Place = ("questions", index)
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


def _repeated(part: str, key: str, values: Sequence[str]) -> list[tuple[Place, str]]:
    first: dict[str, int] = {}
    faults: list[tuple[Place, str]] = []
    for index, value in enumerate(values):
        if first.setdefault(value, index) != index:
            faults.append(((part, index, key), f"{value!r} was used before in this pack; each needs its own"))
    return faults


def load_pack(path: Path) -> Pack:
    """Read one pack.

    Raises:
        PackError: the file is missing, empty, not YAML, or does not have the shape of a pack.
    """
    return _as_pack(path, read_bytes(path))


def load_pack_with_source(path: Path) -> tuple[Pack, Source]:
    """Read one pack, and where everything in it stands.

    Raises:
        PackError: the file is missing, empty, not YAML, or does not have the shape of a pack.
    """
    source = source_of(path, read_bytes(path))
    return _checked(path, source), source


@lru_cache(maxsize=32)
def _as_pack(path: Path, raw: bytes) -> Pack:
    """A process asks for the same packs several times, and reading one takes 20 ms. What changed is read anew."""
    return _checked(path, source_of(path, raw))


def _checked(path: Path, source: Source) -> Pack:
    try:
        return Pack.model_validate(source.data)
    except ValidationError as error:
        faults = [
            source.fault(place, sentence) for details in error.errors() for place, sentence in _explained(details)
        ]
        raise PackError(path, faults) from None


def load_packs(folder: Path = PACKS_DIR, imported: Path | None = None) -> dict[str, Pack]:
    """Every pack of a folder by its id, in the order of their file names.

    Args:
        folder: Where the packs are.
        imported: Where the user's own are, which come on top: each takes the place of the one with its id, or follows
            the others. It may be empty or missing.

    Raises:
        PackError: there is no pack in the folder, one of the packs is broken, or two of a folder have the same id.
    """
    packs = _packs_of(folder)
    if not packs:
        raise PackError(folder, ["there is no pack in this folder; a pack is a file whose name ends in .yaml"])
    return packs if imported is None else {**packs, **_packs_of(imported)}


def pack_files(folder: Path) -> list[Path]:
    """The files of a folder that are packs, or should be; none when there is no such folder."""
    return sorted(folder.glob("*.yaml"))


def _packs_of(folder: Path) -> dict[str, Pack]:
    packs: dict[str, Pack] = {}
    for path in pack_files(folder):
        pack = load_pack(path)
        if pack.id in packs:
            raise PackError(path, [f"its id {pack.id!r} is already taken by another pack of the folder"])
        packs[pack.id] = pack
    return packs


def _explained(details: ErrorDetails) -> list[tuple[Place, str]]:
    """What Pydantic found, as sentences for an author."""
    place, kind, found = details["loc"], details["type"], details["input"]
    disagreement = details.get("ctx", {}).get("error")
    if isinstance(disagreement, _DisagreementError):
        return [((*place, *within), sentence) for within, sentence in disagreement.faults]
    if kind == "missing":
        return [(place, "is missing")]
    if kind == "extra_forbidden":
        parts: dict[str, type[_Data]] = {"topics": Topic, "concepts": Concept, "questions": BankQuestion}
        kind_of_part = FollowUpSeed if "follow_ups" in place[:-1] else parts.get(str(place[0]), Pack)
        known = ", ".join(kind_of_part.model_fields)
        return [(place, f"is not a key that is known here; known are: {known}")]
    if kind == "string_pattern_mismatch":
        return [(place, f"must be lower-case words joined by hyphens, like cross-validation, not {found!r}")]
    if kind == "model_type":
        return [(place, "must be a mapping of keys to values")]
    sentence = re.sub(r"^(Input|String|List) should", "must", details["msg"]).replace(" after validation", "")
    is_told = isinstance(found, int | float) or (isinstance(found, str) and kind == "literal_error")
    shown = f" (found: {found!r})" if is_told else ""
    return [(place, sentence.removeprefix("Value error, ") + shown)]
