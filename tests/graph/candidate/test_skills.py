"""Skills of sentences and of the lists within entries."""

from __future__ import annotations

import pytest

from graph.candidate.skills import skills_named


@pytest.mark.parametrize(
    ("line", "skills"),
    [
        ("Stack: Go, Kafka, Frobnicator", ("Go", "Apache Kafka", "Frobnicator")),
        ("Environment\tJava 17, Frobnicator", ("Java", "Frobnicator")),
        ("Technologies used: R, C", ("R", "C")),
        ("Stack overflows were rare: Frobnicator saw to it", ()),
    ],
)
def test_a_line_of_tools_is_a_list(line: str, skills: tuple[str, ...]) -> None:
    """What a line of an entry names after "Stack:" or the like counts, known or not."""
    assert skills_named([line]) == skills


def test_brackets_of_nothing_but_skills_are_a_list() -> None:
    """Letters and plain words count there; one item that is no skill makes the brackets a remark."""
    assert skills_named(["Wrote the billing service (Go, R, Excel)"]) == ("Go", "R", "Excel")
    assert skills_named(["Wrote the billing service (go, as everybody said)"]) == ()


def test_a_standard_counts_by_its_number() -> None:
    """Whether the lexicon has it or not; a year or a page is no standard."""
    assert skills_named(["Prepared the ISO 9001 and ISO 15189 audits"]) == ("ISO 9001", "ISO 15189")


def test_practices_of_bullets_count() -> None:
    """What was done counts as a practice under one name, by its noun or by its verb."""
    said = ["On call every fifth week; ran load tests and code reviews", "Mentored two juniors, trained 12 colleagues"]
    assert skills_named(said) == ("On-call", "Load testing", "Code review", "Mentoring", "Training")


def test_two_skills_may_share_their_last_word() -> None:
    """What is before "and" counts with the last word of what is after it, where that is a skill."""
    assert skills_named(["Added unit and integration tests"]) == ("Integration testing", "Unit testing")
    assert skills_named(["Spring Security and microservices architecture"]) == ("Spring Security", "Microservices")
