"""Files that tests read: small PDFs written by hand, and others that pypdf and python-docx make."""

from __future__ import annotations

import io
import zipfile

import docx
from pypdf import PdfReader, PdfWriter

PAGE = (612, 792)


def pdf(*pages: str, pictures: bool = False, mode: int = 0) -> bytes:
    """A PDF whose pages have these content streams, with Helvetica as /F1 and a picture as /I1.

    Args:
        pages: content streams.
        pictures: draw the picture over each page.
        mode: how text is painted; 3 is invisibly.
    """
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    objects.append(
        _stream(b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"\x80")
    )
    kids = []
    for page in pages:
        content = (f"{mode} Tr " if mode else "") + page + (" q 600 0 0 780 0 0 cm /I1 Do Q" if pictures else "")
        objects.append(_stream(b"", content.encode("cp1252")))
        resources = b"<</Font<</F1 3 0 R>>/XObject<</I1 4 0 R>>>>"
        kids.append(len(objects) + 1)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources %s>>"
            % (len(objects), resources)
        )
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return out.getvalue()


def _stream(head: bytes, content: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (head, len(content), content)


def words(text: str, x: float, y: float, size: float = 11, colour: str = "0 g") -> str:
    """The part of a content stream that writes a line; `y` counts from the bottom."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"{colour} BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET "


def column(lines: list[str], x: float, top: float = 700, step: float = 14) -> str:
    """Lines below each other."""
    return "".join(words(line, x, top - number * step) for number, line in enumerate(lines))


def encrypted(password: str) -> bytes:
    """A PDF that opens only with a password; with an empty one everybody may read it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(words("Ada Sample was here for quite a while", 72, 700)))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def blank_pages(number: int) -> bytes:
    """A PDF of empty pages."""
    writer = PdfWriter()
    for _ in range(number):
        writer.add_blank_page(*PAGE)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word(*paragraphs: tuple[str, str]) -> bytes:
    """A DOCX of paragraphs with their styles."""
    document = docx.Document()
    for text, style in paragraphs:
        document.add_paragraph(text, style=style)
    return saved(document)


def saved(document: docx.document.Document) -> bytes:
    """A DOCX as bytes."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def zip_bomb(megabytes: int) -> bytes:
    """A DOCX that is small, and unpacks to this much."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("word/document.xml", "w") as file,
    ):
        for _ in range(megabytes):
            file.write(bytes(1_000_000))
    return out.getvalue()
