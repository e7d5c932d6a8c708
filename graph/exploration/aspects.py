"""Aspects: what a good answer to a question about somebody's own work tells (`aspects.yaml`)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Self

import yaml
from pydantic import Field, model_validator

from domain.frozen_model import FrozenModel
from domain.question import FollowUp, KeyPoints
from domain.vocabulary import Aspect, StoryPart

_FILE = Path(__file__).with_suffix(".yaml")


class Part(FrozenModel):
    """A part of an account of one's own work."""

    point: str
    """As the judge reads it, in the first person."""
    asks: tuple[str, ...] = Field(min_length=1)
    """Ways to ask for it when it was left out."""


class AspectSheet(FrozenModel):
    """What belongs to an aspect."""

    parts: tuple[StoryPart, ...] = Field(min_length=2)
    """What a good answer tells, in the order in which it is told."""
    answer: str
    """What one could sound like."""
    hints: tuple[str, ...] = Field(min_length=1)
    """A ladder: a nudge, a narrower question, an example."""


class AspectSheets(FrozenModel):
    """All aspects and the parts they ask for."""

    parts: dict[StoryPart, Part]
    aspects: dict[Aspect, AspectSheet]

    @model_validator(mode="after")
    def _every_part_is_there(self) -> Self:
        unknown = {part for sheet in self.aspects.values() for part in sheet.parts} - self.parts.keys()
        if unknown:
            raise ValueError(f"no point is given for {', '.join(sorted(unknown))}")
        return self

    def targets(self, aspect: Aspect) -> KeyPoints:
        """What an answer about an aspect is judged by."""
        wanted = self.aspects[aspect].parts
        return KeyPoints(points=tuple(self.parts[part].point for part in wanted), parts=wanted)

    def part_of(self) -> dict[str, StoryPart]:
        """The part that each point is about."""
        return {each.point: part for part, each in self.parts.items()}

    def follow_ups(self, aspect: Aspect, asked: Collection[str] = ()) -> tuple[FollowUp, ...]:
        """The questions for what an answer may leave out, one for each part.

        Args:
            aspect: what is asked about.
            asked: questions of this interview; a way to ask that begins like one of them comes again only when all do.
        """

        def times(way: str) -> int:
            begins = way.partition(",")[0].rstrip("?")
            return sum(begins in text for text in asked)

        wanted = (self.parts[part] for part in self.aspects[aspect].parts)
        return tuple(FollowUp(points=(part.point,), text=min(part.asks, key=times)) for part in wanted)


@cache
def aspect_sheets() -> AspectSheets:
    """The sheets that come with Viva.

    Raises:
        ValueError: the file has the wrong form.
    """
    return AspectSheets.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
