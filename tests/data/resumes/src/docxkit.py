from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.shared import Cm, Pt


def document(font, size):
    doc = Document()
    doc.styles["Normal"].font.name = font
    doc.styles["Normal"].font.size = Pt(size)
    doc.styles["Normal"].paragraph_format.space_after = Pt(2)
    for section in doc.sections:
        section.left_margin = section.right_margin = Cm(2.1)
        section.top_margin = section.bottom_margin = Cm(1.9)
    return doc


def line(doc, text, bold=False, italic=False, size=None, centre=False, before=0):
    p = doc.add_paragraph()
    r = p.add_run(text)
    r.bold, r.italic = bold, italic
    if size:
        r.font.size = Pt(size)
    if centre:
        p.alignment = WD_ALIGN_PARAGRAPH.CENTER
    p.paragraph_format.space_before = Pt(before)
    return p


def left_right(doc, left, right, bold=True, before=6):
    p = doc.add_paragraph()
    p.paragraph_format.tab_stops.add_tab_stop(Cm(16.8), WD_TAB_ALIGNMENT.RIGHT)
    p.paragraph_format.space_before = Pt(before)
    p.add_run(left).bold = bold
    p.add_run("\t" + right)
    return p


def labelled(doc, label, text):
    p = doc.add_paragraph()
    p.add_run(label + ": ").bold = True
    p.add_run(text)


def bullets(doc, *texts):
    for text in texts:
        doc.add_paragraph(text, style="List Bullet")
