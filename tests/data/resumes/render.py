"""Résumé renderer: makes the PDF and DOCX files beside it from the `.resume` sources, with seven different programs.

    python tests/data/resumes/render.py [NAME ...]

The files are committed, so that no test needs what this needs: reportlab, fpdf2 and python-docx from PyPI; groff,
weasyprint, pdflatex (texlive-latex-recommended, lmodern) and LibreOffice Writer from Debian.

A source has a line each: `# name`, `@ contact`, `## heading` (`## [side] heading` for the narrow column),
`= left | right` for the head of an entry, `- bullet`, and plain text. How it is drawn is under `render` in its `.yaml`.
"""

from __future__ import annotations

import html
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).parent


@dataclass
class Section:
    """A heading and the lines below it, each with its kind."""

    heading: str
    side: bool
    lines: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Source:
    """What a `.resume` file says."""

    name: str
    contact: list[str]
    sections: list[Section]

    def column(self, side: bool) -> list[Section]:
        """The sections of one of the two columns."""
        return [section for section in self.sections if section.side == side]


def read(path: Path) -> Source:
    """A source, line by line."""
    source = Source("", [], [])
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            source.name = rest
        elif mark == "@":
            source.contact.append(rest)
        elif mark == "##":
            source.sections.append(Section(rest.removeprefix("[side] "), rest.startswith("[side]")))
        elif mark in {"=", "-"}:
            source.sections[-1].lines.append((mark, rest))
        elif line:
            source.sections[-1].lines.append(("", line))
    return source


def halves(text: str) -> tuple[str, str]:
    """The left and the right of an entry's head."""
    left, _, right = text.partition(" | ")
    return left, right


def docx(source: Source, options: dict[str, str], target: Path) -> None:
    """As a word processor's user would: headings, tab stops at the right, real bullets."""
    from docx import Document
    from docx.enum.text import WD_TAB_ALIGNMENT
    from docx.shared import Cm

    document = Document()
    document.add_heading(source.name, 0)
    for line in source.contact:
        document.add_paragraph(line)
    for section in source.sections:
        document.add_heading(section.heading, 1)
        for mark, text in section.lines:
            if mark == "=":
                paragraph = document.add_paragraph()
                paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(15), WD_TAB_ALIGNMENT.RIGHT)
                left, right = halves(text)
                paragraph.add_run(left).bold = True
                paragraph.add_run(f"\t{right}")
            else:
                document.add_paragraph(text, style="List Bullet" if mark else None)
    document.sections[0].footer.paragraphs[0].text = source.name
    document.save(str(target))


def docx_table(source: Source, options: dict[str, str], target: Path) -> None:
    """As those do who lay out with tables: dates in one column, everything else in the other."""
    from docx import Document

    document = Document()
    document.add_heading(source.name, 0)
    for line in source.contact:
        document.add_paragraph(line)
    for section in source.sections:
        document.add_heading(section.heading, 1)
        table = None
        for mark, text in section.lines:
            if mark == "=":
                table = document.add_table(0, 2) if table is None else table
                row = table.add_row().cells
                row[0].text, row[1].text = halves(text)
                wide = 1 if len(row[0].text) < len(row[1].text) else 0
            elif table is not None:
                row[wide].add_paragraph(text, style="List Bullet" if mark else None)
            else:
                document.add_paragraph(text, style="List Bullet" if mark else None)
    document.save(str(target))


CSS = """
@page { size: A4; margin: 1.6cm } body { font: 10pt "DejaVu Sans", sans-serif } h1 { margin: 0 }
h2 { font-size: 12pt; border-bottom: 1px solid; margin: 10pt 0 4pt } p, ul { margin: 2pt 0 }
.side { float: SIDE; width: 29% } .main { float: OTHER; width: 67%; hyphens: auto; text-align: justify }
.head { font-weight: bold } .head span { float: right; font-weight: normal }
"""


