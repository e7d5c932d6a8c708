"""Viva's web process as a process of its own, for tests of interviews by text; mark such tests slow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from agent.cli.text_interview.serving import is_ready
from agent.settings import PROJECT_DIR, Settings


def environment(settings: Settings) -> dict[str, str]:
    """Of a process with exactly these settings."""
    return {**os.environ, **settings.as_environment(), "COLUMNS": "200"}


@contextmanager
def web_process(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """The web process, ready."""
    process = subprocess.Popen([sys.executable, "-m", "agent.cli", "web"], env=environment(settings), cwd=PROJECT_DIR)
    try:
        assert is_ready(settings.web_url, process)
        yield process
    finally:
        process.kill()
        process.wait()
