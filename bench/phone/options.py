"""Options of a measurement of the telephone line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bench.phone.relay import Network


class PhonePart(StrEnum):
    """What can be measured by itself."""

    INTERVIEWS = "interviews"
    LOOP = "loop"
    FOUR = "four"
    CODECS = "codecs"
    SOAK = "soak"


USUAL = frozenset(PhonePart) - {PhonePart.SOAK}
"""What is measured when no part is named."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    only: frozenset[PhonePart]
    answers: int
    network: Network
    four_s: float
    """How long four calls at once are listened to."""
    people: Path | None
    soak_calls: int
    trace: bool
    out: Path