def as_html(source: Source, options: dict[str, str], target: Path) -> None:
    """As a web template prints it: two columns side by side."""

    def column(sections: list[Section]) -> str:
        parts = []
        for section in sections:
            parts.append(f"<h2>{html.escape(section.heading)}</h2>")
            for mark, text in section.lines:
                left, right = map(html.escape, halves(text) if mark == "=" else (text, ""))
                kind = {"=": f'<p class="head"><span>{right}</span>{left}</p>', "-": f"<ul><li>{left}</li></ul>"}
                parts.append(kind.get(mark, f"<p>{left}</p>"))
        return "".join(parts)

    side = options["columns"]
    css = CSS.replace("SIDE", side).replace("OTHER", {"left": "right", "right": "left"}[side])
    columns = [f'<div class="side">{column(source.column(True))}</div>']
    columns.insert(1 if side == "left" else 0, f'<div class="main">{column(source.column(False))}</div>')
    head = f"<h1>{html.escape(source.name)}</h1>" + "".join(f"<p>{html.escape(line)}</p>" for line in source.contact)
    page = f'<html lang="en"><meta charset="utf-8"><style>{css}</style><body>{head}{"".join(columns)}</body></html>'
    subprocess.run(["weasyprint", "-", str(target)], input=page.encode(), check=True)


