import sys
from docxkit import *
d = document("Georgia", 10.5)
d.add_heading("Gwendolyn Mockridge", 0)
line(d, "Engineering Manager, Dublin")
line(d, "gwen@mockridge.example  |  +353 85 555 0119  |  linkedin.com/in/gmockridge-example")
d.add_heading("Summary", 1)
line(d, "Twelve years in software, the last six leading people, before that backend development. I care about calm teams, short queues and decisions that are written down.")
d.add_heading("Experience", 1)
d.add_heading("Woodgrove Bank Digital, Dublin", 2)
line(d, "Senior Engineering Manager, February 2022 – present", bold=True)
bullets(d,
 "Lead three teams (22 engineers and two managers) that build the customer onboarding",
 "Weekly one-to-ones, growth plans, and performance reviews that people do not dread; regretted attrition 4 % over three years",
 "Hired 19 engineers; rewrote the interview loop as structured interviews with a rubric",
 "Quarterly OKRs and roadmap planning together with product; stakeholder management up to the board",
 "DORA metrics: from a release each fortnight to 11 deployments a day, by trunk based development and feature flags",
 "Budget of 4.1 million euro; negotiated the vendor contracts when we moved from NewRelic to Datadog")
line(d, "Engineering Manager, June 2020 – January 2022", bold=True, before=4)
bullets(d,
 "Managed the payments team of eight; coached two seniors who are tech leads now",
 "Split the settlement monolith into microservices in Kotlin with Kafka in between, after DDD workshops (event storming)",
 "Set up the on-call rotation and blameless incident reviews; PagerDuty instead of a list of phone numbers",
 "Kanban with WIP limits instead of two-week sprints; cycle time from 17 to 6 days")
d.add_heading("Proseware Travel, Cork", 2)
line(d, "Tech Lead, September 2017 – May 2020", bold=True)
bullets(d,
 "Technical leadership of six engineers: architecture decision records, code reviews, pairing",
 "Migrated from an own data centre to AWS (ECS, RDS, SQS) with Terraform, in fourteen months",
 "Java, SpringBoot, and Elastic Search behind the hotel search")
d.add_heading("Coho Vineyard Software, Limerick", 2)
line(d, "Software Engineer, July 2014 – August 2017", bold=True)
bullets(d,
 "Stock and order system in PHP (Symfony) and mySQL; REST APIs for three resellers",
 "Test driven development, Jenkins builds, the first Docker images",
 "Ran stand-ups and retrospectives; scrum master by accident")
d.add_heading("Education", 1)
line(d, "Diploma in Management, Emerald Business College, 2021")
line(d, "BSc (Hons) Computer Science, Munster Fictional University, 2010 – 2014")
d.add_heading("Community", 1)
bullets(d, "Mentor in a returners' programme for women in technology since 2022",
        "“Feedback is a habit”, Lead Moot Dublin 2024")
d.save(sys.argv[1])
