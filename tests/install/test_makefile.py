"""The Makefile: its commands explain themselves."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_make_alone_shows_the_commands() -> None:
    """Who types `make` without knowing anything gets the list and starts nothing."""
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)

    for command in ("run", "rehearse", "test", "check", "bench", "lock", "clean"):
        assert f"  make {command} " in done.stdout


@pytest.mark.parametrize("command", ["train-judge", "train-intents"])
def test_training_sets_up_what_it_needs(command: str) -> None:
    """Torch is there before a training begins, and it is asked for nowhere else."""
    # `make test` runs these tests: what that make hands on would have this one announce its directory first.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--dry-run", command], cwd=ROOT, capture_output=True, text=True, check=True, env=alone
    )

    assert done.stdout.startswith("python3 -m install train\n")


def test_continuous_integration_runs_the_tests() -> None:
    """CI does what a person does with `make test`."""
    script = ROOT / ".ci" / "run"

    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text(encoding="utf-8")
