"""`viva profile`: what is kept of people, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.interviews import profiles as profiles_module
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewStarted
from review import RecordStore
from tests.rag.fakes import HashedWords
from tests.rag.profiles.samples import RESUME, outcome, proof


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Profiles of one person in a folder that the commands use."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())
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
        at=1.0, candidate_name="Ada Example", pack="p", pack_title="P", minutes=5, feedback="practice", room="r"
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
