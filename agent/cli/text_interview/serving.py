"""A Viva of the interview's own: the web process alone, on a free port, with the settings in force."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from agent.cli.text_interview.client import ClientError
from agent.settings import PROJECT_DIR, Settings

_DIE_WITH_PARENT = Path(__file__).parents[2] / "processes" / "die_with_parent.py"
"""Keeps the web process from outliving this one, however this one ends."""
_READY_TIMEOUT_S = 60.0
_LOOK_S = 0.1
_GRACE_S = 10.0
_LAST_LINES = 5


@contextmanager
def own_viva(settings: Settings) -> Iterator[str]:
    """Start the web process, hand over its address when it answers, and stop it in any case.

    Args:
        settings: what it runs with; the port is another one, so that it gets in nobody's way.

    Raises:
        ClientError: it does not start; the message has its last lines.
    """
    url_settings = settings.model_copy(update={"web_port": _free_port(settings.host)})
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, str(_DIE_WITH_PARENT), str(os.getpid()), sys.executable, "-m", "agent.cli", "web"],
            cwd=PROJECT_DIR,
            env=_environment(url_settings),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            # Ctrl-C is for the client, which asks first; the server is stopped when the client is done.
            process_group=0,
        )
        try:
            if not is_ready(url_settings.web_url, process):
                output.seek(0)
                lines = output.read().strip().splitlines()[-_LAST_LINES:]
                raise ClientError("Viva's web process did not start: " + (" ".join(lines) or "it said nothing."))
            yield url_settings.web_url
        finally:
            _stop(process)


def _environment(settings: Settings) -> dict[str, str]:
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}
    return {**os.environ, **settings.as_environment(), **offline}


def _free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def is_ready(url: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the web process answers; False when it ended, or took too long."""
    deadline = time.monotonic() + _READY_TIMEOUT_S
    with httpx.Client(timeout=2, trust_env=False) as http:
        while process.poll() is None and time.monotonic() < deadline:
            try:
                if http.get(f"{url}/api/health").is_success:
                    return True
            except httpx.TransportError:
                time.sleep(_LOOK_S)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
