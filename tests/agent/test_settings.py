"""Settings: where values come from, and what a wrong one is told."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.files import read_or_create_secret
from agent.settings import (
    PROJECT_DIR,
    Settings,
    SettingsError,
    load_settings,
    origins,
    unknown_variables,
)


@pytest.fixture
def write_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file that is in force."""
    path = tmp_path / "viva.toml"
    path.touch()
    monkeypatch.setenv("VIVA_CONFIG", str(path))
    return path


def test_defaults_listen_on_this_machine_only() -> None:
    """Without any configuration nothing is reachable from other machines and data lies in the project."""
    settings = load_settings()

    assert settings.host == "127.0.0.1"
    assert settings.web_url == "http://127.0.0.1:8080"
    assert settings.livekit_ws_url == "ws://127.0.0.1:7880"
    assert settings.record_path == PROJECT_DIR / "data" / "record.sqlite"
    assert settings.interview_dir("abc") == PROJECT_DIR / "data" / "interviews" / "abc"


def test_the_environment_wins_over_the_file_and_the_file_over_defaults(
    write_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value comes from the nearest place, and `origins` says which that was."""
    write_file.write_text('whisper = "tiny"\nweb_port = 9000\n')
    monkeypatch.setenv("VIVA_WEB_PORT", "9100")

    settings = load_settings()

    assert (settings.whisper, settings.web_port, settings.voice) == ("tiny", 9100, "joe")
    where = origins(settings)
    assert where["whisper"] == f"file, {write_file}"
    assert where["web_port"] == "environment, VIVA_WEB_PORT"
    assert where["voice"] == "default"


def test_relative_paths_are_relative_to_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder that a command is started from does not matter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIVA_DATA_DIR", "elsewhere")

    assert load_settings().data_dir == PROJECT_DIR / "elsewhere"


def test_an_unknown_key_is_an_error_that_names_the_nearest_and_all_valid_ones(write_file: Path) -> None:
    """A typing error in the file is not silently ignored."""
    write_file.write_text('wisper = "tiny"\n')

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert "'wisper' is not a setting; did you mean whisper?" in str(caught.value)
    assert "away_timeout_s, cache_dir" in str(caught.value)


def test_a_broken_file_is_told_with_its_line(write_file: Path) -> None:
    """A file that is not TOML gives its place and an example."""
    write_file.write_text("web_port = 9000\nwhisper = tiny\n")

    with pytest.raises(SettingsError, match=r"is not TOML: .*line 2.*such as: whisper = \"tiny\""):
        load_settings()


def test_a_named_file_must_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A missing file is only all right where nobody asked for it."""
    monkeypatch.setenv("VIVA_CONFIG", str(tmp_path / "gone.toml"))

    with pytest.raises(SettingsError, match=r"VIVA_CONFIG names .*gone\.toml, and there is no such file"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("VIVA_WEB_PORT", "abc", "valid integer"),
        ("VIVA_WEB_PORT", "70000", "less than or equal to 65535"),
        ("VIVA_JUDGE", "me", "'auto', 'built-in' or 'model'"),
        ("VIVA_HOST", "http://localhost", "must be an IPv4 address such as 127.0.0.1"),
        ("VIVA_HOST", "0.0.0.0", "one address of this machine"),
        ("VIVA_OLLAMA_URL", "localhost", "pattern"),
        ("VIVA_MODEL_TIMEOUT_S", "0", "greater than 0"),
    ],
)
def test_a_wrong_value_is_told_with_its_setting_and_variable(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every refused value says which variable holds it and what is accepted."""
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert f"(environment, {name}) cannot be used" in str(caught.value)
    assert said in str(caught.value)


def test_two_settings_with_one_port_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that is given twice is found before a server fails on it."""
    monkeypatch.setenv("VIVA_WEB_PORT", "7880")

    with pytest.raises(SettingsError, match="web_port and livekit_port are both 7880"):
        load_settings()


def test_a_child_process_gets_exactly_the_same_settings(
    write_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Settings survive the way through the environment, whatever a file says."""
    settings = Settings(data_dir=tmp_path, whisper="tiny", model_timeout_s=2.5, web_port=9000)
    write_file.write_text('voice = "/somewhere/else.onnx"\n')

    for name, value in settings.as_environment().items():
        monkeypatch.setenv(name, value)

    assert load_settings() == settings


def test_a_variable_that_is_no_setting_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment variables with a typing error cannot be refused, so they are told."""
    monkeypatch.setenv("VIVA_WISPER", "tiny")

    assert [sentence for sentence in unknown_variables() if "VIVA_WISPER is ignored" in sentence]


def test_the_secret_is_generated_once_and_for_its_owner_only(tmp_path: Path) -> None:
    """The key's secret is long, private, and the same at every later start."""
    settings = Settings(data_dir=tmp_path / "data")

    secret = settings.livekit_secret

    path = tmp_path / "data" / "livekit.secret"
    assert len(secret) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert settings.livekit_secret == secret
    assert [entry.name for entry in path.parent.iterdir()] == ["livekit.secret"]


def test_processes_that_start_at_once_get_one_secret(tmp_path: Path) -> None:
    """Nobody can sign with a secret that was overwritten a moment later."""
    path = tmp_path / "livekit.secret"

    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: read_or_create_secret(path), range(32)))

    assert len(secrets) == 1


def test_a_secret_that_is_too_short_is_refused(tmp_path: Path) -> None:
    """An emptied secret file is told, instead of a server that accepts anybody."""
    (tmp_path / "livekit.secret").write_text("short\n")

    with pytest.raises(SettingsError, match=r"fewer than 32 characters; delete it"):
        _ = Settings(data_dir=tmp_path).livekit_secret


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A data folder below a file gives a sentence that names the setting."""
    (tmp_path / "file").touch()

    with pytest.raises(SettingsError, match="check data_dir"):
        _ = Settings(data_dir=tmp_path / "file" / "data").livekit_secret


def test_the_command_line_tells_wrong_settings_without_a_traceback(write_file: Path) -> None:
    """`viva config` on a broken file prints the sentence and ends with exit code 2."""
    write_file.write_text("nonsense\n")

    result = CliRunner().invoke(app, ["config"])

    assert result.exit_code == 2
    assert "is not TOML" in result.stderr
    assert "Traceback" not in result.output


def test_config_prints_every_setting_with_its_origin(write_file: Path) -> None:
    """`viva config` shows what is in force and from where."""
    write_file.write_text('whisper = "tiny"\n')

    result = CliRunner().invoke(app, ["config"], env={"COLUMNS": "250"})

    assert result.exit_code == 0
    assert all(name in result.stdout for name in Settings.model_fields)
    assert f"file, {write_file}" in result.stdout


def test_every_setting_is_described() -> None:
    """No setting is without a word on what it is for."""
    assert all(field.description for field in Settings.model_fields.values())
