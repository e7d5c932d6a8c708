"""Ollama for the tests: built once at the pinned version, unless one is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from install.ollama import OLLAMA_VERSION, build_ollama, find_ollama
from install.running import SetupError
from tests.install.scripted import ScriptedRunner


@pytest.fixture
def runner(tmp_path: Path) -> ScriptedRunner:
    """A runner on a machine that has Go."""
    return ScriptedRunner(tmp_path / "log", {"go env": "go1.26.8"})


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty tools folder, with a C++ compiler and nothing else on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    put_program(tmp_path / "bin", "g++")
    folder = tmp_path / ".tools"
    folder.mkdir()
    return folder


def put_program(folder: Path, name: str) -> None:
    """Make a program that does nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("machine", "flags"), [("x86_64", "-O3 -mavx2 -mfma -mf16c -mbmi2"), ("AMD64", "-O3 -mavx2 -mfma -mf16c -mbmi2")]
)
def test_it_is_built_at_the_pinned_version(
    machine: str, flags: str, tools: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows its version, uses what the processor can do, and is put in its place when it is whole."""
    monkeypatch.setattr("install.ollama.platform.machine", lambda: machine)
    runner.effects["go install"] = lambda: put_program(tools / "gobin", "ollama")

    assert build_ollama(tools, runner)

    assert runner.ran(f"version.Version={OLLAMA_VERSION} github.com/ollama/ollama@v{OLLAMA_VERSION}")
    assert runner.environments[0]["CGO_CXXFLAGS"] == runner.environments[0]["CGO_CFLAGS"] == flags
    assert find_ollama(tools) == tools / "ollama"
    assert not (tools / "gobin" / "ollama").exists()


def test_other_processors_get_no_flags_of_x86(
    tools: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that does not know a flag would stop."""
    monkeypatch.setattr("install.ollama.platform.machine", lambda: "arm64")
    runner.effects["go install"] = lambda: put_program(tools / "gobin", "ollama")

    build_ollama(tools, runner)

    assert runner.environments[0]["CGO_CFLAGS"] == "-O3"


def test_an_ollama_that_is_there_is_not_built(tools: Path, tmp_path: Path, runner: ScriptedRunner) -> None:
    """Neither the one from before nor an installed one, of whatever version, is built again."""
    runner.answers = {"ollama --version": f"Warning: client version is {OLLAMA_VERSION}"}
    assert not build_ollama(tools, runner)

    runner.answers = {}
    put_program(tmp_path / "bin", "ollama")

    assert not build_ollama(tools, runner)
    assert find_ollama(tools) == tmp_path / "bin" / "ollama"
    assert runner.commands == []


def test_a_missing_compiler_is_told(tools: Path, tmp_path: Path, runner: ScriptedRunner) -> None:
    """The sentence offers an installed Ollama and the compiler."""
    (tmp_path / "bin" / "g++").unlink()

    with pytest.raises(SetupError, match=r"install Ollama .*apt-get install g\+\+"):
        build_ollama(tools, runner)
    assert runner.commands == []


def test_nothing_is_found_where_nothing_is(tools: Path) -> None:
    """Tests that need it can say so."""
    assert find_ollama(tools) is None
