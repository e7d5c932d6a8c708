"""Telephones, for the tests of the phone line: baresip, SIPp for many calls, and Kamailio as the exchange between.

And Redis, in which livekit-server keeps what livekit-sip needs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from install.debian import install_package, may_install
from install.running import Runner, SetupError

REDIS = "redis-check-rdb"
"""The program that is redis-server when it is started by that name, in a package that starts no service."""
PROGRAMS = {"baresip": "baresip-core", "kamailio": "kamailio", "sipp": "sip-tester", REDIS: "redis-tools"}
"""Each with the package of Debian that it is in."""
_SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin")
"""Where Debian keeps Kamailio, and the PATH of a user does not look."""


def find_program(name: str) -> str | None:
    """Where one of `PROGRAMS` is."""
    beside = [str(Path(folder) / name) for folder in _SYSTEM_FOLDERS]
    return next((found for place in [name, *beside] if (found := shutil.which(place))), None)


def install_telephones(runner: Runner) -> bool:
    """Get those that are missing from Debian, where this process may install packages.

    Raises:
        SetupError: one is missing and cannot be installed from here.

    """
    missing = [package for program, package in PROGRAMS.items() if not find_program(program)]
    if missing and not may_install():
        raise SetupError(
            "The tests of the phone line need baresip, SIPp, Kamailio and Redis: install them, for instance with "
            f"'sudo apt-get install {' '.join(missing)}'"
        )
    for package in missing:
        failure = f"{package} could not be installed; install it with 'apt-get install {package}' and run this again."
        install_package(package, runner, failure=failure)
    return bool(missing)
