"""The other end of `child`: orders for processes that die, and what they left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Left:
    """What a process left when it ended or died."""

    killed: bool
    trace: list[dict[str, Any]]
    """What happened, in order."""
    state: dict[str, Any] = field(default_factory=dict)
    """The interview's state at the end; empty when it died before."""

    def events(self) -> list[dict[str, Any]]:
        """The moments at which it could have died."""
        return [line for line in self.trace if "event" in line]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """What happened of this kind."""
        return [line for line in self.trace if line["kind"] == kind]


class Orders:
    """Runs orders, one at a time."""

    def __init__(self, process: subprocess.Popen[str], errors: Path) -> None:
        self._process = process
        self._errors = errors

    def run(self, where: str, folder: Path, until: int, **order: Any) -> Left:
        """Let a process hold an interview, and wait until it has ended one way or the other."""
        folder.mkdir(parents=True, exist_ok=True)
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        orders.write(json.dumps({"where": where, "folder": str(folder), "until": until, **order}) + "\n")
        orders.flush()
        line = answers.readline()
        assert line, self._errors.read_text(encoding="utf-8")
        ended = json.loads(line)
        assert not ended["failed"], self._errors.read_text(encoding="utf-8")
        state = folder / "state"
        return Left(
            killed=ended["killed"],
            trace=[json.loads(each) for each in (folder / "trace").read_text(encoding="utf-8").splitlines()],
            state=json.loads(state.read_text(encoding="utf-8")) if state.exists() else {},
        )


@contextmanager
def taking_orders(folder: Path) -> Iterator[Orders]:
    """Start the process that forks; it ends when nobody gives it orders any more."""
    with (folder / "errors").open("w", encoding="utf-8") as errors, _started(errors) as process:
        yield Orders(process, folder / "errors")
        assert process.stdin is not None
        process.stdin.close()


def _started(errors: IO[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.graph.checkpoints.child"],
        cwd=ROOT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
    )  # fmt: skip
