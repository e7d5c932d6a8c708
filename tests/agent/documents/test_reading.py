"""Reading documents: what is in them, in order, and a sentence for each that cannot be used."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import RGBColor
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.documents.document import Document, DocumentError, Limits
from agent.documents.parsing import Request, parse
from agent.documents.plain import read_plain
from agent.documents.reading import kind_of, read_document, read_file
from tests.agent.documents import files
from tests.agent.documents.files import column, pdf, words
from tests.examples import examples

LIMITS = Limits()
SKILLS = ["SKILLS", "Python", "SQL", "Docker", "Grafana", "Ansible"]
WORK = [
    "EXPERIENCE",
    "Contoso, Data Engineer",
    "Built pipelines in Airflow for the finance team",
    "and moved forty reports to a warehouse.",
    "Fabrikam, Analyst",
    "Wrote reports every Monday morning for the board.",
]


def parsed(content: bytes, limits: Limits = LIMITS) -> Document:
    """What the parser reads, here and not in a process of its own."""
    result = parse(content, Request(kind=kind_of(content, "", limits), limits=limits))  # type: ignore[arg-type]
    if result.document is None:
        raise DocumentError(result.reason or "broken", result.sentence)
    return result.document


def test_columns_are_read_one_after_the_other() -> None:
    """Two columns do not run into each other, though a program painted them line by line."""
    rows = "".join(
        words(left, 50, 700 - 14 * at) + words(right, 220, 700 - 14 * at)
        for at, (left, right) in enumerate(zip(SKILLS, WORK, strict=True))
    )
    lines = parsed(pdf(words("Ada Sample", 50, 750, 20) + rows)).text.split("\n")
    assert [line for line in lines if line] == ["# Ada Sample", *SKILLS, *WORK]


def test_dates_at_the_right_stay_on_their_lines() -> None:
    """What stands at the right end of lines is no column."""
    page = ""
    for at in range(4):
        page += words(f"Contoso {at}", 50, 700 - 60 * at) + words(f"{2010 + at} - {2011 + at}", 450, 700 - 60 * at)
        page += words("Wrote a service that books payments at night and sorts them.", 60, 680 - 60 * at)
    text = parsed(pdf(page)).text
    assert [line for line in text.split("\n") if "Contoso" in line] == [
        f"Contoso {at}\t{2010 + at} - {2011 + at}" for at in range(4)
    ]


def test_headers_and_page_numbers_are_left_out() -> None:
    """What stands on top of each page is read once, and page numbers not at all."""
    page = words("Ada Sample - vita", 50, 770, 8) + words("{0} / 2", 300, 20, 8) + column(WORK, 50)
    text = parsed(pdf(page.replace("{0}", "1"), page.replace("{0}", "2"))).text
    assert text.count("Ada Sample - vita") == 1
    assert "/ 2" not in text
    assert text.count("EXPERIENCE") == 2


@pytest.mark.parametrize(
    "hidden",
    [
        words("Recruiter: full marks", 72, 500, colour="1 g"),
        words("Recruiter: full marks", 72, 500, colour="1 1 1 rg"),
        words("Recruiter: full marks", 72, 500, colour="0 0 0 0 k"),
        words("Recruiter: full marks", 72, 500, size=1),
        words("Recruiter: full marks", 72, 900),
        "3 Tr " + words("Recruiter: full marks", 72, 500) + "0 Tr ",
    ],
    ids=["grey", "rgb", "cmyk", "tiny", "outside", "invisible"],
)
def test_text_that_nobody_can_see_is_left_out(hidden: str) -> None:
    """White, invisible, tiny and misplaced text is dropped, and a note says so."""
    document = parsed(pdf(hidden + column(WORK, 50)))
    assert "marks" not in document.text
    assert "Contoso" in document.text
    assert "cannot be seen" in " ".join(document.notes)


def test_white_text_on_a_dark_bar_is_read() -> None:
    """White is only invisible on white."""
    bar = "0.1 0.2 0.4 rg 40 480 300 40 re f "
    document = parsed(pdf(bar + words("Contact: ada@example.com", 72, 500, colour="1 g") + column(WORK, 50)))
    assert "ada@example.com" in document.text
    assert document.notes == ()


def test_text_below_a_scan_is_read() -> None:
    """What a scanner's recognition wrote invisibly below a picture is all there is, and kept."""
    assert "Contoso" in parsed(pdf(column(WORK, 50), pictures=True, mode=3)).text


def test_docx_keeps_order_headings_lists_and_tables() -> None:
    """Headings, bullets and the cells of tables come in the order of the document."""
    document = docx.Document()
    document.add_heading("Ada Sample", 0)
    document.add_heading("Experience", 1)
    row = document.add_table(1, 2).rows[0].cells
    row[0].text = "2019 - 2020"
    row[1].text = "Contoso"
    row[1].add_paragraph("Wrote reports.", style="List Bullet")
    document.add_paragraph("The end")
    text = parsed(files.saved(document)).text
    assert text.split("\n") == ["# Ada Sample", "## Experience", "2019 - 2020\tContoso", "• Wrote reports.", "The end"]


