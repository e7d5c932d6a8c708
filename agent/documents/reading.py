"""Reading: the text of a document, from bytes that anybody may have made.

Parsers of PDF and DOCX are written in Python: while one works on a hostile file it holds the interpreter's lock, and no
thread can stop it. So they run in a process of their own (`agent/documents/parsing.py`) that has a limit of time and of
memory, gets the bytes, gives back text, and is killed when it takes too long. Plain text is read at once. What is in
the file says what it is; its name only tells Markdown from other text.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from agent.documents.document import ACCEPTED, Document, DocumentError, DocumentKind, Limits
from agent.documents.parsing import Request, Result
from agent.documents.plain import read_plain
from agent.settings import PROJECT_DIR, Settings
from graph.candidate.lexicon.schema import spelled_words
from graph.candidate.lines import mend

_MAGIC_WITHIN = 1024
"""Bytes within which "%PDF-" stands in a PDF."""
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"RIFF", b"BM")
_OTHERS = (
    (b"\xd0\xcf\x11\xe0", "an old Word file (.doc) or a protected one; save it as DOCX without a password, or as PDF"),
    (b"{\\rtf", "RTF; save it as DOCX or PDF"),
    (b"<!doctype html", "a web page; save it as PDF, or paste its text"),
    (b"<html", "a web page; save it as PDF, or paste its text"),
    (b"%!PS", "PostScript; save it as PDF"),
)
_MARKDOWN = {".md", ".markdown"}


def limits_of(settings: Settings) -> Limits:
    """How much is read of a document, as the settings say."""
    return Limits(
        most_bytes=settings.max_document_bytes,
        most_pages=settings.max_document_pages,
        longest_s=settings.document_timeout_s,
    )


def read_document(content: bytes, name: str, limits: Limits | None = None) -> Document:
    """The text of a document. It takes up to `limits.longest_s` seconds; from a coroutine use `read_document_async`.

    Args:
        content: the file.
        name: its name, of which only the ending counts.
        limits: how much is read of it.

    Raises:
        DocumentError: it cannot be used.
    """
    limits = limits or Limits()
    kind = kind_of(content, name, limits)
    document = _parse_apart(content, kind, limits) if kind in {"pdf", "docx"} else read_plain(content, kind)
    return document.model_copy(update={"text": mend(document.text, spelled_words())})


async def read_document_async(content: bytes, name: str, limits: Limits | None = None) -> Document:
    """The same as `read_document`, while other coroutines go on."""
    return await asyncio.to_thread(read_document, content, name, limits)


def read_file(path: Path, limits: Limits | None = None) -> Document:
    """The text of a file.

    Raises:
        DocumentError: it cannot be read, or not be used.
    """
    limits = limits or Limits()
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "does not exist" if not path.exists() else "is not a file"
            raise DocumentError("not_reachable", f"{path} {what}.")
        with path.open("rb") as file:
            content = file.read(limits.most_bytes + 1)
    except OSError as error:
        raise DocumentError("not_reachable", f"{path} cannot be read ({error.strerror}).") from None
    return read_document(content, path.name, limits)


def kind_of(content: bytes, name: str, limits: Limits) -> DocumentKind:
    """What a file is, by its first bytes.

    Raises:
        DocumentError: it is empty, too large, or of a kind that is not read.
    """
    if not content.strip(b"\x00\t\n\r "):
        raise DocumentError("empty", "The file is empty.")
    if len(content) > limits.most_bytes:
        sentence = f"The file is larger than {limits.most_bytes / 1_000_000:g} MB, which is the most that is accepted."
        raise DocumentError("too_large", sentence)
    if b"%PDF-" in content[:_MAGIC_WITHIN]:
        return "pdf"
    if content.startswith(b"PK\x03\x04"):
        return "docx"
    if content.startswith(_PICTURES):
        raise DocumentError("scanned", "This is a picture, which Viva does not read; paste the text instead.")
    start = content[:_MAGIC_WITHIN].lstrip().lower()
    for magic, what in _OTHERS:
        if start.startswith(magic.lower()):
            raise DocumentError("unsupported", f"This is {what}. {ACCEPTED}")
    return "markdown" if Path(name).suffix.lower() in _MARKDOWN else "text"


def _parse_apart(content: bytes, kind: DocumentKind, limits: Limits) -> Document:
    request = Request(kind=kind, limits=limits)
    command = [sys.executable, "-m", "agent.documents.parsing", request.model_dump_json()]
    try:
        done = subprocess.run(  # noqa: S603 - Viva's own module; the file goes in as bytes
            command, input=content, capture_output=True, timeout=limits.longest_s, cwd=PROJECT_DIR, check=False
        )
    except subprocess.TimeoutExpired:
        sentence = (
            f"Reading the file took longer than {limits.longest_s:g} seconds and was stopped. Paste its text instead."
        )
        raise DocumentError("too_slow", sentence) from None
    if done.returncode:
        sentence = (
            "The file could not be read: its reader ran out of memory or failed. Save it anew, or paste its text."
        )
        raise DocumentError("broken", sentence)
    result = Result.model_validate_json(done.stdout)
    if result.document is None:
        raise DocumentError(result.reason or "broken", result.sentence)
    return result.document
