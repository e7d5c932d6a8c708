import sys
from docxkit import *
d = document("Arial", 10)
line(d, "Oksana Zrazkova", bold=True, size=18)
line(d, "QA Automation Engineer / SDET")
line(d, "Wrocław, Poland | +48 600 555 077 | oksana@zrazkova.example")
h = lambda t: line(d, t, bold=True, size=12, before=10)
h("PROFESSIONAL SUMMARY")
line(d, "QA engineer with 8+ years in manual testing and test automation of web and mobile applications and their APIs. ISTQB certified. Not a gatekeeper: I would rather help the team to write less bugs.")
h("CORE SKILLS")
t = d.add_table(rows=0, cols=2); t.style = "Table Grid"
for a, b in (("Test automation", "Selenium WebDriver, Cypress, Playwright, Appium"),
             ("Languages", "Java, TypeScript, Python (basic)"),
             ("Frameworks", "TestNG, JUnit 5, Cucumber, pytest, REST Assured"),
             ("API and performance", "Postman, Newman, JMeter, Gatling, WireMock, Pact"),
             ("CI/CD", "Jenkins, GitHub Actions, Docker, Selenoid"),
             ("Management", "JIRA, TestRail, Xray, Confluence"),
             ("Methods", "BDD, exploratory testing, boundary value analysis, risk-based testing, shift left, Scrum, Kanban"),
             ("Databases", "MySQL, Oracle, MongoDB")):
    c = t.add_row().cells; c[0].text = a; c[1].text = b
h("WORK EXPERIENCE")
line(d, "Wingtip Insurance Direct, Wrocław", bold=True, before=5)
line(d, "Lead SDET | June 2022 – Present", italic=True)
bullets(d,
 "Replaced a flaky Selenium suite (2,100 tests, 5 hours) by Playwright and Typescript: 900 tests, 22 minutes, in parallel on GitHub Actions",
 "Contract testing with Pact between 14 micro services, so that the shared staging environment could go",
 "Quality gates in SonarQube; coverage is reported, but it is not a target",
 "Trained 12 developers in unit testing and the test pyramid",
 "Visual regression tests with Percy, accessibility testing with axe",
 "Test data management: masked copies of production, new every night")
line(d, "Tailspin Games Studio, Kraków", bold=True, before=5)
line(d, "Test Automation Engineer | October 2019 – May 2022", italic=True)
bullets(d,
 "Appium framework in Java (page object pattern, TestNG, Allure reports) for Android and iOS; device farm on Browserstack",
 "Load tests with JMeter before each season: 60k virtual users; found the limit of the connection pool",
 "Rest-Assured suite for the payment API, mocks with Wiremock",
 "Triaged defects with developers and support; regression testing from 4 days to 1")
line(d, "Lamna Software House, Lviv", bold=True, before=5)
line(d, "QA Engineer (manual) | March 2018 – September 2019", italic=True)
bullets(d,
 "Wrote test plans and test cases in TestRail; smoke tests and regression tests of a pharmacy portal",
 "SQL queries against Oracle to verify orders; Charles and Chrome DevTools to look at the traffic",
 "First automated checks with pytest, in my own time at first")
h("EDUCATION")
line(d, "Master's degree, Applied Mathematics, Lviv Imaginary University, 2012 – 2017")
h("CERTIFICATES")
bullets(d, "ISTQB Certified Tester, Foundation Level (2018)", "ISTQB Test Automation Engineer (2021)")
h("LANGUAGES")
line(d, "Ukrainian – native, Polish – C1, English – B2")
d.save(sys.argv[1])
