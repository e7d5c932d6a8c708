"""Makes c09-infrastructure.pdf with ReportLab: an American résumé, US Letter, one employer with its roles below it."""
import sys
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import HRFlowable, KeepTogether, ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

body = ParagraphStyle("b", fontName="Times-Roman", fontSize=10.3, leading=12.6)
centre = ParagraphStyle("c", parent=body, alignment=1)
name = ParagraphStyle("n", parent=centre, fontName="Times-Bold", fontSize=19, leading=23)
head = ParagraphStyle("h", parent=body, fontName="Times-Bold", fontSize=11.5, spaceBefore=8, spaceAfter=1, leading=14, keepWithNext=1)
right = ParagraphStyle("r", parent=body, alignment=2)
story = [Paragraph("RANDALL Q. SAMPLE", name),
         Paragraph("Columbus, OH 43299 &nbsp;|&nbsp; (614) 555-0147 &nbsp;|&nbsp; rsample@mail.example &nbsp;|&nbsp; linkedin.com/in/rqsample-example", centre)]

def rule():
    line = HRFlowable(width="100%", thickness=0.8, color="black", spaceAfter=3); line.keepWithNext = 1
    return line

def section(text):
    story.extend([Paragraph(text, head), rule()])

def line(left, rightside):
    t = Table([[Paragraph(left, body), Paragraph(rightside, right)]], colWidths=[5.3 * inch, 1.9 * inch])
    t.setStyle(TableStyle([("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0), ("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1), ("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return t

def bullets(*items):
    return ListFlowable([ListItem(Paragraph(i, body), leftIndent=14) for i in items], bulletType="bullet", start="•", bulletFontSize=8, leftIndent=14)

def role(title, when, *items):
    story.append(KeepTogether([line(f"<b><i>{title}</i></b>", when), bullets(*items), Spacer(1, 4)]))

section("PROFESSIONAL SUMMARY")
story.append(Paragraph("Results-driven IT infrastructure leader with 25+ years of progressive experience at a single Fortune 1000 logistics company, rising from the help desk to Director. Proven record of modernizing mission-critical database and server platforms, building high-performing teams, and delivering audits without findings. Trusted partner to Finance, Internal Audit and the business.", body))
section("CORE COMPETENCIES")
grid = [["IT Operations Management", "Disaster Recovery / BCP", "Vendor Management"],
        ["Oracle &amp; SQL Server", "Cloud Migration (Azure)", "Budgeting ($18M OpEx)"],
        ["ITIL / ServiceNow", "SOX &amp; PCI DSS Compliance", "Capacity Planning"],
        ["VMware vSphere", "Performance Tuning", "Team Building &amp; Mentoring"]]
t = Table([[Paragraph("• " + c, body) for c in r] for r in grid], colWidths=[2.4 * inch] * 3)
t.setStyle(TableStyle([("LEFTPADDING", (0, 0), (-1, -1), 0), ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]))
story.append(t)
section("PROFESSIONAL EXPERIENCE")
story.append(line("<b>CONSOLIDATED MESSENGER CORPORATION</b>, Columbus, OH", "<b>June 1999 – Present</b>"))
role("Director, Infrastructure Operations", "January 2019 – Present",
     "Direct a department of 46 across data center, cloud, database and network operations; $18M operating budget.",
     "Led a three-year migration of 412 servers from two data centers to Microsoft Azure, finishing 4 months early and $2.6M under budget.",
     "Cut Priority 1 incidents by 58% by introducing problem management and weekly change advisory board reviews in ServiceNow.",
     "Renegotiated Oracle and Microsoft enterprise agreements, saving $3.1M over five years.",
     "Achieved zero infrastructure findings in six consecutive SOX audits.")
role("Manager, Database Services", "June 2012 – December 2018",
     "Managed 11 DBAs (on-site and offshore) supporting 340 Oracle, SQL Server and Db2 databases, 24x7.",
     "Consolidated 85 Oracle databases onto Exadata; reduced license cost by 31% and month-end close by 9 hours.",
     "Designed the disaster recovery strategy (Data Guard, Always On availability groups) with RTO cut from 24 hours to 45 minutes, proven in semiannual tests.",
     "Introduced Liquibase and Jenkins for database releases, jointly with development.")
role("Senior Database Administrator", "March 2006 – May 2012",
     "Architected a 4-node Oracle RAC cluster on Red Hat Enterprise Linux for parcel tracking (1.1 billion rows, 9,000 transactions per second at peak).",
     "Tuned PL/SQL and T-SQL; brought the nightly billing batch from 7 hours to 95 minutes.",
     "Automated backups and refreshes with RMAN, shell scripting and Perl; replicated to reporting with GoldenGate.")
role("Database Administrator", "August 2002 – February 2006",
     "Administered Oracle 8i–10g on AIX and SQL Server 2000 on Windows Server; performed 30+ version upgrades.",
     "Supported the PeopleSoft Financials and HRMS implementation.")
role("Help Desk Technician", "June 1999 – July 2002",
     "Resolved 40+ tickets a day for 2,300 employees; promoted after building a ticket reporting tool in Visual Basic and Access.")
section("TECHNICAL SKILLS")
for label, text in [("Databases", "Oracle 19c (RAC, Data Guard, Exadata, GoldenGate), Microsoft SQL Server, IBM Db2, Azure SQL Database, PostgreSQL"),
                    ("Platforms", "Azure, VMware vSphere, RHEL, AIX, Windows Server, NetApp, Commvault"),
                    ("Scripting", "PowerShell, Bash, Python, Perl, SQL"),
                    ("Monitoring &amp; ITSM", "SolarWinds, Splunk, Oracle Enterprise Manager, ServiceNow")]:
    story.append(Paragraph(f"<b>{label}:</b> {text}", body))
section("EDUCATION &amp; CERTIFICATIONS")
story.append(line("<b>Master of Business Administration</b>, Bellows College, Columbus, OH", "2013"))
story.append(line("<b>B.S., Management Information Systems</b>, Ohio Fictional University, Athens, OH", "1999"))
story.append(Paragraph("ITIL 4 Managing Professional (2021); Oracle Certified Professional (2004–2018); Microsoft Certified: Azure Administrator Associate (2020); PMP (2014)", body))
section("COMMUNITY")
story.append(Paragraph("Board member, Columbus Example Food Pantry; assistant coach, youth hockey.", body))

def page(canvas, d):
    if d.page > 1:
        canvas.setFont("Times-Roman", 8.5)
        canvas.drawString(0.65 * inch, 10.6 * inch, "Randall Q. Sample"); canvas.drawRightString(7.85 * inch, 10.6 * inch, f"Page {d.page}")

SimpleDocTemplate(sys.argv[1], pagesize=letter, leftMargin=0.65 * inch, rightMargin=0.65 * inch, topMargin=0.6 * inch, bottomMargin=0.55 * inch, title="Resume", author="Randall Q. Sample").build(story, onFirstPage=page, onLaterPages=page)
