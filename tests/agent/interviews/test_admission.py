"""What is known of a candidate and what they bring, when an interview is created."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.interviews.admission import with_profile
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.candidate import CandidateProfile, CandidateProject
from domain.events import InterviewCreated
from domain.person import Person, ProfileEdit
from graph.candidate.profile import read_profile
from tests.rag.profiles.samples import RESUME

TEXT = """Ada Example
Backend developer

Skills: Python, Redis

Experience

Contoso, Developer, 2019 - 2021
- Built the billing service in Python.
"""
CREATED = InterviewCreated(
    at=0.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="", user_id="ada"
)

pytestmark = pytest.mark.usefixtures("profiles_by_words")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """With a folder of their own."""
    return Settings(data_dir=tmp_path)


def kept(settings: Settings, user_id: str = "ada") -> Person | None:
    """What is kept of somebody."""
    with opened_profiles(settings) as profiles:
        return profiles.person(user_id)


def profile_of(settings: Settings) -> CandidateProfile:
    """The profile that is kept of the candidate."""
    person = kept(settings)
    assert person is not None
    return person.profile


def brought(settings: Settings, *, is_host: bool = True, **changes: object) -> InterviewCreated:
    """The interview as it is created for somebody who brings something."""
    return with_profile(settings, CREATED.model_copy(update=changes), is_host=is_host)


@pytest.mark.parametrize("is_host", [True, False])
def test_a_resume_comes_into_the_profile(settings: Settings, *, is_host: bool) -> None:
    """The interview reads it itself, a model may do that; and the résumé's name stays."""
    created = brought(settings, is_host=is_host, resume=TEXT)
    assert (created.profile, created.known) == (None, False)
    assert profile_of(settings) == read_profile(TEXT)
    assert profile_of(settings).name == "Ada Example"


def test_nothing_is_made_for_somebody_who_brings_nothing(settings: Settings) -> None:
    """No database is opened, and none comes to be."""
    assert brought(settings) == CREATED
    assert not list(settings.data_dir.iterdir())


def test_who_is_known_needs_no_resume(settings: Settings) -> None:
    """What is kept of them is what the interview goes by, for the host and nobody else."""
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1.0)
    assert brought(settings).profile == RESUME
    assert brought(settings, is_host=False).profile is None
    assert brought(settings, user_id="grace", candidate_name="Grace").profile is None


def test_what_was_corrected_wins_over_the_resume(settings: Settings) -> None:
    """In the interview that it is corrected for, in the profile, and when the same résumé comes again."""
    shown = read_profile(TEXT)
    given = shown.model_copy(update={"skills": ("python", "k8s"), "domain": "Data engineering"})
    created = brought(settings, resume=TEXT, profile=given)
    assert created.profile is not None
    assert (created.profile.skills, created.profile.made_by) == (("Python", "Kubernetes"), "candidate")
    person = kept(settings)
    assert person is not None
    assert person.profile.skills == ("Python", "Kubernetes")
    assert {"skills", "domain"} <= set(person.edited)
    assert "experience" not in person.edited

    again = brought(settings, resume=TEXT)
    assert again.profile is not None
    assert (again.profile.skills, again.profile.experience) == (("Python", "Kubernetes"), shown.experience)


def test_a_new_candidate_corrects_what_was_just_read(settings: Settings) -> None:
    """Nobody has to be known for it."""
    given = read_profile(TEXT).model_copy(
        update={"projects": (CandidateProject(name="A sundial", did=("", "Cut it. ")),)}
    )
    brought(settings, resume=TEXT, profile=given)
    assert [(each.name, each.did) for each in profile_of(settings).projects] == [("A sundial", ("Cut it.",))]


def test_what_is_kept_can_be_corrected_without_a_resume(settings: Settings) -> None:
    """As the start page shows it to who is known."""
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1.0)
    brought(settings, profile=RESUME.model_copy(update={"skills": ("Rust",)}))
    assert profile_of(settings).skills == ("Rust",)
    assert profile_of(settings).projects == RESUME.projects


def test_a_stranger_corrects_nobody(settings: Settings) -> None:
    """What somebody else brings under a name is added to it; what its bearer corrected stays."""
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada", RESUME, at=1.0)
        profiles.edit("ada", ProfileEdit(domain="Gardening"), at=2.0)
    given = read_profile(TEXT).model_copy(update={"domain": "Piracy", "skills": ("Sailing",)})
    created = brought(settings, is_host=False, resume=TEXT, profile=given)
    assert created.profile is not None
    assert created.profile.domain == "Piracy"
    assert profile_of(settings).domain == "Gardening"
    assert set(RESUME.skills) < set(profile_of(settings).skills)


def test_a_broken_profile_keeps_nobody_from_an_interview(settings: Settings) -> None:
    """It goes by what they brought."""
    (settings.data_dir / "profiles.sqlite").write_text("nonsense " * 200)
    created = brought(settings, resume=TEXT, profile=read_profile(TEXT))
    assert created.profile is not None
    assert created.profile.name == "Ada Example"
