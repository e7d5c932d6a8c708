"""Where checkpoints are kept: the setting, and what is shown of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.settings import Settings, SettingsError, load_settings, shown
from graph.checkpoints.opening import is_postgres

URL = "postgresql://viva:pa%40ss/wo:rd@db.example:5432/viva"


def test_checkpoints_are_in_a_file_unless_told_otherwise(tmp_path: Path) -> None:
    """Nobody needs a database server to begin with."""
    assert Settings(data_dir=tmp_path).checkpoints == tmp_path / "checkpoints.sqlite"
    assert not is_postgres(Settings(data_dir=tmp_path).checkpoints)


@pytest.mark.parametrize("url", [URL, "postgres://127.0.0.1/viva", "postgresql:///viva?host=/run/postgresql"])
def test_an_address_of_postgres_is_taken(url: str) -> None:
    """In any of the forms that libpq knows, and other processes get it as it is."""
    settings = Settings(checkpoint_url=url)
    assert settings.checkpoints == url
    assert is_postgres(settings.checkpoints)
    assert settings.as_environment()["VIVA_CHECKPOINT_URL"] == url


@pytest.mark.parametrize("url", ["mysql://viva:sesame@db/viva", "sesame", "postgresql://viva:ses ame@db/viva"])
def test_another_address_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what is accepted, and not what was given, which may hold a password."""
    monkeypatch.setenv("VIVA_CHECKPOINT_URL", url)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "must be empty, or an address such as postgresql://" in str(caught.value)
    assert "ses" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        (URL, "postgresql://viva:…@db.example:5432/viva"),
        (
            "postgresql://viva@db/viva?password=sesame&sslmode=require",
            "postgresql://viva@db/viva?password=…&sslmode=require",
        ),
        ("postgresql://db:5432/viva", "postgresql://db:5432/viva"),
    ],
)
def test_the_password_is_not_shown(url: str, safe: str) -> None:
    """Neither by the settings themselves nor by whoever lists them."""
    settings = Settings(checkpoint_url=url)
    assert shown(settings, "checkpoint_url") == safe
    assert url not in repr(settings)


def test_viva_config_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it prints may be pasted into a question to others."""
    printed = CliRunner().invoke(
        app, ["config"], env={"COLUMNS": "300", "VIVA_CHECKPOINT_URL": URL, "VIVA_HOST_TOKEN": "open-sesame-please"}
    )
    assert printed.exit_code == 0
    assert "viva:…@db.example" in printed.stdout
    assert "wo:rd" not in printed.stdout
    assert "sesame" not in printed.stdout
