"""Options of the commands that hold an interview."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class DifficultyOption(StrEnum):
    """How hard the first questions are."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class DocumentError(ValueError):
    """A document cannot be used; the sentence says why."""


def read_document(path: Path | None) -> str:
    """The text of a file; empty when none was named.

    Raises:
        DocumentError: it cannot be read, or is not text.
    """
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DocumentError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise DocumentError(f"{path} is not UTF-8 text. Save it as plain text.") from error
