"""A real livekit-server for tests that need a room, without a worker and without the web."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from agent.processes.livekit_server import write_livekit_config
from agent.processes.stack import find_livekit_server, free_ports_settings
from agent.settings import Settings


@contextmanager
def running_livekit(folder: Path) -> Iterator[Settings]:
    """livekit-server on free ports, ready; ended by its pid."""
    settings = free_ports_settings(folder / "data")
    server = start_livekit(settings)
    try:
        yield settings
    finally:
        end_livekit(server)


def start_livekit(settings: Settings) -> subprocess.Popen[bytes]:
    """Start livekit-server with these settings, and wait until it answers."""
    config = write_livekit_config(settings)
    keys = f"{settings.livekit_key}: {settings.livekit_secret}"
    server = subprocess.Popen(
        [str(find_livekit_server()), "--config", str(config)],
        env={**os.environ, "LIVEKIT_KEYS": keys},
        stderr=subprocess.DEVNULL,
    )
    with httpx.Client(trust_env=False) as http:
        for _ in range(200):
            try:
                http.get(settings.livekit_http_url)
                break
            except httpx.TransportError:
                time.sleep(0.05)
    return server


def end_livekit(server: subprocess.Popen[bytes]) -> None:
    """End livekit-server at once; not by terminate(), which waits for whoever a failed test has left in a room."""
    server.kill()
    server.wait()
