"""Lock files: exact versions and hashes of all packages, made anew from pyproject.toml by `make lock`.

uv resolves everything together, and then once more what runs Viva, at the same versions. What only training needs is in
two files of its own, which interviews do without: torch with its CUDA libraries, because the set-up takes torch from
elsewhere where it can, and the rest. So are uv itself and the language model that only tests use. No file names a
registry: who installs from a mirror says so in pip's own configuration.
"""

from __future__ import annotations

import re
import sys
import time
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

from install.python_packages import LOCKS, RUN_LOCK, TEST_MODEL_LOCK, TORCH_LOCK, TRAINING_LOCK, UV_LOCK, PythonPackages
from install.running import Runner, SetupError
from install.setup import ROOT, only_one
from install.stamps import write_whole

_NOT_TO_RUN = {"set-up": UV_LOCK, "training": TRAINING_LOCK, "test-model": TEST_MODEL_LOCK}
"""Extras of pyproject.toml that interviews do without, and where what they ask for is."""
_OF_TORCH = re.compile(r"torch|triton|nvidia-.+|cuda-.+")
_ENTRY = re.compile(r"^(?=[A-Za-z0-9])", re.MULTILINE)
_NAME = re.compile(r"^[A-Za-z0-9][\w.-]*", re.MULTILINE)


def divide(everything: str, to_run: Collection[str], asked: Mapping[str, str]) -> dict[str, str]:
    """Divide a lock file's text by what its packages are needed for; each entry whole, and in its order.

    Args:
        everything: as uv writes it.
        to_run: names of the packages that run Viva.
        asked: packages that pyproject.toml names besides, and the file of each.

    Returns:
        The text of each lock file.

    """
    locks = dict.fromkeys(LOCKS, "")
    for entry in filter(str.strip, _ENTRY.split(everything)):
        (name,) = _NAME.findall(entry)
        lock = RUN_LOCK if name in to_run else asked.get(name, TRAINING_LOCK)
        locks[TORCH_LOCK if lock == TRAINING_LOCK and _OF_TORCH.fullmatch(name) else lock] += entry
    return locks


def resolve(packages: PythonPackages, folder: Path, extras: Mapping[str, list[str]]) -> dict[str, str]:
    """Resolve what pyproject.toml asks for; the text of each lock file.

    Raises:
        SetupError: uv could not.

    """
    # Fixed options: every lock is made for all systems, and the oldest Python that Viva supports.
    command = ["compile", "pyproject.toml", "--universal", "--python-version=3.11", "--no-header", "--upgrade"]
    everything, to_run = folder / "everything.lock", folder / "to-run.lock"
    failure = "uv could not resolve the dependencies; its lines above say why. Nothing was changed."
    packages.uv_pip(*command, "--all-extras", "--generate-hashes", f"--output-file={everything}", failure=failure)
    running = [f"--extra={extra}" for extra in extras if extra not in _NOT_TO_RUN]
    packages.uv_pip(
        *command, *running, f"--constraints={everything}", "--no-annotate", f"--output-file={to_run}", failure=failure
    )
    asked = {name: lock for extra, lock in _NOT_TO_RUN.items() for name in _NAME.findall("\n".join(extras[extra]))}
    return divide(everything.read_text(encoding="utf-8"), _NAME.findall(to_run.read_text(encoding="utf-8")), asked)


def main() -> int:
    """Resolve all dependencies and write the lock files."""
    started = time.monotonic()
    tools = ROOT / ".tools"
    packages = PythonPackages(ROOT, Runner(tools / "lock.log"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        with only_one(tools):
            packages.make_venv()
            locks = resolve(packages, tools, project["optional-dependencies"])
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for name, text in locks.items():
        write_whole(ROOT / name, text)
    print(f"{', '.join(locks)} made in {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
