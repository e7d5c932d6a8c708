"""The Python packages: exactly those of the lock files beside what else is there, and which torch is taken."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from install import python_packages
from install.python_packages import (
    RUN_LOCK,
    TEST_MODEL_LOCK,
    TORCH_LOCK,
    TRAINING_LOCK,
    UV_LOCK,
    PythonPackages,
    torch_version,
)
from install.running import Runner, SetupError
from tests.install.scripted import ScriptedRunner
from tests.install.wheels import make_index, make_wheel

NOWHERE = "http://127.0.0.1:1"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone on Linux with an empty virtual environment, and with a folder of wheels in place of PyPI."""
    root = tmp_path / "clone"
    venv.create(root / ".venv", symlinks=True)
    (root / ".venv" / "bin" / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    (root / "pyproject.toml").write_text("[project]\n")
    for name, value in {
        "UV_FIND_LINKS": str(tmp_path / "wheels"),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_DEFAULT_INDEX": make_index(tmp_path / "pypi", "other", "1.0"),
        "UV_HTTP_RETRIES": "0",
        "UV_NO_CONFIG": "1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("install.python_packages.platform.system", lambda: "Linux")
    monkeypatch.setattr(python_packages, "check_disk", lambda *_: None)
    monkeypatch.setattr(python_packages, "CPU_INDEX", NOWHERE)
    return root


@pytest.fixture
def said() -> list[str]:
    """What the set-up said."""
    return []


@pytest.fixture
def packages(clone: Path, said: list[str]) -> PythonPackages:
    """The packages of the clone, installed by the real uv."""
    return PythonPackages(clone, Runner(clone / "log", said.append))


def lock(clone: Path, name: str, *wanted: str) -> None:
    """Make wheels ("tea-1.0") and a lock file that names them."""
    parts = (each.split("-") for each in wanted)
    (clone / name).write_text("".join(make_wheel(clone.parent / "wheels", *part) for part in parts))


def site(clone: Path) -> Path:
    """Where the packages are."""
    (folder,) = (clone / ".venv").glob("lib/python*/site-packages")
    return folder


def installed(clone: Path) -> set[str]:
    """What is installed, with versions."""
    return {path.name.removesuffix(".dist-info") for path in site(clone).glob("*.dist-info")}


def test_each_purpose_adds_its_packages_and_removes_none(clone: Path, packages: PythonPackages) -> None:
    """`make run` after `make test` is no to-and-fro, and what somebody installed besides stays."""
    lock(clone, RUN_LOCK, "tea-1.0", "cup-1.0")
    lock(clone, TRAINING_LOCK, "milk-1.0")
    lock(clone, TEST_MODEL_LOCK, "sugar-1.0")
    lock(clone, "mine.txt", "biscuit-3.0")
    for name in (RUN_LOCK, TRAINING_LOCK, TEST_MODEL_LOCK):
        assert packages.install_locked(name)
        assert not packages.install_locked(name)
    packages.uv_pip("install", "--python", packages.python, "--requirement=mine.txt")

    lock(clone, RUN_LOCK, "tea-2.0")

    assert packages.install_locked(RUN_LOCK)
    assert not packages.install_locked(TRAINING_LOCK)
    assert installed(clone) == {"tea-2.0", "cup-1.0", "milk-1.0", "sugar-1.0", "biscuit-3.0"}


def test_a_package_with_another_hash_is_refused(clone: Path, packages: PythonPackages) -> None:
    """What a registry gives is installed only when it is what was locked, and the next set-up asks again."""
    lock(clone, RUN_LOCK, "tea-1.0")
    make_wheel(clone.parent / "wheels", "tea", "1.0", "print('not what was locked')\n")

    with pytest.raises(SetupError, match=r"(?s)Hash mismatch.*uv could not install .* it goes on where it stopped"):
        packages.install_locked(RUN_LOCK)

    assert installed(clone) == set()
    lock(clone, RUN_LOCK, "tea-1.0")
    assert packages.install_locked(RUN_LOCK)
    assert installed(clone) == {"tea-1.0"}


def test_what_an_installation_was_interrupted_at_is_installed_again(clone: Path, packages: PythonPackages) -> None:
    """A package whose files are not all there is made whole, although uv itself takes it for installed."""
    lock(clone, RUN_LOCK, "tea-1.0", "cup-1.0")
    packages.install_locked(RUN_LOCK)
    (site(clone) / "tea.py").unlink()
    (site(clone) / "tea-1.0.dist-info" / "INSTALLER").unlink()
    (clone / ".venv" / "viva-set-up" / RUN_LOCK).unlink()

    assert packages.install_locked(RUN_LOCK)

    assert (site(clone) / "tea.py").exists()
    assert installed(clone) == {"tea-1.0", "cup-1.0"}


def test_packages_are_compiled_when_they_are_installed(
    clone: Path, packages: PythonPackages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Python may not keep what it compiles, no process has to do it again."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    lock(clone, RUN_LOCK, "tea-1.0")

    packages.install_locked(RUN_LOCK)

    assert list((site(clone) / "__pycache__").glob("tea.*.pyc"))


def test_torch_comes_from_pytorchs_own_index_where_it_answers(
    clone: Path, packages: PythonPackages, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build without CUDA is taken at the locked version, and that is said."""
    lock(clone, TORCH_LOCK, "nvidia-2.30", "torch-2.15.0")
    monkeypatch.setattr(python_packages, "CPU_INDEX", make_index(clone.parent / "cpu", "torch", "2.15.0+cpu"))

    assert packages.install_torch()
    assert not packages.install_torch()

    assert installed(clone) == {"torch-2.15.0+cpu"}
    assert any("took torch from PyTorch's CPU index" in line for line in said)


@pytest.mark.parametrize("answers", [False, True])
def test_torch_comes_from_pypi_where_that_has_none(
    answers: bool, clone: Path, packages: PythonPackages, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The locked build with CUDA is taken when the index does not answer or lacks it; what that costs is said."""
    lock(clone, TORCH_LOCK, "nvidia-2.30", "torch-2.15.0")
    monkeypatch.delenv("UV_FIND_LINKS")
    if answers:
        monkeypatch.setattr(python_packages, "CPU_INDEX", make_index(clone.parent / "cpu", "torch", "1.0"))
    (clone / TORCH_LOCK).write_text(f"--find-links {clone.parent / 'wheels'}\n" + (clone / TORCH_LOCK).read_text())

    assert packages.install_torch()

    assert installed(clone) == {"nvidia-2.30", "torch-2.15.0"}
    assert any("There is no torch to be had from PyTorch's CPU index" in line for line in said)
    assert any(".venv becomes 7.2 GB" in line for line in said)


def test_other_systems_are_not_sent_to_the_cpu_index(
    clone: Path, packages: PythonPackages, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS PyPI's torch has no CUDA in it."""
    lock(clone, TORCH_LOCK, "torch-2.15.0")
    monkeypatch.setattr("install.python_packages.platform.system", lambda: "Darwin")

    assert packages.install_torch()

    assert installed(clone) == {"torch-2.15.0"}
    assert said == []


def test_a_torch_that_is_there_is_kept(clone: Path, packages: PythonPackages, said: list[str]) -> None:
    """A build of the right version, from wherever, is not replaced."""
    lock(clone, "mine.txt", "torch-2.15.0+mine")
    packages.uv_pip("install", "--python", packages.python, "--requirement=mine.txt")
    lock(clone, TORCH_LOCK, "nvidia-2.30", "torch-2.15.0")

    assert packages.install_torch()
    assert installed(clone) == {"torch-2.15.0+mine"}
    assert said == []


def test_a_torch_that_cannot_be_imported_is_made_whole(clone: Path, packages: PythonPackages) -> None:
    """When an interruption left torch without a library of CUDA that it needs, that is installed."""
    (clone / TORCH_LOCK).write_text(
        make_wheel(clone.parent / "wheels", "nvidia", "2.30")
        + make_wheel(clone.parent / "wheels", "torch", "2.15.0", "import nvidia\n__version__ = '2.15.0'\n")
    )
    packages.uv_pip("install", "--python", packages.python, "--no-deps", "torch")

    packages.install_torch()

    assert installed(clone) == {"nvidia-2.30", "torch-2.15.0"}


def test_the_version_of_torch_is_read_from_its_lock() -> None:
    """Both ways of installing torch take the version of the one lock file."""
    assert torch_version("nvidia-nccl==2.30.7 \\\n    --hash=sha256:aa\ntorch==2.15.0 \\\n") == "2.15.0"
    with pytest.raises(SetupError, match="make lock"):
        torch_version("numpy==1\n")


@pytest.fixture
def runner(tmp_path: Path) -> ScriptedRunner:
    """A runner for which Python is there, in an environment that has no packages."""
    return ScriptedRunner(tmp_path / "log", {"python --version": "Python 3.11.7"})


def test_the_command_viva_is_made_once(clone: Path, runner: ScriptedRunner) -> None:
    """It is made from this folder, and again when the project says something else about it."""
    packages = PythonPackages(clone, runner)
    assert packages.install_viva()
    assert not packages.install_viva()
    assert runner.ran("--no-build-isolation --config-settings=editable_mode=compat --editable=.")

    (clone / "pyproject.toml").write_text("[project]\nname = 'viva'\n")

    assert packages.install_viva()


def test_uv_itself_is_installed_by_pip_and_its_own_lock(clone: Path, runner: ScriptedRunner) -> None:
    """An environment that works is kept, and uv is installed in it once, with hashes; another uv is no matter."""
    (clone / UV_LOCK).write_text("uv==0.13.9 \\\n    --hash=sha256:aa\n")
    packages = PythonPackages(clone, runner)

    assert packages.make_venv()
    assert not packages.make_venv()

    assert len(runner.commands) == 1
    assert runner.ran(f"-m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r {UV_LOCK}")


def test_a_broken_environment_is_made_anew(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose Python does not start (a removed Python) is replaced, stamps and all."""
    made: list[Path] = []
    monkeypatch.setattr("install.python_packages.venv.create", lambda folder, **_: made.append(folder))
    (clone / ".venv" / "mine").touch()

    assert PythonPackages(clone, ScriptedRunner(tmp_path / "log")).make_venv()

    assert made == [clone / ".venv"]
    assert not (clone / ".venv" / "mine").exists()


def test_a_mirror_that_pip_knows_is_told_to_uv(
    clone: Path, runner: ScriptedRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said to pip once counts for uv: its variables before its files, and what is said to uv before both."""
    monkeypatch.delenv("UV_DEFAULT_INDEX")
    monkeypatch.setenv("SSL_CERT_FILE", "/mine.crt")
    runner.answers["python -m pip config list"] = (
        ":env:.index-url='https://mirror.example/simple'\n:env:.timeout='60'\n"
        "global.cert='/company.crt'\nglobal.index-url='https://old.example/simple'\n"
    )

    PythonPackages(clone, runner).install_viva()

    assert runner.environments == [{"UV_DEFAULT_INDEX": "https://mirror.example/simple"}]
