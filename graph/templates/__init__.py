"""What the interviewer says, and what models are told, kept in text files that can be read and changed by anyone.

A file of wording is Markdown: a heading names a situation, and each list item below it is one way of saying it.
`{name}` is filled in. A situation that is not there is an error at once, never a silent gap in a conversation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from domain.vocabulary import Medium

_HERE = Path(__file__).parent
_PROMPTS = _HERE.parent / "prompts"


class WordingError(LookupError):
    """A file or a situation of the wording is missing."""


@dataclass(frozen=True, slots=True)
class Templates:
    """Situations and the ways to say each of them."""

    situations: Mapping[str, tuple[str, ...]]
    origin: str

    def ways(self, situation: str) -> tuple[str, ...]:
        """Every way to say it, unfilled.

        Raises:
            WordingError: the file has no such heading.
        """
        try:
            return self.situations[situation]
        except KeyError:
            raise WordingError(
                f"{self.origin} has no heading {situation!r}; it has {sorted(self.situations)}"
            ) from None

    def say(self, situation: str, turn: int = 0, **values: str) -> str:
        """One way to say it, filled in. The turn chooses which, so that an interview varies and can be replayed."""
        ways = self.ways(situation)
        return ways[turn % len(ways)].format(**values)

    def by(self, medium: Medium, situation: str) -> str:
        """The heading that a situation has where the interview is held like this; by default its own."""
        own = f"{situation}.{medium}"
        return own if own in self.situations else situation


def load_wording(path: Path) -> Templates:
    """Read a file of wording.

    Raises:
        WordingError: the file is missing, or a heading in it has nothing below.
    """
    situations: dict[str, tuple[str, ...]] = {}
    for heading, body in re.findall(r"^## +(\S+)\n(.*?)(?=^## |\Z)", _read(path), re.MULTILINE | re.DOTALL):
        ways = tuple(" ".join(way.split()) for way in re.findall(r"^- (.+(?:\n  .+)*)", body, re.MULTILINE))
        if not ways:
            raise WordingError(f"{path.name}: nothing is said under {heading!r}")
        situations[heading] = ways
    return Templates(situations, path.name)


@cache
def interview_wording() -> Templates:
    """What the interviewer says besides feedback: greeting, lead-ins, short replies, closings."""
    return load_wording(_HERE / "interview.md")


@cache
def feedback_wording() -> Templates:
    """The parts that feedback is composed of, those of a coach among them."""
    parts, coaching = load_wording(_HERE / "feedback.md"), load_wording(_HERE / "coaching.md")
    return Templates({**parts.situations, **coaching.situations}, f"{parts.origin} and {coaching.origin}")


@cache
def resume_wording() -> Templates:
    """Questions about a candidate's own work, and what is said before them."""
    return load_wording(_HERE / "resume.md")


@cache
def metrics_wording() -> Templates:
    """What the metrics of an answer come to."""
    return load_wording(_HERE / "metrics.md")


def load_prompt(name: str) -> str:
    """A prompt for a model, from `graph/prompts/`."""
    return _read(_PROMPTS / f"{name}.md")


def in_mid_sentence(text: str) -> str:
    """A phrase as it stands inside a sentence: no stop at its end, no capital that only began a sentence."""
    first, _, rest = text.strip().partition(" ")
    ordinary = first == "A" or (first[:1].isupper() and first[1:].islower())
    return f"{first.lower() if ordinary else first} {rest}".strip().rstrip(",;:.?! ")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise WordingError(f"{path.name} is missing; it belongs in {path.parent.name}/") from None
