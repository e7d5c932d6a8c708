"""Skills of positions and projects that the lexicon does not know."""

from __future__ import annotations

import pytest

from graph.candidate.profile import read_profile
from graph.candidate.unlisted.naming import skills_told, words_of_names


@pytest.mark.parametrize(
    ("sentence", "skills"),
    [
        ("Rolled out Zibblewatch and Kubernetes for six teams.", ["Zibblewatch"]),
        ("Signed images with ZQsign2, and scanned them (Trivy, Plonkscan).", ["ZQsign2", "Plonkscan"]),
        ("Baseline Vizards and Terraform for the test benches", ["Baseline Vizards"]),
        ("Kept keys in the flow (Android Zeebcase, biometric login)", ["Android Zeebcase"]),
        ("Test benches for QARNIC 529 equipment", ["QARNIC 529"]),
    ],
)
def test_names_are_skills(sentence: str, skills: list[str]) -> None:
    """A name is a skill: with capitals within, behind others of a list, with what belongs to it."""
    assert list(skills_told([sentence])) == skills


@pytest.mark.parametrize(
    "sentence",
    [
        "Sold eight systems to Zibblewatch, and moved the Plonkscan team to Norway in March.",
        "No outage before Black Friday, latency at p95 in 40 ms on two CPUs",
        "Zibblewatched the whole night",
        "“Zibblewatch for people who finish”, a talk in Leeds",
        "Role\tZibblewatch Keeper",
        "Tests after ISO 4210 for a B.Sc. in Portuguese",
        "Worked for the Head Plonkscan Engineer",
    ],
)
def test_other_names_are_none(sentence: str) -> None:
    """What somebody worked for, months, places, units, titles in quotation marks, rows, standards and roles are not."""
    assert list(skills_told([sentence])) == []


@pytest.mark.parametrize(
    ("sentence", "skills"),
    [
        ("Zebra versioning with Docker", ["Zebra versioning"]),
        ("Introduced Docker, zebra versioning and Kubernetes", ["zebra versioning"]),
        ("We thought about zebra versioning for long", []),
        ("Zebra crossings with Docker", []),
    ],
)
def test_practices_are_told_by_their_place(sentence: str, skills: list[str]) -> None:
    """Plain words of doing are a skill in a list with known ones, or with a tool behind, and nowhere else."""
    assert list(skills_told([sentence])) == skills


def test_the_lexicon_decides_about_its_own_words() -> None:
    """What the lexicon knows and finds only in lists is not told by its place."""
    assert list(skills_told(["Fixed defects raised in SIT"])) == []


def test_names_of_the_same_resume_are_no_skills() -> None:
    """A customer or school that the résumé names elsewhere is not told as a skill."""
    names = words_of_names(["Zibblewatch Holdings"])
    assert list(skills_told(["Ran payments with Zibblewatch and Plonkscan"], names=names)) == ["Plonkscan"]


def test_a_profile_has_them_with_their_position() -> None:
    """A profile lists them among the skills of the person and of the position."""
    text = (
        "Ada Example\n\nExperience\n\nContoso Ltd, Leeds\nEngineer\n2019 - 2022\n- Scanned images with Plonkscan "
        "and Trivy for Contoso\n\nSkills\nDocker\n"
    )
    profile = read_profile(text)
    assert profile.skills == ("Docker", "Trivy", "Plonkscan")
    assert profile.experience[0].skills == ("Trivy", "Plonkscan")
