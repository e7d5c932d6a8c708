"""PDF reader: text in reading order, without what nobody can see.

pypdf opens the file: it knows quickly whether it is encrypted and how many pages it has. The text is read by
pdfminer.six, because it says where each letter stands, in which colour and how it is painted: pypdf gives text in the
order in which it was painted, which mixes columns wherever a program paints line by line. pypdf's text is taken where
pdfminer finds little, or characters without a meaning.

Left out is text that is painted invisibly, in white on white, smaller than two points, or outside of the page. Text
that is invisible on pages without any other is kept: that is what a scanner's text recognition writes below a picture.
Of pypdf's text it is not known which of it can be seen; a note says so.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pdfminer.converter import PDFLayoutAnalyzer
from pdfminer.layout import LAParams, LTChar, LTComponent, LTContainer, LTCurve, LTImage, LTItem, LTPage, LTTextLine
from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdfdevice import PDFTextSeq
from pdfminer.pdfinterp import PDFGraphicState, PDFPageInterpreter, PDFResourceManager, PDFTextState
from pdfminer.pdfpage import PDFPage
from pdfminer.psexceptions import PSException
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from agent.documents.document import Document, DocumentError, Limits
from agent.documents.layout import text_of_pages
from agent.documents.pieces import Piece

_INVISIBLE_MODES = (3, 7)
"""Ways of painting text that leave nothing on the page (ISO 32000-1, table 106)."""
_SMALLEST_PT = 2.0
_ALMOST_ONE, _ALMOST_NONE = 0.97, 0.03
_OF_CMYK = 4
_LITTLE = 30
"""Letters of a page below which it says nothing."""
_MOST_GARBLED = 0.1
_FAULTS = (
    PyPdfError, PSException, struct.error, zlib.error, ArithmeticError, AssertionError, AttributeError, EOFError,
    LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What both readers raise for files that are damaged, or made to be."""
_GARBLED = re.compile(r"\(cid:\d{1,6}\)|[\ufffd\ue000-\uf0b6\uf0b8-\uf8ff\x00-\x08\x0b\x0e-\x1f]")
_BOLD = re.compile(r"bold|black|heavy|demi|semibd|-bd\b|cmbx|sfbx|rmbx|ecbx|fb\d{3,4}|-medi", re.IGNORECASE)
_LAYOUT = LAParams(char_margin=2.0, word_margin=0.1)
_log = logging.getLogger(__name__)
# What is wrong with a font or a colour is not for those who run Viva.
logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


@dataclass(slots=True)
class _Page:
    pieces: list[Piece] = field(default_factory=list)
    unseen: list[Piece] = field(default_factory=list)
    has_picture: bool = False

    def letters(self) -> int:
        return sum(len(piece.text.strip()) for piece in self.pieces)


def read_pdf(content: bytes, limits: Limits) -> Document:
    """The text of a PDF.

    Raises:
        DocumentError: it is encrypted, broken, has too many pages, or no text.
    """
    reader = _open(content)
    try:
        number = len(reader.pages)
    except _FAULTS:
        raise _broken() from None
    if number > limits.most_pages:
        sentence = f"The file has {number} pages; up to {limits.most_pages} are accepted."
        raise DocumentError("too_many_pages", sentence)
    pages = _pages(content, limits)
    notes = []
    if not any(page.letters() >= _LITTLE for page in pages) and any(page.has_picture for page in pages):
        pages = [page if page.letters() else _Page(page.unseen, [], page.has_picture) for page in pages]
    unseen = sum(len(piece.text) for page in pages for piece in page.unseen)
    if unseen:
        notes.append(f"Text that cannot be seen was left out ({unseen} characters).")
    text = text_of_pages([page.pieces for page in pages])
    if _is_poor(text):
        second = _text_by_pypdf(reader)
        if _is_better(second, text):
            text = second
            notes.append("It was read in the order in which it was painted; columns may be mixed.")
    if len(text.strip()) < _LITTLE:
        raise _no_text(pages)
    pictures = [str(at) for at, page in enumerate(pages, 1) if page.has_picture and page.letters() < _LITTLE]
    if pictures and len(pictures) < len(pages):
        notes.append(f"Page {', '.join(pictures)} is a picture, of which no text could be read.")
    return Document(text=text, kind="pdf", pages=number, notes=tuple(notes))


def _open(content: bytes) -> PdfReader:
    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        is_open = not reader.is_encrypted or bool(reader.decrypt(""))
    except _FAULTS:
        raise _broken() from None
    if not is_open:
        sentence = "The PDF is protected with a password. Save it without one, or paste its text."
        raise DocumentError("encrypted", sentence)
    return reader


def _broken() -> DocumentError:
    return DocumentError("broken", "The PDF is damaged and cannot be read. Save it anew, or paste its text.")


def _no_text(pages: Sequence[_Page]) -> DocumentError:
    if any(page.has_picture for page in pages):
        sentence = "The PDF holds pictures of pages (a scan or a photograph) and no text; paste the text instead."
        return DocumentError("scanned", sentence)
    return DocumentError("empty", "The PDF has no text.")


