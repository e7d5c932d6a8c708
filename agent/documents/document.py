"""Document: the text of a file, and why a file cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domain.frozen_model import FrozenModel

DocumentKind = Literal["pdf", "docx", "markdown", "text"]
ACCEPTED = "Accepted are PDF, DOCX (Word), Markdown and plain text; any text can also be pasted."

Refusal = Literal[
    "unsupported", "empty", "too_large", "too_many_pages", "encrypted", "scanned", "broken", "too_slow", "not_reachable"
]
"""Why a file is not used. All but `not_reachable` are about the file itself."""


class DocumentError(ValueError):
    """A document cannot be used; the sentence says why, and what can be done."""

    def __init__(self, reason: Refusal, sentence: str) -> None:
        self.reason: Refusal = reason
        super().__init__(sentence)


class Document(FrozenModel):
    """What was read of a file."""

    text: str
    """Lines in reading order; headings that the file marks begin with "#", bullets with "•", and a tab stands between
    what stands apart on a line."""
    kind: DocumentKind
    pages: int | None = None
    """Of a PDF."""
    notes: tuple[str, ...] = ()
    """What was left out or may be missing, a sentence each."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read of a file before it is refused."""

    most_bytes: int = 5_000_000
    most_pages: int = 20
    longest_s: float = 20.0
    """Seconds that reading may take."""
    most_memory_bytes: int = 1_000_000_000
    """Of address space that the process may have which reads."""

    @property
    def most_unpacked_bytes(self) -> int:
        """Of everything in a DOCX together; text packs to a fifth, a zip bomb to a thousandth."""
        return 10 * self.most_bytes
