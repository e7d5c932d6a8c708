"""`viva pin`: made, listed and revoked on the command line."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.phone.times import TimeError, moment, shown
from agent.phone.grants import PinGrant
from agent.phone.pins import open_pins
from agent.settings import Settings

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A folder that the commands use, and a number to call."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("VIVA_PHONE_NUMBER", "030 1234")
    return Settings(data_dir=tmp_path)


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, ["pin", *arguments])
    return done.exit_code, done.output


def test_a_pin_is_made_and_counts(settings: Settings, tmp_path: Path) -> None:
    """It stands for what the options say, documents read; it is listed without its digits."""
    resume = tmp_path / "cv.md"
    resume.write_text("# Ada Example\n\n## Skills\n\nGo", encoding="utf-8")
    code, said = run(
        "new", "--name", "Ada", "--pack", "backend", "--topic", "Caching", "--minutes", "15", "--exam",
        "--resume", str(resume), "--about-resume",
    )  # fmt: skip
    assert code == 0, said
    pin = said.split()[1]
    assert "Call 030 1234, type the PIN" in said.replace("\n", " ")
    grant = open_pins(settings).of_pin(pin)
    assert grant is not None
    wish = grant.wish
    assert (wish.candidate_name, wish.pack, wish.minutes, wish.feedback, wish.mode) == (
        "Ada", "backend", 15, "exam", "resume",
    )  # fmt: skip
    assert list(wish.focus_topics) == ["caching"]
    assert "Ada Example" in wish.resume
    assert grant.once
    _, listed = run("list")
    assert grant.id in listed
    assert pin not in listed


def test_where_there_is_no_number_it_is_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The PIN is made all the same."""
    monkeypatch.delenv("VIVA_PHONE_NUMBER")
    code, said = run("new")
    assert (code, "There is no number to call yet" in said) == (0, True)
    assert len(open_pins(settings).grants(time.time())) == 1


def test_a_pin_for_a_time_as_json(settings: Settings) -> None:
    """For programs: the digits once, and times in seconds since the epoch."""
    code, said = run("new", "--many", "--from", "+1h", "--until", "+2h", "--json")
    made = json.loads(said)
    assert (code, made["once"], made["state"], made["number"]) == (0, False, "early", "030 1234")
    assert made["valid_until"] - made["valid_from"] == pytest.approx(3600)
    (listed,) = json.loads(run("list", "--json")[1])
    assert listed == {key: value for key, value in made.items() if key not in {"pin", "number"}}


def test_a_pin_is_revoked_by_its_id_or_its_digits(settings: Settings) -> None:
    """Whichever is at hand; what is unknown is not repeated, for it may be a PIN."""
    made = [json.loads(run("new", "--json")[1]) for _ in range(2)]
    assert run("revoke", made[0]["id"])[0] == 0
    assert run("revoke", made[1]["pin"])[0] == 0
    code, said = run("revoke", made[1]["pin"])
    assert code == 1
    assert made[1]["pin"] not in said
    assert "There are no PINs" in run("list")[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--until", "2020-01-01"], "never count"),
        (["--until", "soon"], "08:30"),
        (["--pack", "nonsense"], "backend"),
        (["--pack", "backend", "--topic", "nonsense"], "caching"),
        (["--resume", "nothing.pdf"], "nothing.pdf"),
        (["--name", ""], "name"),
    ],
)
def test_what_cannot_be_granted_is_said(settings: Settings, arguments: list[str], says: str) -> None:
    """With what is accepted; no PIN is made."""
    code, said = run("new", *arguments)
    assert (code, says in said) == (2, True), said
    assert open_pins(settings).grants(0.0) == []


def test_what_is_kept_of_a_person_goes_with_their_pin(settings: Settings) -> None:
    """The host makes it: on the phone nobody could be sure that it is them."""
    from agent.interviews import profiles as profiles_module  # noqa: PLC0415
    from tests.rag.fakes import HashedWords  # noqa: PLC0415
    from tests.rag.profiles.samples import RESUME  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiles_module, "profile_embedder", lambda _: HashedWords())
        with profiles_module.opened_profiles(settings) as profiles:
            profiles.bring_in("ada-example", RESUME, at=1.0)
    made = json.loads(run("new", "--name", "Ada Example", "--about-resume", "--json")[1])
    grant = open_pins(settings).of_pin(made["pin"])
    assert isinstance(grant, PinGrant)
    assert grant.wish.profile is not None
    assert grant.wish.profile.skills == RESUME.skills


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("16:00", "2026-03-14 16:00"),
        ("8:30", "2026-03-15 08:30"),
        ("2026-12-01", "2026-12-01 00:00"),
        ("2026-12-01T08:30", "2026-12-01 08:30"),
        (" 2026-12-01 08:30 ", "2026-12-01 08:30"),
        ("2026-12-01T08:30+00:00", "2026-12-01 09:30"),
        ("+45m", "2026-03-14 15:54"),
        ("+7d", "2026-03-21 15:09"),
    ],
)
def test_times_are_read_as_people_mean_them(text: str, means: str) -> None:
    """In the zone of this machine; a time of day is the next one."""
    assert shown(moment(text, NOW), NOW) == means


def test_a_date_as_an_end_means_all_of_the_day() -> None:
    """What counts until the first of December counts on it; a moment is a moment."""
    assert shown(moment("2026-12-01", NOW, ends=True), NOW) == "2026-12-02 00:00"
    assert shown(moment("2026-12-01T08:30", NOW, ends=True), NOW) == "2026-12-01 08:30"


@pytest.mark.parametrize("text", ["", "25:00", "tomorrow", "+7w", "+", "2026-13-01", "٠٨:٣٠"])
def test_what_is_no_time_is_refused(text: str) -> None:
    """With what is accepted."""
    with pytest.raises(TimeError, match="Accepted are"):
        moment(text, NOW)
