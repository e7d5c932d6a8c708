"""`viva profile`: what is kept of people, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewStarted
from domain.person import ProfileEdit
from review import RecordStore
from tests.graph.candidate.test_profile import RESUME as TEXT
from tests.rag.profiles.samples import RESUME, outcome, proof


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profiles_by_words: None) -> Settings:
    """Profiles of one person in a folder that the commands use."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    settings = Settings(data_dir=tmp_path)
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada-example", RESUME, at=1.0)
        profiles.count(outcome("i", proof("i")))
    return settings


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, ["profile", *arguments])
    return done.exit_code, done.output


def test_people_are_listed_and_shown(settings: Settings) -> None:
    """By name or id, for people and as JSON."""
    assert "ada-example" in run("list")[1]
    code, shown = run("show", "Ada  EXAMPLE")
    assert code == 0
    assert "a copy is stale" in shown
    assert "at 12 s" in shown
    assert "technical accuracy: 6.0" in shown
    assert json.loads(run("show", "ada-example", "--json")[1])["profile"]["domain"] == RESUME.domain


def test_an_unknown_person_is_said(settings: Settings) -> None:
    """With where to look; nothing is deleted."""
    for command in (["show", "Grace"], ["delete", "Grace", "--yes"]):
        code, said = run(*command)
        assert code == 1
        assert "viva profile list" in said


def test_a_person_is_deleted_by_whoever_means_it(settings: Settings) -> None:
    """With their interviews; and not while one of them goes on."""
    created = InterviewCreated(
        at=1.0, candidate_name="Ada Example", pack="p", pack_title="P", minutes=5, feedback="coach", room="r"
    )
    store = RecordStore(settings.record_path)
    store.append("waits", created)
    code, said = run("delete", "Ada Example")
    assert (code, "--yes" in said) == (1, True)
    assert store.status("waits") == "created"
    store.append("goes-on", created)
    store.append("goes-on", InterviewStarted(at=2.0, judge="built-in"))
    code, said = run("delete", "Ada Example", "--yes")
    assert (code, "still running" in said) == (1, True)
    store.delete("goes-on")
    code, said = run("delete", "Ada Example", "--yes")
    assert (code, said) == (0, "Deleted 'ada-example' and 1 interviews.\n")
    assert store.status("waits") is None
    store.close()
    assert "Nothing is kept of anybody" in run("list")[1]


def test_a_resume_is_imported(settings: Settings, tmp_path: Path) -> None:
    """It is printed and kept, by the name that is given or its own; what was corrected stays."""
    path = tmp_path / "resume.txt"
    path.write_text(TEXT, encoding="utf-8")
    with opened_profiles(settings) as profiles:
        profiles.edit("ada-example", ProfileEdit(domain="Gardening"), at=2.0)
    code, printed = run("import", str(path), "--name", "ADA Example")
    assert code == 0, printed
    assert "Contoso · Senior Engineer" in printed
    assert "Kept as ada-example" in printed
    assert run("import", str(path))[0] == 0
    with opened_profiles(settings) as profiles:
        ada, sample = profiles.person("ada-example"), profiles.person("ada-sample")
    assert ada is not None
    assert sample is not None
    assert (ada.profile.domain, ada.profile.experience[0].employer) == ("Gardening", "Contoso")
    assert sample.profile.name == "Ada Sample"


def test_what_cannot_be_imported_is_said_and_nothing_is_kept(settings: Settings, tmp_path: Path) -> None:
    """A file that cannot be read, and one that does not say whose it is."""
    picture, nobody = tmp_path / "cv.pdf", tmp_path / "cv.txt"
    picture.write_bytes(b"\x89PNG")
    nobody.write_text("Skills: Go, Rust", encoding="utf-8")
    for path, says in ((picture, "picture"), (nobody, "--name"), (tmp_path / "none.pdf", "does not exist")):
        code, printed = run("import", str(path))
        assert (code, says in printed) == (1, True), printed
    with opened_profiles(settings) as profiles:
        assert [each.user_id for each in profiles.people()] == ["ada-example"]
