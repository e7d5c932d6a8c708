"""The Python packages: which torch is taken, what is installed again, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from install import python_packages
from install.python_packages import CPU_INDEX, PythonPackages, answers, torch_version
from install.running import SetupError
from tests.install.scripted import ScriptedRunner

TORCH_LOCK = "nvidia-nccl==2.30.7 \\\n    --hash=sha256:aa\ntorch==2.15.0 \\\n    --hash=sha256:bb\n"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone on Linux with lock files and an empty virtual environment."""
    (tmp_path / "requirements-torch.lock").write_text(TORCH_LOCK)
    (tmp_path / "requirements.lock").write_text("rich==15.0.0 \\\n    --hash=sha256:cc\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    monkeypatch.setattr("install.python_packages.platform.system", lambda: "Linux")
    monkeypatch.setattr(python_packages, "check_disk", lambda *_: None)
    return tmp_path


@pytest.fixture
def runner(tmp_path: Path) -> ScriptedRunner:
    """A runner for which Python is there and has no packages."""
    return ScriptedRunner(tmp_path / "log", {"python --version": "Python 3.11.7"})


def reachable(monkeypatch: pytest.MonkeyPatch, *, yes: bool) -> None:
    """Let PyTorch's own index answer or not."""
    monkeypatch.setattr(python_packages, "answers", lambda url: yes and url == f"{CPU_INDEX}/torch/")


def test_torch_comes_from_pytorchs_own_index_where_it_answers(
    clone: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build without CUDA is taken at the locked version, and that is said."""
    reachable(monkeypatch, yes=True)

    assert PythonPackages(clone, runner).install_torch()

    assert [f"--index-url {CPU_INDEX} torch==2.15.0" in command for command in runner.commands] == [True]
    assert any("took torch from PyTorch's CPU index" in line for line in runner.said)


def test_torch_comes_from_pypi_where_that_does_not_answer(
    clone: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build with CUDA is taken with the hashes of the lock, and it is said what that costs."""
    reachable(monkeypatch, yes=False)

    PythonPackages(clone, runner).install_torch()

    assert len(runner.commands) == 1
    assert runner.ran(f"--no-deps --require-hashes --requirement {clone / 'requirements-torch.lock'}")
    assert any("does not answer" in line for line in runner.said)
    assert any(".venv becomes 7.2 GB" in line for line in runner.said)


def test_torch_comes_from_pypi_when_the_index_answers_and_fails(
    clone: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that has a page and no package is no dead end."""
    reachable(monkeypatch, yes=True)
    runner.failing = {CPU_INDEX}

    PythonPackages(clone, runner).install_torch()

    assert runner.ran("--require-hashes")
    assert any("could not be installed from it" in line for line in runner.said)


def test_other_systems_are_not_sent_to_the_cpu_index(
    clone: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS PyPI's torch has no CUDA in it."""
    reachable(monkeypatch, yes=True)
    monkeypatch.setattr("install.python_packages.platform.system", lambda: "Darwin")

    PythonPackages(clone, runner).install_torch()

    assert not runner.ran(CPU_INDEX)


def test_a_torch_that_is_there_is_kept(clone: Path, runner: ScriptedRunner) -> None:
    """A build of the right version, from wherever, is not replaced."""
    runner.answers["python -c"] = "2.15.0"

    assert PythonPackages(clone, runner).install_torch()
    assert runner.commands == []


def test_nothing_is_installed_twice(clone: Path, runner: ScriptedRunner) -> None:
    """A second set-up finds its stamps and does nothing; a changed lock is installed."""
    packages = PythonPackages(clone, runner)
    assert packages.install_locked()
    assert packages.install_viva()
    assert not packages.install_locked()
    assert not packages.install_viva()

    (clone / "requirements.lock").write_text("rich==16.0.0\n")

    assert packages.install_locked()
    assert not packages.install_viva()


def test_a_failed_installation_is_tried_again(clone: Path, runner: ScriptedRunner) -> None:
    """Without a stamp the next set-up does the step again."""
    packages = PythonPackages(clone, runner)
    runner.failing = {"requirements.lock"}
    with pytest.raises(SetupError, match="it goes on where it stopped"):
        packages.install_locked()

    runner.failing = set()

    assert packages.install_locked()


def test_what_pip_was_interrupted_at_is_installed_again(clone: Path, runner: ScriptedRunner) -> None:
    """A package whose RECORD was never written is forgotten, so that pip does not take it for installed."""
    site = clone / ".venv" / "lib" / "python3.11" / "site-packages"
    for name, files in {"half-1.0.dist-info": ["METADATA"], "whole-1.0.dist-info": ["METADATA", "RECORD"]}.items():
        (site / name).mkdir(parents=True)
        for file in files:
            (site / name / file).touch()

    PythonPackages(clone, runner).install_locked()

    assert [entry.name for entry in site.iterdir()] == ["whole-1.0.dist-info"]


def test_a_broken_environment_is_made_anew(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose Python does not start (a moved folder, a removed Python) is replaced, stamps and all."""
    made: list[Path] = []
    monkeypatch.setattr("install.python_packages.venv.create", lambda folder, **_: made.append(folder))
    (clone / ".venv" / "viva-set-up").mkdir()

    assert PythonPackages(clone, ScriptedRunner(tmp_path / "log")).make_venv()

    assert made == [clone / ".venv"]
    assert not (clone / ".venv").exists()


def test_an_environment_that_works_is_kept(clone: Path, runner: ScriptedRunner) -> None:
    """Nothing is made where there is one."""
    assert not PythonPackages(clone, runner).make_venv()


def test_the_version_of_torch_is_read_from_its_lock() -> None:
    """Both ways of installing torch take the version of the one lock file."""
    assert torch_version(TORCH_LOCK) == "2.15.0"
    with pytest.raises(SetupError, match="make lock"):
        torch_version("numpy==1\n")


def test_an_index_that_cannot_be_reached_does_not_answer() -> None:
    """A refused connection and nonsense are both no answer."""
    assert not answers("http://127.0.0.1:1/torch/")
    assert not answers("nonsense")


@pytest.mark.parametrize(
    ("lock_name", "install"),
    [
        ("requirements-training.lock", PythonPackages.install_training),
        ("requirements-test-model.lock", PythonPackages.install_test_model),
    ],
)
def test_what_only_some_need_is_installed_once_and_by_its_own_lock(
    clone: Path, runner: ScriptedRunner, lock_name: str, install: Callable[[PythonPackages], bool]
) -> None:
    """Its packages have hashes of their own, and a second set-up leaves them alone until their lock changes."""
    lock = clone / lock_name
    lock.write_text("a-package==0.9.0 \\\n    --hash=sha256:dd\n")
    packages = PythonPackages(clone, runner)

    assert install(packages)
    assert runner.ran(f"--no-deps --require-hashes --requirement {lock}")
    assert not install(packages)

    lock.write_text(lock.read_text() + "# changed\n")
    assert install(packages)
