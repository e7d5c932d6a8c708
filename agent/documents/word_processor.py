"""DOCX reader: paragraphs, lists, headings, tables, text boxes, header and footer, in the order of the document.

A DOCX is a zip archive of XML. What it says it unpacks to is added up before anything is unpacked, so that a zip bomb
never is; Python's zipfile reads no more of a file than it says it has. Entities are not resolved (python-docx), and
macros, links and pictures are not looked at. Text that is marked as hidden or written in white is left out.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import docx
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from docx.oxml.table import CT_Tbl
from docx.oxml.text.paragraph import CT_P
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from lxml.etree import LxmlError

from agent.documents.document import ACCEPTED, Document, DocumentError, Limits

if TYPE_CHECKING:
    from docx.document import Document as OpenDocx

_FAULTS = (
    OpcError, LxmlError, zipfile.BadZipFile, zlib.error, struct.error, ArithmeticError, AssertionError, AttributeError,
    EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What python-docx and what it rests on raise for files that are damaged, or made to be."""
_BODY = "word/document.xml"
_MOST_FILES = 2_000
_MOST_DEPTH = 5
"""Tables within tables."""
_WHITE = "FFFFFF"
_CONTROL, _CONTROL_CONTENT = qn("w:sdt"), qn("w:sdtContent")
_TEXT_BOXES = ".//w:txbxContent[not(ancestor::*[local-name()='Fallback'])][not(ancestor::w:txbxContent)]"
"""Of a paragraph, without the copies that Word keeps for its older versions."""


def read_docx(content: bytes, limits: Limits) -> Document:
    """The text of a DOCX file.

    Raises:
        DocumentError: it is no DOCX, damaged, encrypted, empty, or unpacks to too much.
    """
    _check_archive(content, limits)
    try:
        document = docx.Document(io.BytesIO(content))
        hidden: list[str] = []
        lines = list(_blocks(document.element.body, document, hidden, 0))
        lines = _with_margins(document, lines, hidden)
    except _FAULTS:
        raise _broken() from None
    text = "\n".join(lines).strip()
    if not text:
        raise DocumentError(
            "empty", "The DOCX file has no text. If it holds pictures of pages, paste the text instead."
        )
    count = sum(map(len, hidden))
    notes = (f"Text that cannot be seen was left out ({count} characters).",) if count else ()
    return Document(text=text, kind="docx", notes=notes)


def _check_archive(content: bytes, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = archive.infolist()
    except _FAULTS:
        raise _broken() from None
    if len(files) > _MOST_FILES or sum(file.file_size for file in files) > limits.most_unpacked_bytes:
        most = limits.most_unpacked_bytes // 1_000_000
        sentence = f"The file unpacks to more than {most} MB, which no résumé does, and was not unpacked."
        raise DocumentError("too_large", sentence)
    if any(file.flag_bits & 1 for file in files):
        raise DocumentError("encrypted", "The file is protected with a password. Save it without one.")
    if _BODY not in {file.filename for file in files}:
        raise DocumentError("unsupported", f"This is a zip archive and not a DOCX file. {ACCEPTED}")


def _broken() -> DocumentError:
    return DocumentError("broken", "The DOCX file is damaged and cannot be read. Save it anew, or paste its text.")


def _blocks(element: BaseOxmlElement, parent: Any, hidden: list[str], depth: int) -> Iterator[str]:
    """Paragraphs and tables in order, also those of content controls and text boxes, which python-docx passes by."""
    for child in element:
        if isinstance(child, CT_P):
            yield _paragraph(Paragraph(child, parent), hidden)
            if depth < _MOST_DEPTH:
                for box in child.xpath(_TEXT_BOXES):
                    yield from _blocks(box, parent, hidden, depth + 1)
        elif isinstance(child, CT_Tbl) and depth < _MOST_DEPTH:
            yield from _table(Table(child, parent), hidden, depth + 1)
        elif child.tag == _CONTROL and depth < _MOST_DEPTH:
            for content in child.iterchildren(_CONTROL_CONTENT):
                yield from _blocks(content, parent, hidden, depth + 1)


def _with_margins(document: OpenDocx, lines: list[str], hidden: list[str]) -> list[str]:
    """With the header of the first page on top and its footer below, as far as they say anything new."""
    section = document.sections[0] if len(document.sections) else None
    if section is None:
        return lines
    said = {line.lstrip("# ") for line in lines}
    top, bottom = (
        [text for paragraph in part.paragraphs if (text := _paragraph(paragraph, hidden)) and text not in said]
        for part in (section.header, section.footer)
    )
    return [*top, *lines, *(text for text in bottom if not text.isdigit())]


def _paragraph(paragraph: Paragraph, hidden: list[str]) -> str:
    parts: list[str] = []
    bold = 0  # of the parts, from the first
    for run in paragraph.iter_inner_content():
        for each in getattr(run, "runs", [run]):  # a link has runs of its own
            colour = each.font.color.rgb if each.font.color is not None else None
            is_hidden = bool(each.font.hidden) or str(colour) == _WHITE
            (hidden if is_hidden and each.text.strip() else parts).append(each.text)
            bold += bold == len(parts) - 1 and (_is_bold(each, paragraph) or not each.text.strip())
    text = "".join(parts).strip()
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    if not text:
        return ""
    if style == "Title" or style.startswith("Heading"):
        last = style[-1]
        return f"{'#' * (1 if style == 'Title' else int(last) + 1 if last.isdigit() else 2)} {text}"
    text = _marked(text, "".join(parts[:bold]).strip())
    if "List" in style or _has_number(paragraph):
        return f"\N{BULLET} {text}"
    return text


def _is_bold(run: Run, paragraph: Paragraph) -> bool:
    if run.bold is not None:
        return run.bold
    style = paragraph.style
    while style is not None and style.font.bold is None:
        style = style.base_style
    return style is not None and bool(style.font.bold)


def _marked(text: str, bold: str) -> str:
    """The text with what is bold at its beginning, up to the first tab, between stars as in Markdown."""
    bold = bold.split("\t", maxsplit=1)[0].rstrip()
    return f"**{bold}**{text[len(bold) :]}" if bold and "\n" not in bold and bold[:1] not in _BULLETS else text


def _has_number(paragraph: Paragraph) -> bool:
    """True for an item of a list, which Word may mark without a style."""
    properties = paragraph._p.pPr  # noqa: SLF001 - python-docx has no other way to ask
    return properties is not None and properties.numPr is not None


def _table(table: Table, hidden: list[str], depth: int) -> Iterator[str]:
    """Rows from the top; of a row, the first lines of its cells stand beside each other, and the rest below."""
    for row in table.rows:
        cells: list[list[str]] = []
        for cell in dict.fromkeys(row.cells):  # merged cells come once for each column
            lines = [line for line in _blocks(cell._tc, cell, hidden, depth) if line]  # noqa: SLF001 - its XML
            if lines:
                cells.append(lines)
        if not cells:
            continue
        if _is_a_column(cells):
            yield from (line for lines in cells for line in (*lines, ""))
            continue
        yield "\t".join(lines[0] for lines in cells)
        yield from (line for lines in cells for line in lines[1:])


def _is_a_column(cells: list[list[str]]) -> bool:
    """True where a table only puts columns of text beside each other: two of its cells have many lines."""
    return sum(len(lines) > _MANY for lines in cells) > 1 or any(
        line.startswith("#") for lines in cells for line in lines
    )


_MANY = 3
_BULLETS = "\N{BULLET}*-\u25aa\u25cf"
