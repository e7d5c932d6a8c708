"""PostgreSQL, for the tests that keep checkpoints in one; Viva itself needs none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from install.debian import install_package, may_install
from install.running import Runner, SetupError

DEBIAN_FOLDER = Path("/usr/lib/postgresql")


def find_postgres(debian: Path = DEBIAN_FOLDER) -> Path | None:
    """The folder of `initdb` and `postgres`: on PATH, or where Debian keeps them, the newest version first."""
    on_path = [Path(program).resolve().parent] if (program := shutil.which("postgres")) else []
    versions = sorted(
        debian.glob("*/bin"), key=lambda path: [int(part) for part in re.findall(r"\d+", path.parent.name)]
    )
    return next((folder for folder in [*on_path, *reversed(versions)] if (folder / "initdb").is_file()), None)


def install_postgres(runner: Runner, debian: Path = DEBIAN_FOLDER) -> bool:
    """Get PostgreSQL from Debian where this process may install packages.

    Raises:
        SetupError: there is none and it cannot be installed from here.

    """
    if find_postgres(debian):
        return False
    if not may_install():
        raise SetupError(
            "The tests of the checkpoints need PostgreSQL, and none is on PATH: install it, for instance with "
            "'sudo apt-get install postgresql' or 'brew install postgresql'"
        )
    failure = "PostgreSQL could not be installed; install it with 'apt-get install postgresql' and run this again."
    install_package("postgresql", runner, failure=failure)
    return True
