"""Virtual environment: Viva's own Python, and the packages of the lock files, which uv installs into it.

Packages are added and brought to their locked versions; none is removed. So `make run` after `make test` leaves what
only tests need, and what somebody installed besides (the library of another language model) stays.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import venv
from collections.abc import Callable
from pathlib import Path

from install.prerequisites import check_disk, check_venv_module
from install.running import Runner, SetupError
from install.stamps import key_of, once

RUN_LOCK, UV_LOCK, TORCH_LOCK, TRAINING_LOCK, TEST_MODEL_LOCK = LOCKS = (
    "requirements.lock",
    "requirements-uv.lock",
    "requirements-torch.lock",
    "requirements-training.lock",
    "requirements-test-model.lock",
)
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# Measured on Linux x86-64, with room to spare; uv's cache shares the disk space of what it installs.
_DISK_WITH_CUDA_GB = 7
_DISK_GB = {RUN_LOCK: 3, TRAINING_LOCK: 1, TEST_MODEL_LOCK: 1.5}
_AGAIN = "Check the network and run the same command again: it goes on where it stopped."
_FAILURE = f"uv could not install what the set-up needs. {_AGAIN}"
_FROM_PIP = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
"""uv's variables for what a mirror's users write into pip's configuration, which uv does not read."""


class PythonPackages:
    """The steps that fill `.venv`."""

    def __init__(self, root: Path, runner: Runner) -> None:
        self._root = root
        self._runner = runner
        self._venv = root / ".venv"
        self.python = self._venv / "bin" / "python"

    def make_venv(self) -> bool:
        """Make the virtual environment, with uv in it; one that a removed Python broke is made anew."""
        made = not self.python.exists() or self._version() is None
        if made:
            check_venv_module()
            if self._venv.exists():
                shutil.rmtree(self._venv)
            venv.create(self._venv, with_pip=True, symlinks=True)
        return self._once("uv", self._install_uv, self._root / UV_LOCK) or made

    def install_locked(self, name: str) -> bool:
        """Install the packages of a lock file, each at the version and with a hash that the file names."""

        def install() -> None:
            check_disk(self._root, _DISK_GB[name], f"The set-up of the packages of {name}")
            self._install("--require-hashes", f"--requirement={name}")

        return self._once(name, install, self._root / name)

    def install_torch(self) -> bool:
        """Install torch without the CUDA libraries where PyTorch's own index can be reached, else from PyPI.

        What torch imports has to be there: one that cannot be imported is installed again.
        """
        lock = self._root / TORCH_LOCK

        def install() -> None:
            version = torch_version(lock.read_text(encoding="utf-8"))
            if not self._has_torch(version) and not self._install_cpu_torch(version):
                self._install_pypi_torch()

        return self._once("torch", install, lock)

    def install_viva(self) -> bool:
        """Make the `viva` command, from the sources in this folder."""

        def install() -> None:
            # "compat" puts this folder on the path. The other way lists every package that exists at this moment,
            # node_modules among them, and knows nothing of one that is added later.
            self._install("--no-build-isolation", "--config-settings=editable_mode=compat", "--editable=.")

        return self._once("viva", install, self._root / "pyproject.toml", str(self._root))

    def uv_pip(self, *arguments: str | Path, failure: str = _FAILURE) -> None:
        """Run a command of `uv pip` in the clone's folder, with the registry that pip was told of.

        Raises:
            SetupError: the command failed.

        """
        told = self._runner.output([self.python, "-m", "pip", "config", "list"]) or ""
        # pip tells of its variables first, and they count more than its files.
        settings = reversed(re.findall(r"\.(index-url|cert)='(.*)'$", told, re.MULTILINE))
        self._runner.run(
            [self._venv / "bin" / "uv", "pip", *arguments],
            failure=failure,
            cwd=self._root,
            environment={_FROM_PIP[name]: value for name, value in settings if _FROM_PIP[name] not in os.environ},
        )

    def _install_uv(self) -> None:
        self._forget_half_installed()
        self._runner.run(
            [self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-deps",
             "--require-hashes", "-r", UV_LOCK],
            failure=f"pip could not install uv, which installs all else. {_AGAIN}",
            cwd=self._root,
        )  # fmt: skip

    def _install(self, *arguments: str, failure: str = _FAILURE) -> None:
        self._forget_half_installed()
        # Compiled here, since many containers forbid Python to keep what it compiles: every process would do it again.
        self.uv_pip("install", "--python", self.python, "--no-deps", "--compile-bytecode", *arguments, failure=failure)

    def _has_torch(self, version: str) -> bool:
        """Whether a torch of this version is there, from wherever, with all that it needs to be imported."""
        found = self._runner.output([self.python, "-c", "import torch; print(torch.__version__.partition('+')[0])"])
        return found == version

    def _install_cpu_torch(self, version: str) -> bool:
        if platform.system() != "Linux":
            return False  # PyPI has no CUDA in it for other systems
        try:
            self._install(
                "--reinstall", f"--default-index={CPU_INDEX}", f"torch=={version}",
                failure=f"There is no torch to be had from PyTorch's CPU index ({CPU_INDEX}).",
            )  # fmt: skip
        except SetupError as error:
            self._runner.say(str(error))
            return False
        self._runner.say("      took torch from PyTorch's CPU index: no CUDA libraries, several GB less on disk")
        return True

    def _install_pypi_torch(self) -> None:
        if platform.system() == "Linux":
            check_disk(self._root, _DISK_WITH_CUDA_GB, "torch from PyPI")
            self._runner.say(
                "      taking torch from PyPI: it brings CUDA libraries that Viva does not use; .venv becomes 7.2 GB. "
                "To save about 5 GB where PyTorch's index can be reached, run '.venv/bin/uv cache clean', delete .venv "
                "and run this again"
            )
        self._install("--require-hashes", f"--requirement={TORCH_LOCK}")

    def _forget_half_installed(self) -> None:
        """Have installed again what an installation was interrupted at.

        Neither uv nor pip looks whether a package is whole. Both write its INSTALLER when all its files are there; uv
        puts its RECORD there before.
        """
        for metadata in self._venv.glob("lib/python*/site-packages/*.dist-info"):
            if not (metadata / "INSTALLER").exists():
                shutil.rmtree(metadata)

    def _once(self, stamp: str, install: Callable[[], None], *inputs: str | Path) -> bool:
        return once(self._venv / "viva-set-up" / stamp, key_of(*inputs, str(self._version())), install)

    def _version(self) -> str | None:
        return self._runner.output([self.python, "--version"])


def torch_version(lock: str) -> str:
    """The version of torch that a lock file names."""
    found = re.search(r"^torch==([\w.]+)", lock, re.MULTILINE)
    if not found:
        raise SetupError(f"{TORCH_LOCK} names no version of torch: make it again with 'make lock'")
    return found[1]
