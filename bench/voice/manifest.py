"""Which recordings are measured: a YAML or JSON file that names each, with its words and its pauses.

A recording is a text that is synthesised (`say`), with its pauses written into it, or an audio file with its words, the
true end of its speech, and where its pauses are. docs/voice.md explains the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

OWN = Path(__file__).with_name("recordings.yaml")
"""The recordings that come with Viva."""

Place = Literal["inside", "between", "end"]
"""Where a pause lies: inside a clause, between two clauses, or after the last word."""
Part = Literal["tuning", "held-out"]

_MARK = re.compile(r"\{([^{}]*)\}")
_PAUSE = re.compile(r"(inside|between) (\d+(?:\.\d+)?)")
_LONGEST_PAUSE_S = 10.0
FLUENT_PAUSE_S = 0.5
"""Nobody takes a pause up to this length for the end of an answer."""


class ManifestError(ValueError):
    """A manifest cannot be used. `faults` holds one sentence each."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(f"{path} cannot be used: " + "; ".join(faults))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Pause(_Data):
    """A silence of an audio file, in seconds from its beginning."""

    start_s: Annotated[float, Field(ge=0)]
    end_s: Annotated[float, Field(gt=0)]
    place: Place

    @model_validator(mode="after")
    def _runs_forward(self) -> Self:
        if self.end_s <= self.start_s:
            raise ValueError(f"a pause must end after it begins, and this one goes from {self.start_s} to {self.end_s}")
        return self


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words that are spoken in one go, and the pause after them."""

    text: str
    pause_s: float = 0.0
    place: Place = "end"


class Recording(_Data):
    """An answer that is said or played."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    part: Part = "held-out"
    """`tuning` is for choosing knobs, `held-out` for what is reported."""
    say: str = ""
    """Text to synthesise, with its pauses as {inside 1.4} and {between 0.6}."""
    seed: int = 0
    """Chooses pitch, pace and noise."""
    audio: Path | None = None
    """An audio file; relative to the manifest."""
    transcript: str = ""
    """The words in the audio file."""
    speech_end_s: Annotated[float, Field(gt=0)] | None = None
    """When the last word of the audio file is over, in seconds from its beginning."""
    pauses: tuple[Pause, ...] = ()
    """Silences of the audio file before that, in order."""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.say) == (self.audio is not None):
            raise ValueError("give either say (a text to synthesise) or audio (a file), and not both")
        if self.audio is None and (self.transcript or self.speech_end_s is not None or self.pauses):
            raise ValueError(
                "transcript, speech_end_s and pauses belong to an audio file; with say they follow from it"
            )
        if self.audio is not None and (not self.transcript or self.speech_end_s is None):
            raise ValueError("an audio file needs its transcript and speech_end_s, when its last word is over")
        if self.say:
            chunks_of(self.say)
        self._check_order()
        return self

    def _check_order(self) -> None:
        at = 0.0
        for pause in self.pauses:
            if pause.start_s < at:
                raise ValueError(f"the pause at {pause.start_s} s begins before the one ahead of it is over")
            at = pause.end_s
            assert self.speech_end_s is not None
            if pause.place == "end" and pause.start_s < self.speech_end_s:
                raise ValueError(f"a pause at the end begins at {pause.start_s} s, before speech_end_s")
            if pause.place != "end" and pause.end_s > self.speech_end_s:
                raise ValueError(f"the pause at {pause.start_s} s ends after speech_end_s; its place is then the end")

    @property
    def words(self) -> str:
        """What is said in it."""
        return " ".join(chunk.text for chunk in chunks_of(self.say)) if self.say else self.transcript

    @property
    def longest_pause_s(self) -> float:
        """The longest silence before its last word."""
        if self.say:
            return max((chunk.pause_s for chunk in chunks_of(self.say)), default=0.0)
        return max((pause.end_s - pause.start_s for pause in self.pauses if pause.place != "end"), default=0.0)

    @property
    def is_fluent(self) -> bool:
        """Whether no pause of it could be taken for its end, and it is an answer of more than a few words."""
        return self.longest_pause_s <= FLUENT_PAUSE_S and len(self.words.split()) >= 10


class _Manifest(_Data):
    recordings: Annotated[list[Recording], Field(min_length=1)]


def chunks_of(say: str) -> list[Chunk]:
    """A text with pauses written into it, cut at them.

    Raises:
        ValueError: a mark that is no pause, a pause at the beginning or the end, or one that is too long.
    """
    pieces = _MARK.split(say)
    texts, marks = [piece.strip() for piece in pieces[::2]], pieces[1::2]
    if not all(texts):
        raise ValueError("a pause stands between words: not at the beginning, at the end, or beside another pause")
    pauses: list[tuple[Place, float]] = []
    for mark in marks:
        found = _PAUSE.fullmatch(mark.strip())
        if found is None:
            raise ValueError(f"{{{mark}}} is no pause; write {{inside 1.4}} or {{between 0.6}}, in seconds")
        seconds = float(found[2])
        if not 0 < seconds <= _LONGEST_PAUSE_S:
            raise ValueError(f"a pause lasts up to {_LONGEST_PAUSE_S:g} seconds, and {{{mark}}} does not")
        pauses.append(("inside" if found[1] == "inside" else "between", seconds))
    chunks = [Chunk(text, seconds, place) for text, (place, seconds) in zip(texts[:-1], pauses, strict=True)]
    return [*chunks, Chunk(texts[-1])]


def load_manifest(path: Path = OWN) -> list[Recording]:
    """The recordings of a manifest, in its order; audio files with their whole path.

    Raises:
        ManifestError: it is missing, is no YAML or JSON, or a recording in it cannot be used.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ManifestError(path, [f"it cannot be read ({error.strerror})"]) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ManifestError(path, [f"it is neither YAML nor JSON ({' '.join(str(error).split())})"]) from None
    try:
        recordings = _Manifest.model_validate(content).recordings
    except ValidationError as error:
        raise ManifestError(path, [_fault(each, content) for each in error.errors()]) from None
    recordings = [
        each if each.audio is None else each.model_copy(update={"audio": (path.parent / each.audio).resolve()})
        for each in recordings
    ]
    if faults := [*_twice(recordings), *_missing(recordings)]:
        raise ManifestError(path, faults)
    return recordings


def _twice(recordings: list[Recording]) -> list[str]:
    ids = [each.id for each in recordings]
    return [f"the id {id_!r} is used twice" for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1})]


def _missing(recordings: list[Recording]) -> list[str]:
    return [
        f"recording {each.id!r}: there is no file {each.audio}"
        for each in recordings
        if each.audio is not None and not each.audio.is_file()
    ]


def _fault(error: object, content: object) -> str:
    assert isinstance(error, dict)
    place = list(error["loc"])
    said = str(error["msg"]).removeprefix("Value error, ")
    said = said[:1].lower() + said[1:]
    if len(place) < 2:
        return f"it must be a mapping with a list `recordings` ({said})"
    assert isinstance(content, dict)
    entry = content["recordings"][place[1]]
    name = entry.get("id") if isinstance(entry, dict) else None
    field = ".".join(str(part) for part in place[2:])
    return (
        f"recording {name!r}" * bool(name)
        + f"recording number {place[1] + 1}" * (not name)
        + (f", {field}: {said}" if field else f": {said}")
    )
