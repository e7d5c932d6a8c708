"""A résumé to ask about, and an interview about it with everything around scripted."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from langgraph.checkpoint.memory import InMemorySaver

from domain.candidate import CandidateEducation, CandidateExperience, CandidateProfile, CandidateProject
from graph import Interview, InterviewContext
from graph.checkpoints.serializer import serializer
from graph.intents import IntentDetector
from tests.graph.fakes import Rig, ScriptedDetector

JOB = "We look for a backend engineer with Kafka, PostgreSQL and Python to own our billing."
PROFILE = CandidateProfile(
    name="Robin Example",
    skills=("Python", "Kafka", "PostgreSQL"),
    projects=(
        CandidateProject(
            name="Billing migration",
            did=("Moved billing to Kafka, cutting latency by 40%", "Wrote a nightly job that compares the invoices"),
            skills=("Kafka", "Python"),
            employer="Contoso",
            start="2022-03",
            end="2023-01",
        ),
        CandidateProject(
            name="Order Portal",
            did=("Built a React front end for the warehouse, used by 300 people",),
            skills=("React",),
            employer="Fabrikam",
            start="2020",
            end="2021",
        ),
        CandidateProject(name="Orbit", did=("A chess engine in Rust",), skills=("Rust",), start="2023", end="present"),
    ),
    experience=(
        CandidateExperience(
            employer="Contoso",
            role="Senior engineer",
            start="2021-05",
            end="present",
            did=("Led a team of five engineers", "Introduced code reviews"),
            skills=("Python", "Kafka", "PostgreSQL"),
        ),
        CandidateExperience(
            employer="Fabrikam", role="Developer", end="2021", did=("Responsible for maintaining the payment gateway",)
        ),
    ),
    education=(CandidateEducation(school="Northwind Institute", degree="BSc", subject="Computer science", end="2018"),),
)
"""Three projects, two positions, five skills and a degree of nobody."""


@dataclass
class ResumeRig(Rig):
    """A rig whose detector of requests can be another than the scripted one."""

    detector: IntentDetector = dataclasses.field(default_factory=ScriptedDetector)

    def context(self) -> InterviewContext:
        return dataclasses.replace(super().context(), detector=self.detector)


def about_resume(rig: Rig, *, saver: object = None, minutes: int = 90, **wanted: object) -> Interview:
    """An interview about this résumé."""
    setup = {"mode": "resume", "profile": PROFILE, "job_description": JOB, **wanted}
    return rig.interview(saver or InMemorySaver(serde=serializer()), minutes=minutes, **setup)
