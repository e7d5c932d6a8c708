"""Makes f03-data-engineer.docx: Word's own headings and bullets, one column, skills as a running paragraph."""
import sys
from docx import Document
from docx.shared import Cm, Pt

doc = Document()
page = doc.sections[0]
page.left_margin = page.right_margin = Cm(2.2)
page.top_margin = page.bottom_margin = Cm(1.8)
doc.styles["Normal"].font.name, doc.styles["Normal"].font.size = "Calibri", Pt(10.5)
doc.styles["Normal"].paragraph_format.space_after = Pt(3)


def job(role, employer, dates, *bullets):
    line = doc.add_paragraph()
    line.paragraph_format.tab_stops.add_tab_stop(Cm(16.6), 2)
    line.add_run(employer).bold = True
    line.add_run("\t" + dates)
    doc.add_paragraph().add_run(role).italic = True
    for bullet in bullets:
        doc.add_paragraph(bullet, style="List Bullet")


doc.add_heading("Priyanka Namunawala", 0)
doc.add_paragraph("Data Engineer | Leeds, UK | +44 113 496 0188 | priyanka.namunawala@post.example")
doc.add_heading("Profile", 1)
doc.add_paragraph("Data engineer who likes dull data pipelines: they run, they are tested, and somebody else can read them. "
    "Over six years of experience with batch and streaming on AWS and Azure, from raw files to the dashboards of the board.")
doc.add_heading("Core Competencies", 1)
doc.add_paragraph("Python, SQL, PySpark, Scala (reading more than writing), Apache Airflow, dbt, Snowflake, Redshift, Databricks, Delta Lake, "
    "Kafka, AWS Glue, Athena, S3, Terraform, Docker, Git, data modelling (Kimball, Data Vault), ETL/ELT, PowerBI.")
doc.add_heading("Career History", 1)
job("Senior Data Engineer", "Thistledown Energy", "February 2023 – Present",
    "Lead a team of three on the lakehouse for smart meter readings: 2 TB a day through Kafka and Spark Structured Streaming into Delta tables.",
    "Cut the Snowflake bill by 38% with clustering keys, auto-suspend and a long talk about SELECT *.",
    "Put data contracts between producers and us (Protobuf), checked in CI with GitHub Actions.",
    "Data quality: Great Expectations suites on 140 tables, alerts to the team that owns the source, lineage in DataHub.",
    "Replaced hand-made permissions by role-based access control and column masking, in time for the GDPR audit.",
    "First point of contact for the regulator's questions; answers now take hours, not weeks.")
job("Data Engineer", "Marlowe & Finch Retail", "October 2020 – January 2023",
    "Moved 300 nightly steps from SQL Server and SSIS to dbt models on Redshift; documented every one of them.",
    "Wrote Airflow DAGs (about 90 of them) and a small library of custom operators, unit-tested with pytest.",
    "Change data capture from the tills with Debezium, late data and duplicates included.",
    "Built star schemas for stock and sales and handed them to analysts in Looker.",
    "Fivetran for the long tail of marketing sources.")
job("BI Developer", "Pennine Water Trust", "August 2019 – September 2020",
    "Reports in SSRS and PowerBI with DAX measures for the maintenance teams.",
    "Automated monthly spreadsheets with pandas; four working days a month were given back.",
    "Gathered requirements from engineers in the field, in boots where needed.")
doc.add_heading("Personal Project", 1)
doc.add_paragraph("Bus Bunching – open timetable feeds in DuckDB, orchestrated by Dagster, shown in a Streamlit app.")
doc.add_heading("Education and Training", 1)
doc.add_paragraph("MSc Data Science, University of Airedale, September 2018 – September 2019")
doc.add_paragraph("BSc Mathematics, Namuna Institute of Science, 2014 – 2017")
doc.add_paragraph("SnowPro Core Certification (2024)")
doc.save(sys.argv[1])
