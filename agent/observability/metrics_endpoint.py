"""Metrics endpoint: `/metrics` of the web process, and a small server of the worker's own.

LiveKit can serve metrics itself (`prometheus_port`), but to anybody who reaches the port. Both places here let in
whoever hosts Viva: with the setting `host_token` by that token, without it from this machine only.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from agent.access import host_refusal
from agent.settings import Settings

_log = logging.getLogger(__name__)
_MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
_TEXT = "text/plain; charset=utf-8"
PATH = "/metrics"
_POLL_S = 0.1
"""How long the worker's server may take to notice that it is to stop."""


def refusal(settings: Settings, address: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
    """Why somebody may not read the metrics, as an HTTP status and a sentence; None when they may.

    Args:
        settings: `metrics` and `host_token` are used.
        address: Where the request came from.
        headers: Of the request, names in lower case.
    """
    if not settings.metrics:
        return 404, "Metrics are off (the setting metrics)."
    if refused := host_refusal(settings, address, headers):
        return 401 if refused.kind == "missing-token" else 403, refused.sentence
    return None


def metrics_routes(settings: Settings) -> APIRouter:
    """The route of the web process."""
    router = APIRouter(tags=["observability"])

    @router.get(PATH, include_in_schema=False)
    def metrics(request: Request) -> Response:
        address = request.client.host if request.client else ""
        status, media_type, body = _answer(settings, address, request.headers)
        return Response(body, status, media_type=media_type, headers=_headers(status))

    return router


@contextmanager
def serving_metrics(settings: Settings) -> Iterator[None]:
    """Serve the worker's metrics on `metrics_port`, in a thread, while the body runs.

    A port that is taken is no reason to hold no interviews: it is told, and the metrics are not served.
    """
    if not settings.metrics:
        yield
        return
    try:
        server = _Server(settings)
    except OSError as error:
        _log.warning(
            "the metrics are not served: port %d (metrics_port) cannot be used (%s)",
            settings.metrics_port,
            error.strerror,
        )
        yield
        return
    thread = threading.Thread(target=server.serve_forever, args=(_POLL_S,), name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def share_metrics_between_processes(settings: Settings) -> None:
    """Let a worker whose jobs are processes add up their metrics. Call it before prometheus_client is imported.

    Prometheus' library keeps them in files of a folder then, and decides that when it is imported.
    """
    if settings.metrics and settings.executor == "process":
        folder = settings.run_dir / "metrics"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        os.environ[_MULTIPROCESS] = str(folder)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__((settings.host, settings.metrics_port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def do_GET(self) -> None:
        if urlsplit(self.path).path != PATH:
            status, media_type, body = 404, _TEXT, f"There is only {PATH} here.\n".encode()
        else:
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, media_type, body = _answer(self.server.settings, self.client_address[0], headers)
        self.send_response(status)
        for name, value in {"Content-Type": media_type, "Content-Length": str(len(body)), **_headers(status)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: Prometheus comes every few seconds."""


def _answer(settings: Settings, address: str, headers: Mapping[str, str]) -> tuple[int, str, bytes]:
    refused = refusal(settings, address, headers)
    if refused is not None:
        status, sentence = refused
        return status, _TEXT, f"{sentence}\n".encode()
    return 200, *_exposition()


def _exposition() -> tuple[str, bytes]:
    """All metrics of this process, or of all job processes that share a folder with it."""
    from prometheus_client import (  # noqa: PLC0415 - see `share_metrics_between_processes`
        CONTENT_TYPE_LATEST,
        REGISTRY,
        CollectorRegistry,
        generate_latest,
    )
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    from agent.observability.metrics import process_metrics  # noqa: PLC0415

    process_metrics()  # so that they are there before the first interview
    if _MULTIPROCESS not in os.environ:
        return CONTENT_TYPE_LATEST, generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return CONTENT_TYPE_LATEST, generate_latest(registry)


def _headers(status: int) -> dict[str, str]:
    return {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004 - HTTP's number for it
