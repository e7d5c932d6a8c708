"""Packages of Debian: installed while nobody else does, and told how when this process may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from install.debian import install_package
from install.postgres import find_postgres, install_postgres
from install.running import SetupError
from install.telephones import install_telephones
from tests.install.scripted import ScriptedRunner


class BusyRunner(ScriptedRunner):
    """Another program holds apt's lock for the first commands."""

    def __init__(self, log: Path, busy: int) -> None:
        super().__init__(log)
        self.busy = busy

    def run(
        self,
        command: Sequence[str | Path],
        *,
        failure: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().run(command, failure=failure, cwd=cwd, environment=environment)
        if self.busy:
            self.busy -= 1
            raise SetupError(f"    E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7\n{failure}")


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any program."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def put_postgres(folder: Path) -> Path:
    """Make a folder of PostgreSQL's programs."""
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


def test_it_waits_while_another_program_installs(tmp_path: Path) -> None:
    """A lock that is held is asked for again after a pause, and whoever watches is told why nothing happens."""
    runner, pauses = BusyRunner(tmp_path / "log", busy=2), list[float]()

    install_package("tea", runner, failure="No tea.", pause=pauses.append)

    assert len(pauses) == 2
    assert "another program is installing something" in runner.said[0]
    assert [command.rpartition(" ")[2] for command in runner.commands] == ["update"] * 3 + ["tea"]
    assert all("DPkg::Lock::Timeout=300" in command for command in runner.commands)
    assert all(environment["LC_ALL"] == "C" for environment in runner.environments)


def test_it_does_not_wait_for_ever(tmp_path: Path) -> None:
    """After five minutes the sentence says what failed."""
    runner, pauses = BusyRunner(tmp_path / "log", busy=1000), list[float]()

    with pytest.raises(SetupError, match="No tea"):
        install_package("tea", runner, failure="No tea.", pause=pauses.append)

    assert 290 < sum(pauses) <= 300


def test_other_failures_are_told_at_once(tmp_path: Path) -> None:
    """Waiting helps against nothing but a lock."""
    runner, pauses = ScriptedRunner(tmp_path / "log"), list[float]()
    runner.failing.add("install -y")

    with pytest.raises(SetupError, match="No tea"):
        install_package("tea", runner, failure="No tea.", pause=pauses.append)

    assert pauses == []


def test_the_newest_postgres_of_debian_is_found(empty: Path) -> None:
    """Debian keeps each version in a folder of its own, none of them on PATH."""
    for version in ("9.6", "15", "17"):
        put_postgres(empty / "debian" / version / "bin")

    assert find_postgres(empty / "debian") == empty / "debian" / "17" / "bin"


def test_a_postgres_on_path_comes_first(empty: Path) -> None:
    """Who put one on PATH meant that one."""
    put_postgres(empty / "debian" / "15" / "bin")
    mine = put_postgres(empty / "bin")

    assert find_postgres(empty / "debian") == mine


def test_an_installed_postgres_is_used(empty: Path, tmp_path: Path) -> None:
    """Nothing is run when it is there."""
    runner = ScriptedRunner(tmp_path / "log")
    put_postgres(empty / "debian" / "15" / "bin")

    assert not install_postgres(runner, empty / "debian")
    assert runner.commands == []


@pytest.mark.parametrize(("user", "installed"), [(0, True), (1000, False)])
def test_postgres_comes_from_debian_where_that_is_allowed(
    user: int, installed: bool, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root gets the package, everybody else the sentence with the commands."""
    monkeypatch.setattr("install.debian.is_debian", lambda: True)
    monkeypatch.setattr("install.debian.os.geteuid", lambda: user)
    runner = ScriptedRunner(tmp_path / "log")

    if installed:
        assert install_postgres(runner, empty / "debian")
        assert runner.ran("install -y --no-install-recommends postgresql")
    else:
        with pytest.raises(SetupError, match="sudo apt-get install postgresql"):
            install_postgres(runner, empty / "debian")


def test_telephones_are_installed_where_they_are_missing(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian as root gets the packages of what is missing; anybody else is told their names."""
    monkeypatch.setattr("install.telephones._SYSTEM_FOLDERS", ())
    runner = ScriptedRunner(empty / "log")

    monkeypatch.setattr("install.telephones.may_install", lambda: True)
    assert install_telephones(runner)
    assert [command.rpartition(" ")[2] for command in runner.commands if "install" in command] == [
        "baresip-core",
        "kamailio",
        "sip-tester",
        "redis-tools",
    ]

    monkeypatch.setattr("install.telephones.may_install", lambda: False)
    with pytest.raises(SetupError, match="apt-get install baresip-core kamailio sip-tester redis-tools"):
        install_telephones(runner)