def _is_poor(text: str) -> bool:
    letters = len(text.strip())
    return letters < _LITTLE or len("".join(_GARBLED.findall(text))) > _MOST_GARBLED * letters


def _is_better(one: str, other: str) -> bool:
    """More characters with a meaning."""
    return len(_GARBLED.sub("", one).strip()) > len(_GARBLED.sub("", other).strip())


def _text_by_pypdf(reader: PdfReader) -> str:
    try:
        return "\n\n".join(page.extract_text() for page in reader.pages)
    except _FAULTS:
        return ""


def _pages(content: bytes, limits: Limits) -> list[_Page]:
    resources = PDFResourceManager()
    device = _Placing(resources)
    interpreter = PDFPageInterpreter(resources, device)
    try:
        for page in PDFPage.get_pages(io.BytesIO(content), maxpages=limits.most_pages):
            interpreter.process_page(page)
    except _FAULTS:
        _log.debug("pdfminer gave up at page %d", len(device.pages) + 1, exc_info=True)
    return [_read_page(page, device.unpainted) for page in device.pages] or [_Page()]


class _Placing(PDFLayoutAnalyzer):
    """Places what pages hold, and notes which letters are painted so that they leave nothing on the page."""

    def __init__(self, resources: PDFResourceManager) -> None:
        super().__init__(resources, laparams=None)
        self.pages: list[LTPage] = []
        self.unpainted: set[int] = set()
        """Identities of letters, which live as long as their page."""
        self._is_painted = True

    def render_string(
        self, textstate: PDFTextState, seq: PDFTextSeq, ncs: PDFColorSpace, graphicstate: PDFGraphicState
    ) -> None:
        """Remember how this text is painted while its letters are placed."""
        self._is_painted = textstate.render not in _INVISIBLE_MODES
        super().render_string(textstate, seq, ncs, graphicstate)

    def render_char(self, *args: Any) -> float:
        """Place a letter."""
        width = super().render_char(*args)
        if not self._is_painted:
            self.unpainted.add(id(self.cur_item._objs[-1]))  # noqa: SLF001 - the letter that was just placed
        return width

    def receive_layout(self, ltpage: LTPage) -> None:
        """A page is complete."""
        self.pages.append(ltpage)


def _read_page(page: LTPage, unpainted: Collection[int]) -> _Page:
    items = list(_inside(page))
    pictures = [item for item in items if isinstance(item, LTImage)]
    shapes = [item for item in items if isinstance(item, LTCurve) and item.fill]
    dark = [*pictures, *(shape for shape in shapes if not _is_white(shape.non_stroking_color))]
    seen: list[LTChar] = []
    unseen: list[LTChar] = []
    for letter in items:
        if isinstance(letter, LTChar):
            is_seen = id(letter) not in unpainted and _can_be_seen(letter, page, dark)
            (seen if is_seen else unseen).append(letter)
    return _Page(_pieces(page, seen), _pieces(page, unseen), bool(pictures))


def _can_be_seen(letter: LTChar, page: LTPage, dark: Sequence[LTComponent]) -> bool:
    x, y = (letter.x0 + letter.x1) / 2, (letter.y0 + letter.y1) / 2
    if letter.size < _SMALLEST_PT or not (page.x0 <= x <= page.x1 and page.y0 <= y <= page.y1):
        return False
    if not _is_white(letter.graphicstate.ncolor):
        return True
    return any(shape.x0 <= x <= shape.x1 and shape.y0 <= y <= shape.y1 for shape in dark)


def _inside(container: LTContainer[Any]) -> Iterator[LTItem]:
    waiting: list[LTItem] = list(container)[::-1]
    while waiting:
        item = waiting.pop()
        if isinstance(item, LTContainer):
            waiting += list(item)[::-1]
        else:
            yield item


def _is_white(colour: object) -> bool:
    """White in grey, RGB or CMYK; colours of other kinds are taken for ones that can be seen."""
    parts = colour if isinstance(colour, tuple | list) else (colour,)
    numbers = [part for part in parts if isinstance(part, int | float)]
    if len(numbers) != len(parts) or not numbers:
        return False
    if len(numbers) == _OF_CMYK:
        return all(part <= _ALMOST_NONE for part in numbers)
    return all(part >= _ALMOST_ONE for part in numbers)


def _pieces(page: LTPage, letters: Sequence[LTChar]) -> list[Piece]:
    pieces: list[Piece] = []
    if not letters:
        return pieces
    for line in page.group_objects(_LAYOUT, letters):
        line.analyze(_LAYOUT)
        text = line.get_text().strip("\n")
        if text.strip():
            size = max(item.size for item in line if isinstance(item, LTChar))
            middle = page.y1 - (line.y0 + line.y1) / 2
            pieces.append(Piece(text.strip(), line.x0, line.x1, middle, round(size, 1), _bold(line)))
    return pieces


def _bold(line: LTTextLine) -> int:
    """Characters at the beginning of a line that are bold, as the name of their font says."""
    count = 0
    for item in line:
        if isinstance(item, LTChar) and item.get_text().strip() and not _BOLD.search(item.fontname):
            break
        count += len(item.get_text()) if isinstance(item, LTChar) or count else 0
    return min(count, len(line.get_text().strip()))
