import sys
from docxkit import *
d = document("Calibri", 10.5)
d.add_heading("Noor Sampleton", 0)
line(d, "Analytics Engineer")
line(d, "Bristol | noor@sampleton.example | 07700 900 214 | linkedin.com/in/noor-sampleton-example")
d.add_heading("Profile", 1)
line(d, "Started in finance reporting with spreadsheets, became an analyst, and then the person who mends the data pipelines. Today I build data models that other analysts can trust.")
d.add_heading("Experience", 1)
line(d, "Analytics Engineer | Relecloud Retail Group, Bristol | May 2023 – now", bold=True, before=4)
bullets(d,
 "Own the DBT project (340 models, tests on every primary key) on Snowflake; scheduled by Airflow, fed by Fivetran and two home-made Python loaders",
 "Introduced dimensional modelling after Kimball: shared dimensions for customer, product and store, slowly changing dimensions where history matters",
 "Set up CI for the warehouse with dbt Cloud, SQLFluff and pull request reviews; broken merges went from weekly to two this year",
 "Agreed data contracts with the checkout team: schema changes are announced now, and not discovered",
 "Data quality checks in Great Expectations; data catalogue and lineage in Atlan",
 "Semantic layer in Looker (LookML): one definition of an active customer instead of five")
line(d, "Senior Data Analyst | Adatum Energy, Bath | Feb 2020 – Apr 2023", bold=True, before=4)
bullets(d,
 "Tableau dashboards for 200 field engineers, moved to PowerBI later (DAX, row-level security)",
 "A/B tests of the switching funnel: sample sizes, stopping rules, and a lot of explaining why we don't peek",
 "Churn prediction: logistic regression in scikit-learn, then XGBoost; handed over to the data science team",
 "Big Query instead of nightly CSV files; rewrote 70 stored procedures of MS SQL Server as dbt models",
 "Taught our SQL course, 45 colleagues in two years")
line(d, "Reporting Analyst | Northwind Insurance Services, Swindon | Sept 2017 – Jan 2020", bold=True, before=4)
bullets(d,
 "Month-end reporting in Excel (Power Query, pivot tables, VBA): 23 workbooks became one",
 "Gathered requirements with claims and finance; every KPI documented in Confluence",
 "SSRS reports and SSIS packages; first Git repository of the department")
d.add_heading("Projects", 1)
p = d.add_paragraph(); p.add_run("Commute Costs").bold = True
p.add_run(" (2024) – rail fares in the South West in DuckDB, published as an Evidence report, refreshed by GitHub Actions")
d.add_heading("Skills", 1)
labelled(d, "Languages", "SQL (expert), Python (pandas, NumPy), Jinja, a little R")
labelled(d, "Warehouses", "Snowflake, BigQuery, Redshift (one project)")
labelled(d, "Modelling and orchestration", "dbt, Airflow, Dagster (trying it), star schemas")
labelled(d, "Reporting", "Looker, Tableau, Power BI, Metabase")
labelled(d, "Other", "Git, GitHub Actions, Terraform basics, GDPR, anonymisation, stakeholder management, data storytelling")
d.add_heading("Education and certificates", 1)
line(d, "BSc Economics, University of Wessex Downs, 2014 – 2017")
line(d, "SnowPro Core (2023)")
line(d, "dbt Analytics Engineering Certification (2024)")
d.save(sys.argv[1])
