"""Make the lock files anew from pyproject.toml: `make lock`, which runs `python3 -m install.lock`.

Whatever is needed only by the extra `training` is in two lock files of its own, which interviews do without: torch with
its CUDA libraries, because the set-up takes torch from elsewhere where it can, and the rest. So is the language model
that only tests use. No file names a registry: who installs from a mirror says so in pip's own configuration.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

from install.running import Runner, SetupError
from install.setup import ROOT

_UV_VERSION = "0.13.9"
_TORCH = re.compile(r"(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z0-9-]+)==")
_ENTRY = re.compile(r"^(?=[A-Za-z0-9])", re.MULTILINE)
_NAME = re.compile(r"[\w.-]+")
_WANTED_BY = re.compile(r"^    #(?: via|  ) ([\w.-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What pyproject.toml asks for, as names of packages."""

    to_run: frozenset[str]
    """All but what follows."""
    data: frozenset[str]
    """Packages that only hold a model. What they themselves ask for is not installed: their code is never run."""
    test_model: frozenset[str]

    @staticmethod
    def read(pyproject: str) -> Wanted:
        """The names in the text of pyproject.toml."""
        project = tomllib.loads(pyproject)["project"]
        extras = {extra: _names(wanted) for extra, wanted in project["optional-dependencies"].items()}
        training, data, test_model = (extras.pop(extra) for extra in ("training", "models", "test-model"))
        to_run = _names(project["dependencies"]).union(*extras.values())
        both = to_run & training
        if both:
            raise ValueError(f"pyproject.toml asks for {', '.join(sorted(both))} twice: to run, and to train")
        return Wanted(to_run, data, test_model)


@dataclass(frozen=True, slots=True)
class Locks:
    """The text of each lock file."""

    run: str
    torch: str
    training: str
    test_model: str

    def by_name(self) -> dict[str, str]:
        """Names of the files and what is in them."""
        return {
            "requirements.lock": self.run,
            "requirements-torch.lock": self.torch,
            "requirements-training.lock": self.training,
            "requirements-test-model.lock": self.test_model,
        }


def split(lock: str, wanted: Wanted) -> Locks:
    """Divide a lock file's text by what its packages are needed for; each entry whole, and in its order.

    Args:
        lock: as uv writes it, with the reasons ("via") why each package is there.
        wanted: what pyproject.toml asks for.
    """
    entries = [(normalised(_NAME.match(entry)), entry) for entry in filter(str.strip, _ENTRY.split(lock))]
    wanted_by: dict[str, set[str]] = {}
    for name, entry in entries:
        wanted_by.setdefault(name, set()).update(map(normalised, _WANTED_BY.finditer(entry)))
    to_run = _needed(wanted_by, wanted)
    sides: dict[str, list[str]] = {"run": [], "torch": [], "training": [], "test_model": []}
    for name, entry in entries:
        if name in wanted.test_model:
            side = "test_model"
        elif name in to_run:
            side = "run"
        else:
            side = "torch" if _TORCH.match(entry) else "training"
        sides[side].append(entry)
    return Locks(**{side: "".join(texts) for side, texts in sides.items()})


def _needed(wanted_by: dict[str, set[str]], wanted: Wanted) -> set[str]:
    """What has to be installed to run Viva, with all that it needs in its turn."""
    needed = set(wanted.to_run | wanted.data)
    while True:
        askers = needed - wanted.data
        more = {name for name, reasons in wanted_by.items() if reasons & askers} - needed
        if not more:
            return needed
        needed |= more


def _names(requirements: list[str]) -> frozenset[str]:
    return frozenset(normalised(_NAME.match(each)) for each in requirements)


def normalised(found: re.Match[str] | None) -> str:
    """The name at the end of a match, spelled as registries compare names."""
    return re.sub(r"[-_.]+", "-", found[found.lastindex or 0]).lower() if found else ""


def main() -> int:
    """Resolve all dependencies and write the lock files."""
    started = time.monotonic()
    tools = ROOT / ".tools"
    try:
        uv = _uv(tools, Runner(tools / "lock.log"))
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    # Fixed options: every lock is made for all extras, all systems, and the oldest Python that Viva supports.
    resolved = subprocess.run(
        [uv, "pip", "compile", "--quiet", "--all-extras", "--universal", "--python-version", "3.11",
         "--generate-hashes", "--no-header", "pyproject.toml"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if resolved.returncode != 0:
        sys.stderr.write("uv could not resolve the dependencies; its lines above say why. Nothing was changed.\n")
        return 1
    locks = split(resolved.stdout, Wanted.read((ROOT / "pyproject.toml").read_text(encoding="utf-8"))).by_name()
    for name, text in locks.items():
        (ROOT / name).write_text(text, encoding="utf-8")
    print(f"{', '.join(locks)} made in {time.monotonic() - started:.0f} s")
    return 0


def _uv(tools: Path, runner: Runner) -> Path:
    """Provide uv in a small environment of its own, so that the lock does not depend on what it locks."""
    folder = tools / "uv"
    uv = folder / "bin" / "uv"
    if _UV_VERSION not in (runner.output([uv, "--version"]) or ""):
        venv.create(folder, with_pip=True, clear=True, symlinks=True)
        runner.run(
            [folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check", f"uv=={_UV_VERSION}"],
            failure="uv, which makes the lock files, could not be installed. Check the network and try again.",
        )
    return uv


if __name__ == "__main__":
    sys.exit(main())
