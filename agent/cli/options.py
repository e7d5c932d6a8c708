"""Options of the commands that hold an interview."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class DifficultyOption(StrEnum):
    """How hard the first questions are."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class FeedbackOption(StrEnum):
    """How answers are met."""

    COACH = "coach"
    INTERVIEWER = "interviewer"
    EXAM = "exam"


FEEDBACK_HELP = (
    "coach: what was good, and one thing that was missing; interviewer: gives nothing away; exam: only in the report; "
    "without it, as it is set."
)


class DocumentError(ValueError):
    """A document cannot be used; the sentence says why."""


def read_document(path: Path | None) -> str:
    """The text of a PDF, DOCX, Markdown or text file; empty when none was named.

    Raises:
        DocumentError: it cannot be used.
    """
    if path is None:
        return ""
    from agent.documents import document  # noqa: PLC0415 - what takes long to import waits until there is a file
    from agent.documents.reading import read_file  # noqa: PLC0415

    try:
        return read_file(path).text
    except document.DocumentError as error:
        raise DocumentError(f"{path.name}: {error}") from error
