"""Parent-death signal: starts a program so that it cannot outlive its supervisor.

A supervisor that is killed outright can stop nothing any more. On Linux the kernel does it: a process may ask for a
signal for when its parent dies, and keeps that wish when it becomes another program. This small step in between asks
for SIGKILL and then becomes the program. It imports nothing of Viva's, so that it costs milliseconds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its supervisor and become the program."""
    supervisor, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(supervisor):
        sys.exit("the supervisor ended before its part was started")
    try:
        os.execvp(command[0], command)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main()
