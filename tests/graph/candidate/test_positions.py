"""Positions: who employed somebody and as what, in the forms in which people write it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.candidate.positions import read_position
from graph.candidate.profile import read_profile


@pytest.mark.parametrize(
    ("lines", "employer", "role"),
    [
        (["Senior Engineer", "Contoso, Leeds"], "Contoso", "Senior Engineer"),
        (["Contoso Ltd, Leeds", "Senior Engineer"], "Contoso Ltd", "Senior Engineer"),
        (["Audit Senior", "First Up Consultants LLP, Glasgow"], "First Up Consultants LLP", "Audit Senior"),
        (["Account Executive, Contoso, Chicago"], "Contoso", "Account Executive"),
        (["Director, Infrastructure Operations"], "", "Director, Infrastructure Operations"),
        (["Registered Nurse, ICU, Contoso Hospital, Austin, TX"], "Contoso Hospital", "Registered Nurse, ICU"),
        (["Developer at Fabrikam, Inc."], "Fabrikam, Inc.", "Developer"),
        (["Lead iOS Developer (contract, 4 days/week)", "Lucerne Publishing"], "Lucerne Publishing", "Lead iOS Developer"),
        (["Assistant Professor (tenure track)", "University of Litware"], "University of Litware", "Assistant Professor (tenure track)"),
        (["Shift Manager / Inbound Manager", "Northwind"], "Northwind", "Shift Manager / Inbound Manager"),
        (["Interim CFO, Tailspin Toys (via Example Search)"], "Tailspin Toys", "Interim CFO"),
        (["Frontend Developer | Remote | Relecloud"], "Relecloud", "Frontend Developer"),
        (["Adatum — Frontend Developer", "Berlin, Germany"], "Adatum", "Frontend Developer"),
        (["Freelance", "Technical Writer"], "Freelance", "Technical Writer"),
        (["Client\tWoodgrove Life, UK", "Role\tTechnical Lead"], "Woodgrove Life", "Technical Lead"),
        (["Worked as Software Engineer in Wingtip Limited, Chennai"], "Wingtip Limited", "Software Engineer"),
        (["Projektleiterin Logistik, Northwind GmbH, Berlin"], "Northwind GmbH", "Projektleiterin Logistik"),
    ],
)  # fmt: skip
def test_employer_and_role(lines: list[str], employer: str, role: str) -> None:
    """Lines, bars, commas, labels and sentences; places, remarks and departments are told from employers."""
    position = read_position(lines)
    assert (position.employer, position.role) == (employer, role)


@pytest.mark.parametrize("line", ["Career break", "Parental leave", "Language stay in Dublin (business English, C1)"])
def test_what_is_no_position(line: str) -> None:
    """Stretches of time without work are none."""
    assert not read_position([line]).is_one


@given(st.lists(st.text(max_size=80), max_size=4))
@example(["\0"])
def test_any_head_can_be_read(lines: list[str]) -> None:
    """Whatever a head holds, employer and role are words of it."""
    position = read_position(lines)
    words = set(" ".join(lines).replace("/", " ").split())
    assert not position.employer or position.employer.split()[0].strip(",;|()·•→") in " ".join(lines)
    assert words or not position.role


FORMS = {
    "roles below an employer with dates": (
        (
            "CONTOSO CORPORATION, Columbus, OH\tJune 1999 - Present\n"
            "Director, Operations\tJanuary 2019 - Present\n"
            "• Led 40 people.\n"
            "Technician\tJune 1999 - December 2018\n"
            "• Mended desks."
        ),
        [("CONTOSO CORPORATION", "Director, Operations", "2019-01"), ("CONTOSO CORPORATION", "Technician", "1999-06")],
    ),
    "roles below an employer and how long it lasted": (
        (
            "Contoso\n"
            "5 years 3 months\n"
            "\n"
            "Engineering Manager\n"
            "March 2021 - Present (2 years)\n"
            "London\n"
            "\n"
            "Led teams.\n"
            "\n"
            "Engineer\n"
            "May 2018 - March 2021 (2 years 11 months)\n"
            "London\n"
            "\n"
            "Built a ledger."
        ),
        [("Contoso", "Engineering Manager", "2021-03"), ("Contoso", "Engineer", "2018-05")],
    ),
    "dates at the left": (
        (
            "since 10.2021\tLead Engineer\n"
            "Trey GmbH, Ulm (pumps)\n"
            "• Firmware.\n"
            "01.2019 – 02.2019\tLanguage stay in Dublin\n"
            "06.2012 – 12.2018\tDeveloper\n"
            "Fabrikam AG, Ulm\n"
            "• Drivers."
        ),
        [("Trey GmbH", "Lead Engineer", "2021-10"), ("Fabrikam AG", "Developer", "2012-06")],
    ),
    "a table": (
        (
            "Period\tCompany\tPosition\n"
            "05/2020 – present\tContoso S.A., Poznań\tManager\n"
            "• P&L.\n"
            "02/2013 – 04/2020\tTailspin Freight, Łódź\tTransport Planner"
        ),
        [("Contoso S.A.", "Manager", "2020-05"), ("Tailspin Freight", "Transport Planner", "2013-02")],
    ),
    "a table of Markdown with two columns of dates": (
        ("| Role | Organisation | From | To |\n|---|---|---|---|\n| Nurse | Northwind Trust | Sep 2020 | Present |\n"),
        [("Northwind Trust", "Nurse", "2020-09")],
    ),
    "sentences": (
        (
            "• Working as Technical Lead in Proseware Pvt. Ltd., Bengaluru from August 2022 to till date.\n"
            "• Worked as Engineer in Wingtip Limited, Chennai from May 2019 to July 2022."
        ),
        [("Proseware Pvt. Ltd.", "Technical Lead", "2022-08"), ("Wingtip Limited", "Engineer", "2019-05")],
    ),
    "headings with arrows": (
        (
            "### Designer, Lamna Healthcare (Montréal)\n"
            "*2022-09 → today*\n"
            "\n"
            "- Forms.\n"
            "\n"
            "### Career break\n"
            "*2020-03 → 2022-08*\n"
        ),
        [("Lamna Healthcare", "Designer", "2022-09")],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_histories_in_many_forms(form: str) -> None:
    """Whatever the form, each position has its employer, its role and its beginning."""
    text, positions = FORMS[form]
    heading = "## Experience" if "###" in text else "EXPERIENCE"
    found = read_profile(f"Ada Sample\n\n{heading}\n{text}\n").experience
    assert [(each.employer, each.role, each.start) for each in found] == positions
