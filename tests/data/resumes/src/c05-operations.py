"""Makes c05-operations.docx: a Word file of ruled tables, as an operations manager keeps it."""
import sys
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, Cm

doc = Document()
s = doc.sections[0]
s.page_width, s.page_height = Cm(21), Cm(29.7)
s.left_margin = s.right_margin = Cm(1.9); s.top_margin = s.bottom_margin = Cm(1.6)
doc.styles["Normal"].font.name = "Calibri"; doc.styles["Normal"].font.size = Pt(10)
doc.styles["Normal"].paragraph_format.space_after = Pt(2)

def shade(cell, colour="D9E2F3"):
    e = OxmlElement("w:shd"); e.set(qn("w:val"), "clear"); e.set(qn("w:fill"), colour); cell._tc.get_or_add_tcPr().append(e)

top = doc.add_table(rows=1, cols=2); top.style = "Table Grid"
a, b = top.rows[0].cells
r = a.paragraphs[0].add_run("Tomasz Przykładowy"); r.bold = True; r.font.size = Pt(18)
a.add_paragraph("Operations Manager – warehousing & distribution")
b.paragraphs[0].add_run("ul. Zmyślona 7/12, 61-999 Poznań"); b.add_paragraph("tel. +48 600 555 018"); b.add_paragraph("tomasz.przykladowy@poczta.example")
for p in b.paragraphs: p.alignment = WD_ALIGN_PARAGRAPH.RIGHT

def title(text):
    doc.add_paragraph()
    t = doc.add_table(rows=1, cols=1); t.style = "Table Grid"; shade(t.cell(0, 0))
    r = t.cell(0, 0).paragraphs[0].add_run(text); r.bold = True

def table(head, rows, widths):
    t = doc.add_table(rows=0, cols=len(widths)); t.style = "Table Grid"; t.autofit = False
    for column, w in zip(t.columns, widths): column.width = Cm(w)
    for n, row in enumerate(([head] if head else []) + rows):
        cells = t.add_row().cells
        for c, text, w in zip(cells, row, widths):
            c.width = Cm(w)
            lines = text if isinstance(text, list) else [text]
            for k, line in enumerate(lines):
                p = c.paragraphs[0] if k == 0 else c.add_paragraph(style="List Bullet")
                p.add_run(line).bold = bool(head) and n == 0
            if head and n == 0: shade(c, "EDEDED")

title("PROFILE")
doc.add_paragraph("Operations manager with 15 years in logistics, from the forklift to a site of 38 000 m² and 260 people. I plan, I measure, and I walk the floor every morning. Used to peaks (Black Friday x 4.2), works councils, auditors and 05:30 shift hand-overs.")
title("WORK EXPERIENCE")
table(["Period", "Company", "Position and main achievements"], [
    ["05/2020 – present", "Wide World Importers Polska Sp. z o.o., Poznań", ["Operations Manager",
        "P&L responsibility for the e-commerce fulfilment centre: 260 employees, 3 shifts, budget PLN 64 million a year",
        "Picking productivity +27% in two years (zone picking, slotting, 5S, daily Gemba walks)",
        "Go-live of SAP EWM in 9 months with no missed dispatch; key user network of 18 people",
        "LTIFR down from 11.2 to 2.9; ISO 45001 certified in 2023",
        "Negotiated carrier contracts: transport cost per parcel –12%"]],
    ["09/2015 – 04/2020", "Northwind Traders Logistics, Wrocław", ["Shift Manager / Inbound Manager",
        "Inbound flow of 140 trucks a day, yard management, 75 employees on two shifts",
        "Six Sigma Green Belt project: dock-to-stock time from 31 h to 11 h",
        "Inventory accuracy from 96.8% to 99.7% (cycle counting, root cause analysis with 5 Whys and Ishikawa)",
        "KPI dashboards in Power BI instead of paper boards"]],
    ["02/2013 – 08/2015", "Tailspin Freight S.A., Łódź", ["Transport Planner",
        "Route planning for 45 vehicles in a TMS; customs documents for road freight to Ukraine and Norway",
        "Weekly claims and complaints handling with key customers"]],
    ["07/2011 – 01/2013", "Tailspin Freight S.A., Łódź", ["Warehouse Operative, later Team Leader",
        "Picking, loading, forklift and reach truck; team of 12 in the last 8 months"]],
], [3.0, 4.2, 10.0])
title("EDUCATION")
table(["Years", "School", "Degree"], [
    ["2016 – 2018", "Wyższa Szkoła Przykładów w Poznaniu", "Master, Logistics (part-time)"],
    ["2007 – 2011", "Politechnika Zmyślona, Łódź", "Engineer's degree, Management and Production Engineering"],
], [3.0, 7.0, 7.2])
title("SKILLS")
table(None, [
    ["Operations", "Lean management, Kaizen, 5S, Six Sigma, value stream mapping, capacity planning, S&OP, inventory management, workforce planning"],
    ["Leadership", "Team leadership, coaching, recruitment, change management, conflict resolution, budgeting"],
    ["Systems", "SAP EWM, SAP MM, Manhattan WMS, Power BI, MS Excel (pivot tables, VBA basics), MS Project, basic SQL"],
    ["Quality & safety", "ISO 9001, ISO 45001, HACCP, internal auditor, accident investigation"],
    ["Languages", "Polish – native, English – C1, German – B1, Ukrainian – basic"],
], [3.4, 13.8])
title("CERTIFICATES")
table(None, [["2019", "Lean Six Sigma Green Belt"], ["2021", "Prince2 Foundation"], ["2022", "Internal auditor ISO 9001 / ISO 45001"], ["2011", "UDT forklift licence, category II WJO; driving licence B, C"]], [3.4, 13.8])
doc.add_paragraph()
p = doc.add_paragraph("I hereby consent to my personal data being processed for the purpose of this recruitment (GDPR, Art. 6(1)(a)).")
p.runs[0].italic = True; p.runs[0].font.size = Pt(8)
doc.save(sys.argv[1])
