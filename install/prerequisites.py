"""What has to be on the machine already, each with a sentence for when it is not."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import sys
from pathlib import Path

from install.running import Runner, SetupError

NODE_NEEDED = (20, 19)
GO_NEEDED = (1, 26)
GO_THAT_FETCHES_ITSELF = (1, 21)
"""From this version on Go gets a newer toolchain by itself when asked."""
GIGABYTE = 10**9


def version_in(text: str) -> tuple[int, int]:
    """The first major and minor version in a program's answer; (0, 0) when there is none."""
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def check_venv_module() -> None:
    """Raise SetupError when this Python cannot make virtual environments (Debian packages that separately)."""
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupError(
            f"Python {version} is here without its venv module: install it with 'apt-get install python{version}-venv'"
        )


def check_node(runner: Runner) -> None:
    """Raise SetupError when there is no Node.js that can build the pages."""
    wanted = "Viva's pages are built with Node.js 20.19 or newer and npm"
    how = "install them with 'apt-get install nodejs npm', 'brew install node' or from https://nodejs.org"
    answer = runner.output(["node", "--version"])
    if answer is None:
        raise SetupError(f"{wanted}, and there is no node on PATH: {how}")
    if version_in(answer) < NODE_NEEDED:
        raise SetupError(f"{wanted}, and node is {answer}: {how}")
    if runner.output(["npm", "--version"]) is None:
        raise SetupError(f"{wanted}, and there is no npm on PATH: {how}")


def go_toolchain(runner: Runner, program: str, how: str) -> str:
    """The value of GOTOOLCHAIN to build a program with.

    Args:
        runner: Asks Go for its version.
        program: What is built.
        how: What to do to have the program without building it.

    Raises:
        SetupError: there is no Go, or it is too old to fetch a newer one by itself.

    """
    wanted = f"There is no {program} on PATH, and building it needs Go 1.26 or newer"
    how = f"{how} or Go (https://go.dev/dl/)"
    answer = runner.output(["go", "env", "GOVERSION"])
    if answer is None:
        raise SetupError(f"{wanted}; there is no go on PATH: {how}")
    version = version_in(answer)
    if version >= GO_NEEDED:
        return "local"
    if version >= GO_THAT_FETCHES_ITSELF:
        return f"go{GO_NEEDED[0]}.{GO_NEEDED[1]}.0"
    raise SetupError(f"{wanted}; go is {answer}: {how}")


def check_disk(folder: Path, needed_gb: float, what: str) -> None:
    """Raise SetupError when a folder's disk has less room than a step needs."""
    free_gb = shutil.disk_usage(folder).free / GIGABYTE
    if free_gb < needed_gb:
        raise SetupError(
            f"{what} needs about {needed_gb:g} GB, and the disk of {folder} has {free_gb:.1f} GB left: free some "
            "space, or clone Viva onto another disk"
        )


def is_debian() -> bool:
    """Whether apt-get is this system's package manager."""
    return platform.system() == "Linux" and shutil.which("apt-get") is not None
