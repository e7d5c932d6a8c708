"""Errors before anything is spoken: a model that is not there."""

from __future__ import annotations

from pathlib import Path


class SpeechModelError(RuntimeError):
    """A speech model cannot be loaded. `path` is where it was looked for, `needs` what belongs there."""

    def __init__(self, path: Path, needs: str, reason: str) -> None:
        self.path = path
        self.needs = needs
        super().__init__(f"No speech model was loaded from {path}: {reason}. What belongs there: {needs}.")
