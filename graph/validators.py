"""Validators by name: what is produced passes a row of checks, and what fails one is told which, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Produced = TypeVar("Produced")


@dataclass(frozen=True, slots=True)
class Check(Generic[Produced]):
    """One thing that must hold.

    Args:
        name: as the record calls it.
        fault: why something does not pass, as a sentence that a model can act on; empty when it does.
    """

    name: str
    fault: Callable[[Produced], str]


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that failed."""

    check: str
    why: str

    def __str__(self) -> str:
        """As a model and the record are told it: the name of the check first."""
        return f"{self.check}: {self.why}"


def faults(checks: Iterable[Check[Produced]], produced: Produced) -> list[FailedCheck]:
    """The checks that something does not pass, in their order."""
    return [FailedCheck(check.name, why) for check in checks if (why := check.fault(produced))]


def first_fault(checks: Iterable[Check[Produced]], produced: Produced) -> str:
    """The first of them, in words; empty when everything passes."""
    return next((f"{check.name}: {why}" for check in checks if (why := check.fault(produced))), "")
