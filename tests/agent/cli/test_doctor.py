"""The doctor: what it finds wrong, what it advises, and that a healthy machine passes.

The slow test needs what the set-up makes (livekit-server, models, pages) and lets the voice speak.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli import doctor
from agent.cli.app import app
from agent.cli.doctor import CheckResult
from agent.processes.stack import free_ports_settings
from agent.settings import Settings
from domain.events import ProblemNoticed
from review import RecordStore


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with free ports and a data folder of their own."""
    return free_ports_settings(tmp_path / "data")


@contextmanager
def ollama_with(*models: str) -> Iterator[str]:
    """The address of a server that answers as Ollama does when it has these models."""

    class Tags(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"models": [{"name": name} for name in models]}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Tags) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def only(check: Callable[[Settings], Iterator[CheckResult]], settings: Settings) -> CheckResult:
    """The one finding of a check."""
    (finding,) = check(settings)
    return finding


def changed(settings: Settings, **values: object) -> Settings:
    """Settings with other values."""
    return settings.model_copy(update=values)


def test_a_taken_port_is_a_problem_with_advice(settings: Settings) -> None:
    """The port, its owner and the setting that chooses another are named."""
    with socket.create_server((settings.host, settings.worker_port)):
        finding = only(doctor.check_ports, settings)

    assert finding.status == "problem"
    assert finding.found.startswith(f"port {settings.worker_port} (worker_port) is taken by")
    assert "VIVA_WORKER_PORT=…" in finding.advice


def test_free_ports_are_all_right(settings: Settings) -> None:
    """With nothing in the way the ports pass."""
    assert only(doctor.check_ports, settings).status == "ok"


def test_an_embedding_model_that_cannot_be_loaded_is_a_problem(settings: Settings, tmp_path: Path) -> None:
    """A folder that holds none, or one that needs packages that are not there, is told before an interview fails."""
    finding = only(doctor.check_embedder, changed(settings, embedder=str(tmp_path)))

    assert finding.status == "problem"
    assert "There is no embedding model in" in finding.found
    assert 'embedder = "minilm"' in finding.advice


def test_a_model_that_cannot_be_used_is_a_problem(settings: Settings) -> None:
    """What the model check refuses is passed on with its sentence."""
    finding = only(doctor.check_models, changed(settings, whisper="enormous"))

    assert finding.status == "problem"
    assert "neither a model that comes with Viva (base, tiny) nor a path" in finding.advice


def test_the_small_model_is_warned_of_for_other_languages(settings: Settings) -> None:
    """The tiny Whisper understands English only."""
    findings = list(doctor.check_models(changed(settings, whisper="tiny", language="de")))

    assert [finding.status for finding in findings] == ["ok", "ok", "ok", "ok", "warning"]
    assert "understands English only" in findings[-1].found


@pytest.mark.parametrize(("free_gb", "status"), [(0.1, "problem"), (1.0, "warning"), (50.0, "ok")])
def test_a_disk_is_judged_by_what_is_free(free_gb: float, status: str, tmp_path: Path) -> None:
    """Little room is a warning, none a problem, and both say what to do."""
    finding = doctor.judge_disk(free_gb, tmp_path)

    assert finding.status == status
    assert bool(finding.advice) == (status != "ok")


def test_a_data_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    """The folder and what to do are named."""
    (tmp_path / "file").touch()

    finding = only(doctor.check_data_dir, Settings(data_dir=tmp_path / "file" / "data"))

    assert finding.status == "problem"
    assert "set data_dir" in finding.advice


def test_a_record_that_can_be_read_is_all_right(settings: Settings) -> None:
    """Before the first interview there is none, and looking makes none."""
    assert only(doctor.check_record, settings).found == "there is none yet: it is made with the first start"
    assert not settings.record_path.exists()

    store = RecordStore(settings.record_path)
    store.append("a", ProblemNoticed(at=1.0, what="w", advice=""))
    store.close()

    assert (
        only(doctor.check_record, settings).model_dump()
        == CheckResult(check="record", status="ok", found="1 interview can be read").model_dump()
    )


def test_an_interview_that_cannot_be_read_is_warned_of(settings: Settings) -> None:
    """It is named with what is wrong, and who wants it gone is told how."""
    store = RecordStore(settings.record_path)
    store.append("a", ProblemNoticed(at=1.0, what="w", advice=""))
    store._connection().execute("INSERT INTO events VALUES ('b', 1, 2.0, 'sang', '{\"kind\": \"sang\"}')")
    store.close()

    finding = only(doctor.check_record, settings)

    assert finding.status == "warning"
    assert finding.found.startswith("1 of 2 interviews cannot be read. Event 1 of interview b")
    assert "on the start page" in finding.advice


def test_a_file_that_is_no_record_is_a_problem(settings: Settings) -> None:
    """Neither the worker nor the web can start with it."""
    settings.data_dir.mkdir(parents=True)
    settings.record_path.write_text("My diary. " * 500)

    finding = only(doctor.check_record, settings)

    assert finding.status == "problem"
    assert "it is not a record of Viva's" in finding.advice


