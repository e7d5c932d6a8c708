"""What is not Python: the built server, the pages and the browser are made once and again when they must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from install.programs import LIVEKIT_VERSION, build_livekit, build_pages, install_browser
from install.running import SetupError
from tests.install.scripted import ScriptedRunner


@pytest.fixture
def runner(tmp_path: Path) -> ScriptedRunner:
    """A runner on a machine that has Node.js and Go."""
    return ScriptedRunner(tmp_path / "log", {"node": "v22.0.0", "npm": "10.0.0", "go env": "go1.26.8"})


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty tools folder, and nothing on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    folder = tmp_path / ".tools"
    folder.mkdir()
    return folder


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The sources of pages."""
    folder = tmp_path / "pages"
    (folder / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "src/main.ts"):
        (folder / name).write_text(name)
    return folder


def put_program(folder: Path, name: str) -> None:
    """Make a program that does nothing."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)


def test_the_server_is_built_at_the_pinned_version_and_renamed(tools: Path, runner: ScriptedRunner) -> None:
    """Go names the program after its folder, `server`; it becomes livekit-server only when it is whole."""
    runner.effects["go install"] = lambda: put_program(tools / "gobin", "server")

    assert build_livekit(tools, runner)

    assert runner.ran(f"cmd/server@v{LIVEKIT_VERSION}")
    assert runner.environments[0] == {"GOBIN": str(tools / "gobin"), "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"}
    assert (tools / "livekit-server").is_file()
    assert not (tools / "gobin" / "server").exists()


def test_a_server_that_is_there_is_not_built(tools: Path, tmp_path: Path, runner: ScriptedRunner) -> None:
    """Neither the right one from before nor an installed one is built again, and Go is not asked for."""
    del runner.answers["go env"]
    runner.answers["livekit-server --version"] = f"livekit-server version {LIVEKIT_VERSION}"
    assert not build_livekit(tools, runner)

    del runner.answers["livekit-server --version"]
    put_program(tmp_path / "bin", "livekit-server")

    assert not build_livekit(tools, runner)
    assert runner.commands == []


def test_a_server_of_another_version_is_built_again(tools: Path, runner: ScriptedRunner) -> None:
    """After an update of Viva its livekit-server is updated too."""
    runner.answers["livekit-server --version"] = "livekit-server version 1.0.0"
    runner.effects["go install"] = lambda: put_program(tools / "gobin", "server")

    assert build_livekit(tools, runner)


def make_dist(pages: Path) -> None:
    """Do what the pages' build does."""
    (pages / "dist").mkdir(exist_ok=True)
    (pages / "dist" / "index.html").touch()
    (pages / "src" / "generated").mkdir(exist_ok=True)
    (pages / "src" / "generated" / "api.ts").touch()


def test_pages_are_installed_and_built_when_their_inputs_change(pages: Path, runner: ScriptedRunner) -> None:
    """Nothing happens the second time; a changed source is built, and changed packages are installed as well."""
    runner.effects = {"npm ci": (pages / "node_modules").mkdir, "run build": lambda: make_dist(pages)}
    assert build_pages(pages, runner)
    assert runner.commands == ["npm ci --no-audit --no-fund", "npm run build"]
    assert not build_pages(pages, runner)

    runner.effects, runner.commands = {}, []
    (pages / "src" / "main.ts").write_text("changed")
    assert build_pages(pages, runner)
    assert runner.commands == ["npm run build"]

    (pages / "package-lock.json").write_text("changed")
    assert build_pages(pages, runner)
    assert runner.commands == ["npm run build", "npm ci --no-audit --no-fund", "npm run build"]


def test_an_interrupted_build_is_done_again(pages: Path, runner: ScriptedRunner) -> None:
    """What was installed stays; what was not built is built."""
    runner.effects = {"npm ci": (pages / "node_modules").mkdir}
    runner.failing = {"run build"}
    with pytest.raises(SetupError, match="could not be built"):
        build_pages(pages, runner)

    runner.effects, runner.failing, runner.commands = {}, set(), []

    assert build_pages(pages, runner)
    assert runner.commands == ["npm run build"]


def test_node_is_not_asked_for_when_the_pages_are_built(pages: Path, runner: ScriptedRunner) -> None:
    """A machine that only runs Viva needs Node.js once."""
    runner.effects = {"npm ci": (pages / "node_modules").mkdir, "run build": lambda: make_dist(pages)}
    build_pages(pages, runner)

    runner.answers = {}

    assert not build_pages(pages, runner)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_an_installed_browser_is_used(name: str, tools: Path, tmp_path: Path, runner: ScriptedRunner) -> None:
    """Any of the usual names will do."""
    put_program(tmp_path / "bin", name)

    assert not install_browser(runner)
    assert runner.commands == []


def test_chromium_comes_from_debian_where_that_is_allowed(
    tools: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root on Debian, as in continuous integration, the package is installed."""
    monkeypatch.setattr("install.debian.is_debian", lambda: True)
    monkeypatch.setattr("install.debian.os.geteuid", lambda: 0)

    assert install_browser(runner)
    assert runner.commands == [
        "apt-get -o DPkg::Lock::Timeout=300 update",
        "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium",
    ]


def test_a_missing_browser_is_told_to_who_may_not_install_it(
    tools: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody else gets the sentence with the commands."""
    monkeypatch.setattr("install.debian.is_debian", lambda: True)
    monkeypatch.setattr("install.debian.os.geteuid", lambda: 1000)

    with pytest.raises(SetupError, match="sudo apt-get install chromium"):
        install_browser(runner)