_TEX = str.maketrans({"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "£": r"\pounds{}", "–": "--"})


def latex(source: Source, options: dict[str, str], target: Path) -> None:
    """As most academics do: pdflatex with its ligatures and its hyphenation."""
    body = [rf"{{\LARGE\bfseries {source.name.translate(_TEX)}}}\par"]
    body += [line.translate(_TEX) + r"\par" for line in source.contact]
    for section in source.sections:
        body.append(rf"\section*{{{section.heading.translate(_TEX)}}}")
        for mark, text in section.lines:
            left, right = (half.translate(_TEX) for half in (halves(text) if mark == "=" else (text, "")))
            if mark == "=" and options.get("dates") == "left":
                body.append(rf"\makebox[3cm][l]{{{left}}}\textbf{{{right}}}\par")
            elif mark == "=":
                body.append(rf"\textbf{{{left}}}\hfill {right}\par")
            elif mark == "-":
                body.append(rf"\begin{{itemize}}\item {left}\end{{itemize}}")
            else:
                body.append(rf"{left}\par")
    page = (
        r"\documentclass[11pt]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}"
        r"\usepackage[a4paper,margin=2.8cm]{geometry}\setlength\parindent{0pt}\begin{document}"
        + "\n".join(body).replace(r"\end{itemize}" + "\n" + r"\begin{itemize}", "\n")
        + r"\end{document}"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cv.tex").write_text(page, encoding="utf-8")
        subprocess.run(["pdflatex", "-interaction=batchmode", "cv.tex"], cwd=folder, check=True, stdout=sys.stderr)
        target.write_bytes((Path(folder) / "cv.pdf").read_bytes())


def groff(source: Source, options: dict[str, str], target: Path) -> None:
    """As on Unix of old: the ms macros, justified and hyphenated."""
    lines = [".nr LL 15c", ".nr PO 3c", ".TL", source.name, *(f".AU\n{line}" for line in source.contact)]
    for section in source.sections:
        lines += [".SH", section.heading]
        for mark, text in section.lines:
            left, right = halves(text) if mark == "=" else (text, "")
            kind = {"=": f".LP\n.ta 15cR\n\\fB{left}\\fP\t{right}", "-": f".IP \\(bu 2\n{left}"}
            lines.append(kind.get(mark, f".LP\n{left}"))
    page = "\n".join(lines) + "\n"
    done = subprocess.run(["groff", "-k", "-ms", "-Tpdf"], input=page.encode(), check=True, stdout=subprocess.PIPE)
    target.write_bytes(done.stdout)


def with_reportlab(source: Source, options: dict[str, str], target: Path) -> None:
    """As web services do: frames of a page template, a footer on each page."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageTemplate, Paragraph, Table

    styles = getSampleStyleSheet()
    width, height = A4
    two = "columns" in options

    def flow(sections: list[Section]) -> list[object]:
        parts: list[object] = []
        for section in sections:
            parts.append(Paragraph(html.escape(section.heading), styles["Heading2"]))
            for mark, text in section.lines:
                left, right = map(html.escape, halves(text) if mark == "=" else (text, ""))
                if mark == "=":
                    cells = [[Paragraph(f"<b>{left}</b>", styles["BodyText"]), Paragraph(right, styles["BodyText"])]]
                    parts.append(Table(cells, colWidths=["62%", "38%"]))
                else:
                    parts.append(Paragraph(left, styles["BodyText"], bulletText="\u2022" if mark else None))
        return parts

    def footer(canvas: object, document: object) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(60, height - 25, f"Curriculum vitae {source.name}")
        canvas.drawCentredString(width / 2, 25, f"{source.name} | Page {document.page}")

    main = Frame(40, 45, width * 0.62 if two else width - 80, height - 85, id="main")
    side = Frame(40 + width * 0.64, 45, width * 0.25, height - 85, id="side")
    document = BaseDocTemplate(str(target), pagesize=A4, invariant=True)
    draw = footer if "footer" in options else lambda *_: None
    document.addPageTemplates(PageTemplate("page", [main, side] if two else [main], onPage=draw))
    head = [Paragraph(html.escape(source.name), styles["Title"])]
    head += [Paragraph(html.escape(line), styles["BodyText"]) for line in source.contact]
    parts = [*head, *flow(source.column(False))]
    if two:
        # The narrow column is on the first page, as a designer would put it.
        cut = len(parts) * 2 // 3
        parts = [*parts[:cut], FrameBreak(), *flow(source.column(True)), FrameBreak(), *parts[cut:]]
    document.build(parts)


_DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def _as_typeset(text: str) -> str:
    """With ligatures as characters, and soft hyphens in long words."""
    for plain, one in (("ffi", "\ufb03"), ("ff", "\ufb00"), ("fi", "\ufb01"), ("fl", "\ufb02")):
        text = text.replace(plain, one)
    return " ".join(f"{w[:6]}\u00ad{w[6:]}" if len(w) > 10 and w.isalpha() else w for w in text.split(" "))


def with_fpdf(source: Source, options: dict[str, str], target: Path) -> None:
    """As a small script does: cells, a narrow justified text with soft hyphens, ligatures as characters."""
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos

    class Page(FPDF):
        def header(self) -> None:
            if self.page_no() > 1:
                self.cell(0, 5, f"{source.name} - curriculum vitae", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

        def footer(self) -> None:
            if "footer" in options:
                self.set_y(-15)
                self.cell(0, 5, f"{self.page_no()} / {{nb}}", align="C")

    pdf = Page()
    pdf.set_auto_page_break(auto=True, margin=25)
    pdf.set_margins(25, 20, 45)
    pdf.add_font("dejavu", "", _DEJAVU)
    pdf.set_font("dejavu", size=11)
    pdf.add_page()
    below = {"new_x": XPos.LMARGIN, "new_y": YPos.NEXT}
    pdf.cell(0, 10, source.name, **below)
    for line in source.contact:
        pdf.cell(0, 6, line, **below)
    for section in source.sections:
        pdf.ln(4)
        pdf.set_font_size(13)
        pdf.cell(0, 8, section.heading, **below)
        pdf.set_font_size(11)
        for mark, text in section.lines:
            left, right = halves(text) if mark == "=" else ("", "")
            if mark == "=":
                pdf.cell(90, 6, left)
                pdf.cell(0, 6, right, align="R", **below)
            else:
                pdf.multi_cell(0, 6, _as_typeset(f"\u2022 {text}" if mark else text), align="J", **below)
    pdf.output(str(target))


TOOLS = {
    "docx": docx, "docx-table": docx_table, "html": as_html, "latex": latex, "groff": groff,
    "reportlab": with_reportlab, "fpdf2": with_fpdf,
}  # fmt: skip


def main(names: list[str]) -> None:
    """Draw the named résumés, or all."""
    for path in sorted(HERE.glob("*.resume")):
        if names and path.stem not in names:
            continue
        options = yaml.safe_load(path.with_suffix(".yaml").read_text(encoding="utf-8"))["render"]
        target = path.with_suffix(f".{options['file']}")
        if options["tool"].startswith("docx") and options["file"] == "pdf":
            with tempfile.TemporaryDirectory() as folder:
                TOOLS[options["tool"]](read(path), options, drawn := Path(folder) / f"{path.stem}.docx")
                command = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", str(HERE), str(drawn)]
                subprocess.run(command, check=True, stdout=sys.stderr)
        else:
            TOOLS[options["tool"]](read(path), options, target)
        print(target.name, target.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
