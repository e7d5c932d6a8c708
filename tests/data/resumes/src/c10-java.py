"""Makes c10-java.docx: an Indian-style résumé with tables for technical skills, projects and marks."""
import sys
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt, Cm

doc = Document()
s = doc.sections[0]; s.page_width, s.page_height = Cm(21), Cm(29.7)
s.left_margin = s.right_margin = Cm(2); s.top_margin = s.bottom_margin = Cm(1.3)
n = doc.styles["Normal"]; n.font.name = "Cambria"; n.font.size = Pt(10); n.paragraph_format.space_after = Pt(1)

def para(text, bold=False, size=None, align=None, style=None):
    p = doc.add_paragraph(style=style); r = p.add_run(text); r.bold = bold
    if size: r.font.size = Pt(size)
    if align: p.alignment = align
    return p

def head(text):
    p = para(text, bold=True, size=11); p.runs[0].underline = True; p.paragraph_format.space_before = Pt(7); p.paragraph_format.keep_with_next = True

def bullets(*items):
    for i in items: para(i, style="List Bullet")

def table(rows, widths, header=False):
    t = doc.add_table(rows=0, cols=len(widths)); t.style = "Table Grid"
    for column, w in zip(t.columns, widths): column.width = Cm(w)
    for k, row in enumerate(rows):
        for c, text, w in zip(t.add_row().cells, row, widths):
            c.width = Cm(w); c.paragraphs[0].add_run(text).bold = (header and k == 0) or (not header and text == row[0])

para("RESUME", bold=True, size=13, align=WD_ALIGN_PARAGRAPH.CENTER)
para("VENKATESH UDAHARAN", bold=True, size=13)
para("Email: venkatesh.udaharan@mail.example\t\tMobile: +91-90000 55501")
head("Career Objective:")
para("To work in a challenging environment where I can utilize my skills and knowledge for the growth of the organization as well as myself.")
head("Professional Summary:")
bullets("Having 7.5 years of experience in IT industry in analysis, design and development of web based applications using Java and J2EE technologies.",
        "Good experience in Spring Boot, Spring MVC, Spring Data JPA, Spring Security and Microservices architecture.",
        "Hands on experience in RESTful web services and SOAP web services, and message driven integration with Apache Kafka and IBM MQ.",
        "Experience in front end development using Angular, Bootstrap and TypeScript.",
        "Knowledge on AWS services like EC2, S3, RDS and Lambda.",
        "Involved in complete SDLC with Agile (Scrum) and Waterfall methodologies.",
        "Good communication skills and a good team player with quick learning attitude.")
head("Professional Experience:")
bullets("Working as Technical Lead in Proseware Technologies Pvt. Ltd., Bengaluru from August 2022 to till date.",
        "Worked as Senior Software Engineer in Relecloud India Pvt. Ltd., Hyderabad from Nov 2020 to July 2022.",
        "Worked as Software Engineer in Wingtip Infosystems Limited, Chennai from May 2019 to October 2020.")
head("Technical Skills:")
table([["Languages", "Java 8/11/17, SQL, PL/SQL, JavaScript, TypeScript"],
       ["J2EE Technologies", "Servlets, JSP, JDBC, JMS"],
       ["Frameworks", "Spring Boot 2.x/3.x, Spring MVC, Spring Security, Hibernate, Angular 12, JUnit 5, Mockito"],
       ["Web Services", "REST, SOAP (Apache CXF), Swagger"],
       ["Databases", "Oracle 12c, MySQL, MongoDB"],
       ["App/Web Servers", "Apache Tomcat, WebLogic 12c, JBoss"],
       ["Messaging", "Apache Kafka, IBM MQ"],
       ["Cloud & DevOps", "AWS, Docker, Kubernetes, Jenkins, SonarQube, Maven, Gradle"],
       ["Version Control", "Git, Bitbucket, SVN"],
       ["Tools", "Eclipse, IntelliJ IDEA, Postman, SoapUI, JIRA, Splunk, SQL Developer"],
       ["Operating Systems", "Windows, Linux, UNIX"]], [4.2, 12.6])
head("Project Details:")
def project(no, rows, *duties):
    p = para(f"Project #{no}", bold=True); p.paragraph_format.space_before = Pt(5); p.paragraph_format.keep_with_next = True
    table(rows, [3.4, 13.4]); para("Roles & Responsibilities:", bold=True); bullets(*duties)
project(1, [["Title", "Claims Modernization Portal"], ["Client", "Humongous Insurance, USA"], ["Duration", "Sep 2022 – Till date"], ["Role", "Technical Lead"], ["Team Size", "12"], ["Environment", "Java 17, Spring Boot 3, Angular, Kafka, Oracle, AWS, Kubernetes, Jenkins"]],
        "Breaking the monolithic claims application into 14 microservices; preparing low level design documents.",
        "Implemented event driven communication using Kafka and the Saga pattern; Resilience4j for circuit breaker.",
        "Secured APIs with OAuth2 and JWT through Spring Cloud Gateway.",
        "Conducting code reviews, estimation and sprint planning; mentoring 5 team members; client interaction.")
project(2, [["Title", "Policy 360"], ["Client", "Woodgrove Life, UK"], ["Duration", "Dec 2020 – Jul 2022"], ["Role", "Senior Software Engineer"], ["Team Size", "8"], ["Environment", "Java 11, Spring Boot, Hibernate, MongoDB, Redis, Docker, Angular 9"]],
        "Developed REST APIs for the customer service single view and documented them in Swagger.",
        "Improved response time from 4 sec to 700 ms using Redis cache and MongoDB indexing.",
        "Written unit test cases using JUnit and Mockito with 85% coverage in SonarQube.",
        "Production support using Splunk and ServiceNow on rotation basis.")
project(3, [["Title", "Retail Order Hub"], ["Client", "Adventure Works Cycles, Australia"], ["Duration", "Jun 2019 – Oct 2020"], ["Role", "Software Engineer"], ["Team Size", "6"], ["Environment", "Java 8, Spring MVC, JSP, jQuery, MySQL, WebLogic, SVN, Spring Batch"]],
        "Developed order import jobs using Spring Batch and JSP screens for store managers.",
        "Consumed SOAP services of the ERP and fixed defects raised in SIT and UAT.")
head("Educational Qualification:")
table([["Qualification", "Institute", "Board/University", "Year", "%"],
       ["B.Tech (CSE)", "Udaharan College of Engineering, Guntur", "Kalpana Technological University", "2015 – 2019", "78.4"],
       ["Intermediate (MPC)", "Sri Kalpana Junior College, Guntur", "State Board", "2013 – 2015", "93.1"],
       ["SSC", "Z.P. Model High School, Tenali", "State Board", "2013", "9.2 GPA"]], [3.2, 5.4, 4.6, 2.2, 1.4], header=True)
head("Achievements:")
bullets("Received Star Performer of the Quarter award in Proseware (Q2 2024).", "Oracle Certified Professional: Java SE 11 Developer (2021).")
head("Personal Details:")
for a, b in [("Father's Name", "Ramana Udaharan"), ("Date of Birth", "12-06-1997"), ("Languages Known", "Telugu, English, Hindi"), ("Marital Status", "Single"), ("Passport", "Available")]:
    para(f"{a}\t: {b}")
head("Declaration:")
para("I hereby declare that the above furnished information is true to the best of my knowledge.")
para("Place: Bengaluru\nDate: 09-11-2026\t\t\t\t\t\t(VENKATESH UDAHARAN)")
doc.save(sys.argv[1])
