"""Ollama, for the tests that talk to a real one; Viva itself uses the Ollama that is there."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from install.prerequisites import check_disk, go_toolchain
from install.running import Runner, SetupError

OLLAMA_VERSION = "0.11.4"
"""The newest that is whole as a Go module: zips of later ones lack files that they need."""
_MODULE = f"github.com/ollama/ollama@v{OLLAMA_VERSION}"
_FAST_ON_X86 = "-O3 -mavx2 -mfma -mf16c -mbmi2"
_DISK_GB = 1
_HOW = "install Ollama (https://ollama.com/download, 'brew install ollama')"


def find_ollama(tools: Path) -> Path | None:
    """The program: an installed one, or the one that was built for the tests."""
    found = shutil.which("ollama") or shutil.which(tools / "ollama")
    return Path(found) if found else None


def build_ollama(tools: Path, runner: Runner) -> bool:
    """Build Ollama, unless one is installed or was built before.

    Raises:
        SetupError: there is no Go, no C++ compiler or no room, or it could not be built.

    """
    target = tools / "ollama"
    if shutil.which("ollama") or OLLAMA_VERSION in (runner.output([target, "--version"]) or ""):
        return False
    toolchain = go_toolchain(runner, "ollama", _HOW)
    if not any(map(shutil.which, ("c++", "g++", "clang++"))):
        raise SetupError(
            f"There is no ollama on PATH, and building it needs a C++ compiler: {_HOW} or a compiler, for instance "
            "with 'apt-get install g++'"
        )
    check_disk(tools, _DISK_GB, "Building Ollama")
    folder = tools / "gobin"
    flags = _FAST_ON_X86 if platform.machine().lower() in {"x86_64", "amd64"} else "-O3"
    runner.say("      this takes about two minutes on two cores")
    runner.run(
        ["go", "install", "-ldflags", f"-s -w -X=github.com/ollama/ollama/version.Version={OLLAMA_VERSION}", _MODULE],
        failure="Ollama could not be built. Check the network and run the same command again: it goes on where it "
        f"stopped. Or {_HOW}.",
        environment={
            "GOBIN": str(folder),
            "CGO_ENABLED": "1",
            "CGO_CFLAGS": flags,
            "CGO_CXXFLAGS": flags,
            "GOTOOLCHAIN": toolchain,
        },
    )
    (folder / "ollama").replace(target)
    return True
