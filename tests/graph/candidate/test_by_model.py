"""Profiles by a model: what it makes up is dropped, and the rules stand where it fails."""

from __future__ import annotations

from typing import Any

from graph.candidate.by_model import checked, extract_profile
from graph.candidate.profile import read_profile
from graph.language_models.tasks import ProfileReply
from tests.graph.candidate.test_profile import RESUME
from tests.graph.language_models.scripted import ScriptedChat, Told, of_interview, tiered


def reply(**fields: Any) -> ProfileReply:
    """A reply in its form, with nothing in it but what is given."""
    empty: dict[str, Any] = {
        "name": "", "domain": "", "summary": "", "skills": [], "strengths": [], "weaknesses": [], "traits": [],
        "experience": [], "projects": [], "years": -1,
    }  # fmt: skip
    return ProfileReply.model_validate(empty | fields)


def position(employer: str, role: str = "Senior Engineer", start: str = "2021-04") -> dict[str, str]:
    """A position as a model gives it."""
    return {"employer": employer, "role": role, "start": start, "end": "present"}


def test_what_the_text_does_not_say_is_dropped() -> None:
    """Employers, roles, skills, projects, names and years that are not in the text are thrown away."""
    made_up = reply(
        name="Grace Nobody",
        domain="alchemy",
        skills=["Go", "COBOL", "k8s"],
        experience=[position("Contoso", "Chief Wizard", "1999-01"), position("Hogwarts Ltd")],
        projects=[{"name": "pgslow", "skills": ["Rust", "Haskell"]}, {"name": "moonbase", "skills": []}],
        years=40,
    )
    rules = read_profile(RESUME)
    profile = checked(made_up, rules, RESUME)
    assert (profile.name, profile.domain, profile.years) == (rules.name, rules.domain, rules.years)
    assert profile.skills == ("Go", "Kubernetes")
    assert [(each.employer, each.role, each.start) for each in profile.experience] == [
        ("Contoso", "Senior Engineer", "2021-04")
    ]
    assert [(each.name, each.skills) for each in profile.projects] == [("pgslow", ("Rust",))]
    assert profile.made_by == "model"


def test_bullets_stay_the_candidates() -> None:
    """A model adds no words to what somebody did."""
    profile = checked(reply(experience=[position("Contoso")]), read_profile(RESUME), RESUME)
    assert profile.experience[0].did == read_profile(RESUME).experience[0].did


def test_a_reply_of_which_nothing_holds_changes_nothing() -> None:
    """The profile by rule stands when all that a model says is made up."""
    rules = read_profile(RESUME)
    assert checked(reply(skills=["COBOL"], experience=[position("Hogwarts Ltd")]), rules, RESUME) is rules


async def test_a_model_is_asked_and_checked() -> None:
    """A model's reply is used as far as it holds, and its form is the task's."""
    chat = ScriptedChat(script={"profile": reply(skills=["Rust", "COBOL"], experience=[position("Contoso")])})
    profile = await extract_profile(RESUME, of_interview(tiered(chat), Told()))
    assert (profile.made_by, profile.skills) == ("model", ("Rust",))
    assert "Ada Sample" in chat.asked[0].last


async def test_a_model_that_fails_leaves_it_to_the_rules() -> None:
    """A reply that cannot be read changes nothing."""
    chat = ScriptedChat(script={"profile": "I would rather not."})
    assert await extract_profile(RESUME, of_interview(tiered(chat), Told())) == read_profile(RESUME)


async def test_without_a_model_the_rules_decide() -> None:
    """Nobody is asked where there is nobody."""
    assert await extract_profile(RESUME, None) == read_profile(RESUME)


def test_a_strength_is_one_only_in_the_candidates_own_words() -> None:
    """What a model concludes is dropped; what the text has word for word is kept, wherever it stands."""
    text = f"{RESUME}\n\nI keep calm when production is down. I want to get better at delegating."
    said = reply(
        skills=["Go"],
        strengths=["keep calm when production is down", "natural leader"],
        weaknesses=["get better at delegating"],
        traits=["ambitious"],
    )
    profile = checked(said, read_profile(text), text)
    assert profile.strengths == ("keep calm when production is down",)
    assert profile.weaknesses == ("get better at delegating",)
    assert profile.traits == ()
