"""Makes f06-qa.docx: a borderless table with the dates on the left, skills in a table of two columns."""
import sys
from docx import Document
from docx.shared import Cm, Pt, RGBColor

doc = Document()
page = doc.sections[0]
page.page_width, page.page_height = Cm(21), Cm(29.7)
page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(2)
doc.styles["Normal"].font.name, doc.styles["Normal"].font.size = "Arial", Pt(9.5)
doc.styles["Normal"].paragraph_format.space_after = Pt(2)


def title(text):
    paragraph = doc.add_paragraph()
    paragraph.paragraph_format.space_before = Pt(10)
    run = paragraph.add_run(text)
    run.bold, run.font.size, run.font.color.rgb = True, Pt(12), RGBColor(0x7A, 0x1F, 0x3D)


def rows(left_cm, *items):
    table = doc.add_table(rows=0, cols=2)
    table.autofit = False
    for left, *right in items:
        cells = table.add_row().cells
        cells[0].width, cells[1].width = Cm(left_cm), Cm(17 - left_cm)
        cells[0].paragraphs[0].add_run(left)
        cells[1].paragraphs[0].add_run(right[0]).bold = len(right) > 1
        for line in right[1:]:
            cells[1].add_paragraph(line, style="List Bullet" if line.endswith(".") else None)


name = doc.add_paragraph().add_run("Bogdana Primerova")
name.bold, name.font.size = True, Pt(20)
doc.add_paragraph("QA Engineer / SDET")
doc.add_paragraph("Sofia, Bulgaria  •  bogdana.primerova@inbox.example  •  +359 2 555 0147")
title("Summary")
doc.add_paragraph("Tester by temper, programmer by need. I have tested a hospital's booking system, a bank's app and a game about bees. "
    "I ask “what could go wrong?” before the code is there, and automate the answer.")
title("Skills")
rows(4.2,
    ("Test automation", "Selenium WebDriver, Playwright, Appium"),
    ("API testing", "Postman, RestAssured, Pact"),
    ("Performance", "JMeter"),
    ("Programming", "Java, TypeScript, Python, SQL"),
    ("Test management", "Jira, TestRail"),
    ("Pipelines etc.", "Jenkins, Docker, Git, BrowserStack"),
    ("Methods", "BDD (Cucumber, Gherkin), exploratory testing, boundary value analysis, Scrum"))
title("Employment history")
rows(3.4,
    ("Jan. 2022 – to date", "Senior QA Engineer", "Orchid Valley Bank",
        "Built the Playwright framework in TypeScript (page objects, 640 tests) that took the place of eleven days of manual regression testing.",
        "Contract tests with Pact between 14 services, run in Jenkins before every merge.",
        "Found the login bottleneck with JMeter before the customers did, and stayed until it was fixed.",
        "Security smoke tests with OWASP ZAP each night.",
        "Coach four manual testers on their way to automation; hold the three amigos sessions.",
        "Release decisions with the head of payments, twice with a no that held."),
    ("Aug. 2018 – Dec. 2021", "QA Automation Engineer", "Medisched Systems",
        "UI tests in Java with Selenium, TestNG and Allure reports that nurses could read.",
        "Mobile tests in Appium on BrowserStack.",
        "Wrote test plans and traceability matrices for a regulated product (IEC 62304).",
        "Test data management: SQL scripts instead of copies of production."),
    ("Mar. 2016 – Jul. 2018", "Manual Tester", "Hexahive Games",
        "Test cases, bug reports, bug triage every Monday.",
        "Compatibility tests on 40 phones; play sessions with children (and parents)."))
title("Education")
rows(3.4, ("2011 – 2015", "BSc Applied Mathematics", "Primer State University"))
title("Certificates and languages")
doc.add_paragraph("ISTQB Advanced Level Test Automation Engineer (2021). Bulgarian native, English C1, Russian B2.")
doc.save(sys.argv[1])
