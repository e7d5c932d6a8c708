"""Web server of a test: an application behind a real socket, for browsers and for clients that block."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from fastapi import FastAPI

ENDS_WITHIN_S = 10


@contextmanager
def served(app: FastAPI, port: int = 0) -> Iterator[str]:
    """Serve in a thread of its own, on a free port unless one is named. The address, once it answers.

    A test that fails ends the server as well, and a server that does not end cannot keep the test run from its end.
    """
    config = uvicorn.Config(app, port=port, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            pytest.fail("the web server of this test did not start")
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(ENDS_WITHIN_S)