def test_missing_pages_are_a_problem(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Pages that were not built are named."""
    monkeypatch.setattr(doctor, "PAGES_DIR", tmp_path)
    (tmp_path / "index.html").touch()

    finding = only(doctor.check_pages, settings)

    assert finding.status == "problem"
    assert finding.found == "room.html, replay.html not built"


def test_a_broken_pack_is_a_problem(settings: Settings, tmp_path: Path) -> None:
    """A pack that cannot be loaded is named with its fault."""
    (tmp_path / "mine.yaml").write_text("")

    finding = only(doctor.check_packs, changed(settings, packs_dir=tmp_path))

    assert finding.status == "problem"
    assert finding.found.startswith("mine.yaml was not loaded")
    assert f"viva pack lint {tmp_path / 'mine.yaml'}" in finding.advice


def test_a_folder_without_packs_is_a_problem(settings: Settings, tmp_path: Path) -> None:
    """Without any pack there is nothing to ask."""
    finding = only(doctor.check_packs, changed(settings, packs_dir=tmp_path))

    assert finding.status == "problem"
    assert "remove the setting packs_dir" in finding.advice


@pytest.mark.parametrize(("judge", "status"), [("auto", "ok"), ("built-in", "ok"), ("model", "problem")])
def test_no_ollama_is_a_problem_only_for_who_insists_on_it(judge: str, status: str, settings: Settings) -> None:
    """Ollama is optional unless the settings say that a model judges."""
    nobody = free_ports_settings(settings.data_dir).web_url

    assert only(doctor.check_language_models, changed(settings, judge=judge, ollama_url=nobody)).status == status


@pytest.mark.parametrize(("judge", "status"), [("auto", "warning"), ("model", "problem")])
def test_an_ollama_without_the_models_is_told_with_the_command(judge: str, status: str, settings: Settings) -> None:
    """The commands that get the models are in the advice."""
    with ollama_with("other:latest") as url:
        findings = list(doctor.check_language_models(changed(settings, judge=judge, ollama_url=url)))

    assert [finding.status for finding in findings] == [status, status]
    assert [finding.advice for finding in findings] == [
        "Get it with 'ollama pull qwen2.5:14b'.",
        "Get it with 'ollama pull qwen2.5:7b'.",
    ]


@pytest.mark.parametrize("model", ["small:3b", "small"])
def test_an_ollama_with_the_model_is_all_right(model: str, settings: Settings) -> None:
    """A model is found by its full name and by its name without ':latest'."""
    name = f"ollama:{model}"
    with ollama_with("small:3b", "small:latest") as url:
        both = changed(settings, complex_model=name, fast_model=name, ollama_url=url)
        finding = only(doctor.check_language_models, both)

    assert finding.status == "ok"
    assert model in finding.found


def test_one_model_of_two_limits_and_breaks_nothing(settings: Settings) -> None:
    """Where one model is there it does the work of both, even for who insists on a model judge."""
    with ollama_with("qwen2.5:7b") as url:
        findings = list(doctor.check_language_models(changed(settings, judge="model", ollama_url=url)))

    assert [finding.status for finding in findings] == ["ok", "warning"]
    assert "the other model does its work" in findings[1].found


def test_no_model_at_all_is_all_right(settings: Settings) -> None:
    """Whoever names none has everything by rule, and nobody is asked for one."""
    finding = only(doctor.check_language_models, changed(settings, complex_model="", fast_model=""))

    assert (finding.status, finding.found) == ("ok", "none: everything goes by rule")


def test_a_provider_that_is_not_installed_is_told_with_its_package(settings: Settings) -> None:
    """The package to install is in the sentence."""
    hosted = changed(settings, complex_model="", fast_model="mistralai:mistral-small")
    finding = only(doctor.check_language_models, hosted)

    assert finding.status == "problem"
    assert "langchain-mistralai" in finding.found


def test_an_ollama_that_hangs_does_not_hang_the_doctor(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes the connection and says nothing counts as no answer."""
    monkeypatch.setattr(doctor, "_OLLAMA_PATIENCE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        finding = only(doctor.check_language_models, changed(settings, ollama_url=url))

    assert "no answer" in finding.found


def test_an_address_of_the_network_is_warned_of(settings: Settings) -> None:
    """Browsers give a microphone to localhost and https only."""
    assert only(doctor.check_microphone, settings).status == "ok"
    assert only(doctor.check_microphone, changed(settings, host="192.168.7.20")).status == "warning"


def test_settings_that_cannot_be_read_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor does not stumble over what it should examine."""
    monkeypatch.setenv("VIVA_WEB_PORT", "many")

    result = CliRunner().invoke(app, ["doctor", "--json"])

    assert result.exit_code == 1
    examination = json.loads(result.stdout)
    assert examination["healthy"] is False
    assert "web_port" in examination["findings"][0]["found"]


def test_a_warning_does_not_make_it_ill(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only problems count."""

    def warn(_settings: Settings) -> Iterator[CheckResult]:
        yield CheckResult(check="weather", status="warning", found="rain", advice="Take an umbrella.")

    monkeypatch.setattr(doctor, "CHECKS", (warn,))

    assert doctor.examine(settings).healthy


@pytest.mark.slow
def test_what_the_set_up_made_is_healthy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After the set-up every part is well, and the table says so."""
    for name, value in free_ports_settings(tmp_path / "data").as_environment().items():
        monkeypatch.setenv(name, value)

    result = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "200"})

    assert result.exit_code == 0, result.stdout
    assert "All is well." in result.stdout
    assert "says “Welcome.”" in result.stdout
