"""Job descriptions by rule."""

from __future__ import annotations

import pytest

from graph.candidate.job import read_job

ADVERT = """\
Senior Backend Engineer

Northwind is looking for a senior backend engineer to join the ledger team.

About us
We are a bank with 300 people who love Excel and Kotlin.

What you will do
- Build services in Go and PostgreSQL

Requirements
- 5+ years of experience with Java or Go
- Kubernetes, Docker, AWS
- Terraform is a plus

Nice to have
- Kafka, Docker

We offer
- A Python course
"""


def test_an_advert_in_parts() -> None:
    """What is required, what is only welcome, and what the company says of itself are told apart."""
    job = read_job(ADVERT)
    assert (job.role, job.company, job.seniority, job.years) == ("Senior Backend Engineer", "Northwind", "senior", 5)
    assert job.must_have == ("Java", "Go", "Kubernetes", "Docker", "AWS", "PostgreSQL")
    assert job.nice_to_have == ("Terraform", "Apache Kafka")


def test_an_advert_in_one_paragraph() -> None:
    """Without headings clauses tell what is only welcome."""
    job = read_job(
        "We are hiring a Registered Nurse for our clinic at Lamna Healthcare. You have at least 2 years of "
        "experience, ACLS and BLS; Epic would be a plus."
    )
    assert (job.role, job.company, job.seniority) == ("Registered Nurse", "Lamna Healthcare", "mid")
    assert (job.must_have, job.nice_to_have) == (("ACLS", "BLS"), ("Epic",))


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("Junior Data Analyst", "junior"),
        ("Head of Marketing", "lead"),
        ("Working Student Developer", "intern"),
        ("Designer", None),
    ],
)
def test_seniority_by_the_role(title: str, seniority: str | None) -> None:
    """A word of the role says how senior the job is; without one and without years nothing is guessed."""
    assert read_job(f"{title}\n\nWe build things.").seniority == seniority


def test_nothing_is_made_of_nothing() -> None:
    """An empty text asks for nothing."""
    assert read_job("").model_dump(exclude_defaults=True) == {}
