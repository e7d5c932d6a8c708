"""Makes c02-embedded.docx in a borderless two-column table; LibreOffice turns it into the PDF."""
import sys
from docx import Document
from docx.shared import Pt, Cm, RGBColor

doc = Document()
sec = doc.sections[0]
sec.page_width, sec.page_height = Cm(21), Cm(29.7)
sec.left_margin = sec.right_margin = Cm(2.2)
sec.top_margin = sec.bottom_margin = Cm(1.8)
st = doc.styles["Normal"]
st.font.name, st.font.size = "Liberation Serif", Pt(10.5)
st.paragraph_format.space_after = Pt(0)
sec.footer.paragraphs[0].text = "Curriculum Vitae – Annegret Musterfrau"
sec.footer.paragraphs[0].runs[0].font.size = Pt(8)

p = doc.add_paragraph(); r = p.add_run("Curriculum Vitae"); r.font.size = Pt(20); r.font.color.rgb = RGBColor(0x33, 0x33, 0x66)

def heading(text):
    p = doc.add_paragraph(); p.paragraph_format.space_before = Pt(9); p.paragraph_format.space_after = Pt(3)
    p.paragraph_format.keep_with_next = True
    r = p.add_run(text); r.bold = True; r.font.size = Pt(12.5); r.font.color.rgb = RGBColor(0x33, 0x33, 0x66)

def rows(items):
    t = doc.add_table(rows=0, cols=2); t.autofit = False
    t.columns[0].width, t.columns[1].width = Cm(4.2), Cm(12.4)
    for left, right in items:
        cells = t.add_row().cells
        cells[0].width, cells[1].width = Cm(4.2), Cm(12.4)
        cells[0].paragraphs[0].add_run(left)
        first = True
        for line in right if isinstance(right, list) else [right]:
            p = cells[1].paragraphs[0] if first else cells[1].add_paragraph(style="List Bullet" if line.startswith("* ") else None)
            bold = line.startswith("**")
            p.add_run(line.removeprefix("**").removeprefix("* ")).bold = bold
            p.paragraph_format.space_after = Pt(1)
            first = False
        cells[1].paragraphs[-1].paragraph_format.space_after = Pt(5)

heading("Personal Details")
rows([
    ("Name", "Dipl.-Ing. Annegret Musterfrau"),
    ("Address", "Beispielweg 12, 70999 Musterstadt, Germany"),
    ("Telephone", "+49 711 5550 0187"),
    ("E-mail", "a.musterfrau@mail.example"),
    ("Date of birth", "14.05.1985 in Musterstadt"),
    ("Nationality", "German"),
    ("Marital status", "Married, one child"),
])
heading("Professional Experience")
rows([
    ("since 10.2021", ["**Lead Embedded Software Engineer", "Trey Research GmbH, Stuttgart (medical infusion pumps, 240 employees)",
        "* Technical lead of the firmware team (6 engineers) for a class IIb device according to IEC 62304",
        "* Software architecture on STM32H7 with Zephyr RTOS; migration from a proprietary scheduler",
        "* Risk management according to ISO 14971 together with quality assurance; support of two audits by the notified body",
        "* Introduction of hardware-in-the-loop tests (pytest, LabGrid, Jenkins): regression run every night instead of every release",
        "* Secure boot and firmware update over Bluetooth Low Energy (MCUboot)"]),
    ("03.2019 – 08.2021", ["**Senior Software Developer Embedded Systems", "Wingtip Antriebstechnik GmbH & Co. KG, Esslingen (electric drives)",
        "* Motor control (field-oriented control) in C on TI C2000, model-based design with MATLAB/Simulink and code generation",
        "* Functional safety according to ISO 26262 up to ASIL C; unit tests in VectorCAST with MC/DC coverage",
        "* CAN and CAN FD communication, UDS diagnostics, AUTOSAR Classic (Vector MICROSAR, DaVinci)",
        "* Requirements in IBM DOORS, configuration management with Git and Gerrit"]),
    ("01.2019 – 02.2019", "Language stay in Dublin (business English, C1)"),
    ("06.2012 – 12.2018", ["**Software Developer Embedded Systems", "Fabrikam Sensorik AG, Ulm (industrial sensors)",
        "* Firmware in C and C++ for radar level sensors on ARM Cortex-M3/M4, FreeRTOS",
        "* Device drivers for SPI, I²C and UART; low-power design for 4–20 mA loop-powered devices",
        "* HART and IO-Link stacks; EtherCAT slave as pre-development",
        "* Embedded Linux gateway: Yocto, device tree, U-Boot, application in Python",
        "* Supervision of three bachelor theses and one trainee"]),
    ("04.2010 – 05.2012", ["**Development Engineer", "Contoso Mess- und Regeltechnik GmbH, Reutlingen",
        "* Circuit design and PCB layout (Altium Designer, EAGLE) for data loggers; EMC measurements",
        "* VHDL for Xilinx Spartan-6; bring-up with oscilloscope and logic analyser",
        "* Test bench software in LabVIEW and C#"]),
    ("10.2007 – 03.2009", ["**Working Student", "Contoso Mess- und Regeltechnik GmbH, Reutlingen",
        "* Assembler and C on 8051 and AVR; production test adapters"]),
])
heading("Education")
rows([
    ("10.2004 – 03.2010", ["**Dipl.-Ing. Electrical Engineering (grade 1.7)", "Technische Hochschule Musterstadt",
        "Diploma thesis: Low-noise front end for capacitive level measurement"]),
    ("09.1995 – 06.2004", ["**Abitur (grade 1.9)", "Beispiel-Gymnasium Musterstadt"]),
])
heading("Further Training")
rows([
    ("11.2022", "Certified Professional for Medical Software"),
    ("05.2020", "Functional Safety Engineer (ISO 26262), exam passed"),
    ("02.2016", "iSAQB Certified Professional for Software Architecture – Foundation Level"),
])
heading("Skills")
rows([
    ("Programming", "C (MISRA C:2012, expert), C++17 (very good), Python (very good), Rust (basic), VHDL (basic)"),
    ("Platforms", "STM32, Nordic nRF52, TI C2000, NXP i.MX 8; Zephyr, FreeRTOS, Embedded Linux (Yocto)"),
    ("Tools", "GCC, CMake, Lauterbach TRACE32, SEGGER J-Link, PC-lint, Polyspace, Enterprise Architect, Jira, Polarion"),
    ("Methods", "Scrum, V-model, test-driven development, code reviews, FMEA"),
    ("Languages", "German (mother tongue), English (C1), French (A2)"),
    ("Driving licence", "Class B"),
])
heading("Interests")
doc.add_paragraph("Choir singing, bouldering, repair café Musterstadt (volunteer)")
p = doc.add_paragraph(); p.paragraph_format.space_before = Pt(14)
p.add_run("Musterstadt, 02.11.2026                    Annegret Musterfrau")
doc.save(sys.argv[1])
