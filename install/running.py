"""Running other programs for the set-up: into a log, with a sign of life, and with their last lines when they fail."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SIGN_OF_LIFE_S = 15.0
_SHOWN_LINES = 15
_SHOWN_COLUMNS = 100


class SetupError(RuntimeError):
    """The set-up cannot go on; the message says what failed and what to do."""


class Runner:
    """Runs programs; tests give the set-up one that only notes what it was asked."""

    def __init__(self, log: Path, say: Callable[[str], None] = print) -> None:
        self.say = say
        self._log = log

    def run(
        self,
        command: Sequence[str | Path],
        *,
        failure: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Run a program to its end; what it writes goes into the log.

        Args:
            command: The program and its arguments.
            failure: What to tell when it fails: a sentence that says what to do.
            cwd: Folder that it runs in.
            environment: Added to this process's own.

        Raises:
            SetupError: it cannot be started or its exit code is not 0.

        """
        self._log.parent.mkdir(parents=True, exist_ok=True)
        last: deque[str] = deque(maxlen=_SHOWN_LINES)
        with self._log.open("a", encoding="utf-8", buffering=1) as log:
            log.write(f"\n$ {' '.join(map(str, command))}\n")
            try:
                process = subprocess.Popen(
                    [str(part) for part in command],
                    cwd=cwd,
                    env={**os.environ, "NO_COLOR": "1", **(environment or {})},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                )
            except OSError as error:
                raise SetupError(f"{command[0]} cannot be started ({error.strerror}). {failure}") from None
            code = self._follow(process, last, log.write)
        if code != 0:
            shown = "\n".join(f"    {line}" for line in last)
            raise SetupError(f"{shown}\n{failure} (exit code {code}; everything it wrote is in {self._log})")

    def output(self, command: Sequence[str | Path]) -> str | None:
        """What a program writes to its standard output; None when it is missing or fails."""
        try:
            done = subprocess.run(
                [str(part) for part in command],
                capture_output=True, text=True, errors="replace", timeout=60, check=False, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    def _follow(self, process: subprocess.Popen[str], last: deque[str], write: Callable[[str], object]) -> int:
        def read() -> None:
            assert process.stdout is not None
            with process.stdout as lines:
                for line in lines:
                    write(line)
                    if line.strip():
                        last.append(line.rstrip())

        reader = threading.Thread(target=read)
        reader.start()
        started = time.monotonic()
        try:
            while True:
                reader.join(SIGN_OF_LIFE_S)
                if not reader.is_alive():
                    return process.wait()
                latest = last[-1].strip()[:_SHOWN_COLUMNS] if last else "nothing written yet"
                self.say(f"      {time.monotonic() - started:.0f} s: {latest}")
        except BaseException:
            # Ctrl-C: the program got it as well, being in the terminal's group; only the unwilling are ended here.
            process.terminate()
            process.wait()
            raise