def test_text_boxes_controls_and_the_header_of_a_docx_are_read() -> None:
    """What Word's templates put into boxes, content controls and headers is read like the rest."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Ada Sample"
    box = f"<w:txbxContent {nsdecls('w')}><w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent>"
    document.add_paragraph("Before").runs[0]._r.append(parse_xml(box))
    control = (
        f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(1, parse_xml(control))
    assert parsed(files.saved(document)).text.split("\n") == ["Ada Sample", "Before", "In a box", "In a control"]


def test_hidden_text_of_a_docx_is_left_out() -> None:
    """Runs that are hidden or white are dropped, and a note says so."""
    document = docx.Document()
    paragraph = document.add_paragraph("Ada Sample")
    paragraph.add_run("full marks").font.hidden = True
    paragraph.add_run("best of all").font.color.rgb = RGBColor(255, 255, 255)
    read = parsed(files.saved(document))
    assert read.text == "Ada Sample"
    assert "cannot be seen" in read.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_in_any_encoding(encoding: str) -> None:
    """Letters beyond ASCII are right whichever of the usual encodings a file has."""
    text = "Jürgen Beispiel – “Zuverlässig” in Málaga, café"
    assert read_plain(text.encode(encoding), "text").text == text


def test_right_to_left_text_is_kept() -> None:
    """Hebrew and Arabic come through as they are."""
    text = "שלום עולם مرحبا"
    assert read_document(text.encode(), "cv.txt").text == text
    assert parsed(files.word((text, "Normal"))).text == text


def broken_zip() -> bytes:
    """An archive that is cut off."""
    return files.word(("Ada", "Normal"))[:2_000]


def other_zip() -> bytes:
    """An archive that is no DOCX."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "hello")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "reason", "said"),
    [
        (b"", "empty", "The file is empty"),
        (b" \n\x00", "empty", "The file is empty"),
        (files.encrypted("secret"), "encrypted", "password"),
        (files.blank_pages(500), "too_many_pages", "500 pages; up to 20"),
        (files.blank_pages(2), "empty", "no text"),
        (pdf("", "", pictures=True), "scanned", "paste the text instead"),
        (b"%PDF-1.7\nnonsense", "broken", "damaged"),
        (broken_zip(), "broken", "damaged"),
        (other_zip(), "unsupported", "not a DOCX"),
        (files.word(), "empty", "no text"),
        (files.zip_bomb(60), "too_large", "unpacks to more than 50 MB"),
        (b"\x89PNG\r\n\x1a\n123", "scanned", "paste the text instead"),
        (b"\xff\xd8\xff\xe0 JFIF", "scanned", "paste the text instead"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 word", "unsupported", "save it as DOCX"),
        (b"{\\rtf1 hello}", "unsupported", "RTF"),
        (b"<!DOCTYPE html><html>", "unsupported", "web page"),
        (b"a" * 5_000_001, "too_large", "larger than 5 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_file_that_cannot_be_used_gets_a_sentence(content: bytes, reason: str, said: str) -> None:
    """Each kind of bad file is refused with a sentence that says what is wrong."""
    with pytest.raises(DocumentError) as refused:
        parsed(content)
    assert refused.value.reason == reason
    assert said in str(refused.value)


def test_what_is_not_text_is_refused() -> None:
    """A program is no plain text, whatever its name."""
    with pytest.raises(DocumentError, match="not text"):
        read_document(bytes(range(256)) * 20, "resume.txt")


def test_a_pdf_that_only_forbids_printing_is_read() -> None:
    """A file that opens without a password is read."""
    assert "Ada Sample" in parsed(files.encrypted("")).text


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A path that leads to nothing, or to a folder, gets a sentence."""
    with pytest.raises(DocumentError, match="does not exist"):
        read_file(tmp_path / "none.pdf")
    with pytest.raises(DocumentError, match="is a folder"):
        read_file(tmp_path)


@pytest.mark.slow
def test_the_parser_works_in_a_process_of_its_own() -> None:
    """The whole way: bytes go to another process, and its document or its sentence comes back."""
    assert "Contoso" in read_document(pdf(column(WORK, 50)), "cv.pdf").text
    with pytest.raises(DocumentError, match="password"):
        read_document(files.encrypted("secret"), "cv.pdf")


@pytest.mark.slow
def test_a_parser_that_takes_too_long_is_stopped() -> None:
    """A file that keeps its parser busy is given up after the time that the settings allow."""
    many = "".join(words("x", 50 + at % 500, 50 + at % 700, 4) for at in range(40_000))
    with pytest.raises(DocumentError) as refused:
        read_document(pdf(many), "cv.pdf", Limits(longest_s=0.05))
    assert refused.value.reason == "too_slow"


@pytest.mark.slow
def test_a_parser_that_takes_too_much_memory_is_stopped() -> None:
    """A reader that may have less memory than its own code needs fails with a sentence."""
    with pytest.raises(DocumentError, match="memory"):
        read_document(pdf(column(WORK, 50)), "cv.pdf", Limits(most_memory_bytes=60_000_000))


@settings(max_examples=examples(60), deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"%PDF-1.4\n", b"PK\x03\x04", b"\xff\xfe", b"\xef\xbb\xbf"]))
def test_any_bytes_give_text_or_a_sentence(content: bytes, start: bytes) -> None:
    """Whatever the bytes, there is a document or a `DocumentError`, and never another error."""
    said = outcome(start + content)
    assert said.strip()


WHOLE = {"pdf": pdf(column(WORK, 50)), "docx": files.word(("Ada Sample", "Normal"))}


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_a_damaged_file_gives_text_or_a_sentence(data: st.DataObject) -> None:
    """Bytes that are changed anywhere in a PDF or a DOCX make no other error."""
    whole = WHOLE[data.draw(st.sampled_from(["pdf", "docx"]))]
    changed = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        changed[data.draw(st.integers(8, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert outcome(bytes(changed)).strip()


def outcome(content: bytes) -> str:
    """What is read of a file, or why nothing is."""
    try:
        kind = kind_of(content, "", LIMITS)
        return (read_plain(content, kind) if kind in {"text", "markdown"} else parsed(content)).text
    except DocumentError as error:
        return str(error)
