"""Makes f08-lead.pdf with reportlab: two Letter pages of prose and bullets, no column."""
import sys
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import HRFlowable, ListFlowable, Paragraph, SimpleDocTemplate

body = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=14, spaceAfter=4)
centre = ParagraphStyle("centre", body, alignment=TA_CENTER)
big = ParagraphStyle("big", centre, fontName="Times-Bold", fontSize=20, leading=26)
head = ParagraphStyle("head", body, fontName="Times-Bold", fontSize=12, spaceBefore=12, textColor=HexColor("#333366"), keepWithNext=1)
firm = ParagraphStyle("firm", body, spaceBefore=6, keepWithNext=1)
story = [Paragraph("Desmond Placeholt", big), Paragraph("Technical Lead and Product Owner", centre),
    Paragraph("Toronto, ON · desmond.placeholt@mailbox.example · 416-555-0172", centre)]


def section(title):
    story.extend([Paragraph(title, head), HRFlowable(width="100%", thickness=0.6, color=HexColor("#333366"), spaceAfter=4)])


def job(employer, role, dates, prose, *bullets):
    story.append(Paragraph(f"<b>{employer}</b><br/><i>{role}</i> | {dates}", firm))
    if prose:
        story.append(Paragraph(prose, body))
    story.append(ListFlowable([Paragraph(b, body) for b in bullets], bulletType="bullet", start="•", leftIndent=14, bulletFontSize=9))


section("PROFESSIONAL SUMMARY")
story.append(Paragraph("Technical lead with fourteen years in software, the last six between engineering and product. I turn a vague wish into "
    "a roadmap, a roadmap into small bets, and I still read the pull requests. Teams I have led shipped on time often enough "
    "that people stopped asking.", body))
section("AREAS OF EXPERTISE")
story.append(Paragraph("Product discovery • Roadmapping • OKRs • Stakeholder management • Backlog refinement • User story mapping • "
    "Scrum &amp; Kanban • Software architecture • Hiring • Budgeting", body))
section("PROFESSIONAL EXPERIENCE")
job("Larkspur Freight Exchange", "Technical Lead / Product Owner", "August 2021 to present",
    "Responsible for the carrier portal: two squads, eleven engineers, one designer. The portal opened to the United States in 2023; its revenue grew from 4 to 11 million dollars in three years, its support desk not at all.",
    "Customer interviews every week, half of them on the road; killed three features that nobody wanted before a line was written.",
    "Split the rating engine from the monolith along bounded contexts found in event storming; C4 diagrams and architecture decision records in the repository.",
    "Chose the stack for new services (TypeScript, NestJS, Postgres on AWS) and retired two others.",
    "Track lead time and change failure rate (DORA metrics); lead time fell from 19 days to 3.",
    "Prioritisation by RICE scores and A/B tests, measured in Amplitude; SQL when Amplitude does not know.",
    "Line management of eight, seven of them hired by me; two lead teams of their own now.")
job("Maplecrest Credit Union", "Engineering Team Lead", "March 2018 to July 2021",
    "Online banking, a team of six in Toronto and four in Halifax.",
    "Led the cloud migration from our own data centre to Azure (AKS, Service Bus), eighteen months, no weekend lost.",
    "Introduced trunk-based development, feature toggles and Azure DevOps pipelines; from quarterly releases to weekly ones.",
    "Worked with compliance on PCI DSS and with auditors on SOC 2; threat modelling at the start of each epic.",
    "Negotiated the contract of the identity provider (Okta) and brought single sign-on to 40 applications.",
    "Stood in for the director of engineering during her year of leave: four teams, a hiring freeze, and nobody left.")
job("Pemberton Digital", "Senior Software Developer", "May 2015 to February 2018", "",
    "Web shops in C# and ASP.NET Core with React in front, a search that found things.",
    "Scrum master of the team for a year; retrospectives that ended with an owner and a date.",
    "Code reviews, mentoring of co-op students.")
job("Pemberton Digital", "Software Developer", "June 2012 to April 2015", "",
    "Back office in .NET and SQL Server, for people who phoned when it was slow.",
    "Learned to write estimates by being wrong in public, and documentation by answering the same question thrice.",
    "Won the yearly prize of the company for the least dramatic release.")
section("TOOLS")
story.append(Paragraph("Jira, Confluence, Miro, Productboard, Notion", body))
section("EDUCATION")
story.append(Paragraph("<b>Bachelor of Applied Science, Computer Engineering</b><br/>University of Lake Placeholder, 2008 to 2012", body))
section("CERTIFICATIONS")
story.append(Paragraph("Certified Scrum Product Owner (CSPO), 2020", body))
SimpleDocTemplate(sys.argv[1], pagesize=letter, leftMargin=62, rightMargin=62, topMargin=54, bottomMargin=54,
    title="Resume of Desmond Placeholt", author="Desmond Placeholt", invariant=1).build(story)
