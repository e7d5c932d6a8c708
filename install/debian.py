"""Packages of Debian, where this process may install them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from install.prerequisites import is_debian
from install.running import Runner, SetupError

_LOCK_TIMEOUT_S = 300
_PAUSE_S = 5.0
_TRIES = int(_LOCK_TIMEOUT_S / _PAUSE_S)
_HELD = "Could not get lock"
"""What apt says, in English, when another one is at work."""


def may_install() -> bool:
    """Whether this is Debian or a descendant of it, and this process is root."""
    return is_debian() and os.geteuid() == 0


def install_package(package: str, runner: Runner, *, failure: str, pause: Callable[[float], None] = time.sleep) -> None:
    """Install a package, and wait while another program installs something.

    Args:
        package: its name.
        runner: runs apt-get.
        failure: what to tell when it fails: a sentence that says what to do.
        pause: sleeps for some seconds.

    Raises:
        SetupError: apt-get failed, or another program has been at work for five minutes.

    """
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", package]):
        for tries_left in reversed(range(_TRIES)):
            try:
                # apt-get waits for dpkg's lock by itself, but not for those of its lists and of its downloads.
                runner.run(
                    ["apt-get", "-o", f"DPkg::Lock::Timeout={_LOCK_TIMEOUT_S}", *arguments],
                    failure=failure,
                    environment={"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"},
                )
            except SetupError as error:
                if _HELD not in str(error) or not tries_left:
                    raise
                runner.say("      another program is installing something; waiting for it")
                pause(_PAUSE_S)
            else:
                break
