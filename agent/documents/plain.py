"""Plain text reader: Markdown and text in whatever encoding it was saved.

UTF-8, with or without its mark, and UTF-16 with its mark are known for certain. What is neither is most often the
Windows code page of western Europe; where that gives few letters of its languages, charset-normalizer guesses.
"""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from agent.documents.document import ACCEPTED, Document, DocumentError, DocumentKind

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = frozenset("äöüßÄÖÜéèêëàâáãåæçíìîïñóòôõøœúùûýÿÉÈÀÂÅÆÇÑÓØŒ–—‘’‚“”„•…€£§°²³«»·´®©™ ")
_LEAST_WESTERN = 0.8
_MOST_CONTROLS = 0.01
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def read_plain(content: bytes, kind: DocumentKind) -> Document:
    """The text of a file that is nothing but text.

    Raises:
        DocumentError: it is empty, or not text.
    """
    text = _decoded(content).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    if len(_CONTROL.findall(text)) > _MOST_CONTROLS * len(text):
        raise DocumentError("unsupported", f"This is not text. {ACCEPTED}")
    text = _CONTROL.sub("", text)
    if not text.strip():
        raise DocumentError("empty", "The file is empty.")
    return Document(text=text, kind=kind)


def _decoded(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    western = content.decode("cp1252", errors="replace")
    special = [letter for letter in western if not letter.isascii()]
    if sum(letter in _WESTERN for letter in special) >= _LEAST_WESTERN * len(special):
        return western
    guess = from_bytes(content).best()
    return str(guess) if guess is not None else western
