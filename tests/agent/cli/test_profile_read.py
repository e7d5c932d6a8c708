"""`viva profile read`: what is in a file, for people and as JSON, and a sentence where there is nothing to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from domain.candidate import CandidateProfile, JobRequirements
from tests.graph.candidate.test_job import ADVERT
from tests.graph.candidate.test_profile import RESUME


@pytest.fixture
def resume(tmp_path: Path) -> str:
    """A résumé as a file."""
    path = tmp_path / "resume.txt"
    path.write_text(RESUME, encoding="utf-8")
    return str(path)


def test_a_profile_as_json(resume: str) -> None:
    """Every field is printed in the shape of `CandidateProfile`."""
    done = CliRunner().invoke(app, ["profile", "read", resume, "--json"])
    assert done.exit_code == 0, done.output
    assert CandidateProfile.model_validate_json(done.stdout).experience[0].employer == "Contoso"


def test_a_profile_for_people(resume: str) -> None:
    """Name, positions with their dates, and skills can be read."""
    done = CliRunner().invoke(app, ["profile", "read", resume])
    assert done.exit_code == 0, done.output
    assert "Ada Sample · Backend development · 7 years of experience" in done.stdout
    assert "Contoso · Senior Engineer · 2021-04 to present" in done.stdout
    assert "Go, C, SQL" in done.stdout


def test_a_job_description(tmp_path: Path) -> None:
    """With --job what is required and what is welcome is printed."""
    path = tmp_path / "job.md"
    path.write_text(ADVERT, encoding="utf-8")
    done = CliRunner().invoke(app, ["profile", "read", str(path), "--job", "--json"])
    assert JobRequirements.model_validate(json.loads(done.stdout)).nice_to_have == ("Terraform", "Apache Kafka")
    assert (
        "Nice to have\nTerraform, Apache Kafka"
        in CliRunner().invoke(app, ["profile", "read", str(path), "--job"]).stdout
    )


def test_the_text_alone(resume: str) -> None:
    """With --text nothing is extracted."""
    assert CliRunner().invoke(app, ["profile", "read", resume, "--text"]).stdout.strip() == RESUME.strip()


def test_a_novel_is_read_with_a_note(tmp_path: Path) -> None:
    """What does not look like a résumé is said to, and read all the same."""
    path = tmp_path / "novel.txt"
    path.write_text("It was a dark and stormy night. " * 40, encoding="utf-8")
    done = CliRunner().invoke(app, ["profile", "read", str(path)])
    assert done.exit_code == 0
    assert "does not look like a résumé" in done.stderr


@pytest.mark.parametrize(
    ("place", "said"),
    [("none.pdf", "does not exist"), ("http://127.0.0.1/cv.pdf", "no public address"), ("file://x/y", "three slashes")],
)
def test_what_cannot_be_read_ends_with_a_sentence(place: str, said: str) -> None:
    """The exit code is 1, and standard error says why."""
    done = CliRunner().invoke(app, ["profile", "read", place])
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stdout == ""
