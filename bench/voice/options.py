"""Options of a measurement: what is measured, how much of it, and where its files go."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class MeasuredPart(StrEnum):
    """What can be measured by itself."""

    REPLIES = "replies"
    MODELS = "models"
    GAP = "gap"
    HEARING = "hearing"
    FIRST_AUDIO = "first-audio"
    TURNS = "turns"
    BARGE_IN = "barge-in"
    NOISES = "noises"
    LOAD = "load"


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    manifest: Path
    only: frozenset[MeasuredPart]
    answers: int
    interruptions: int
    load_answers: int
    snrs_db: tuple[float | None, ...]
    human: Path | None
    noises: Path | None
    out: Path
    pace: float
    tuning: bool
    recordings: int | None

    def wants(self, *parts: MeasuredPart) -> bool:
        """Whether one of these parts is to be measured."""
        return not self.only.isdisjoint(parts)


def folder_of(out: Path) -> Path:
    """An empty folder for what this run's servers and candidates write."""
    folder = out / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder.resolve()


def stamp(began: float) -> str:
    """Minutes and seconds since the beginning."""
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    return f"{minutes:3}:{seconds:02}"
