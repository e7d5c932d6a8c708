"""Request context of the HTTP API: a request's id, its session, a limit to its body, a line in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.http.problems import NOT_UTF_8, REQUEST_ID_HEADER, ProblemError
from agent.observability import bind

_log = logging.getLogger(__name__)

CORRELATION_ID_HEADER = "X-Correlation-ID"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def note_session(request: Request, session_id: str) -> None:
    """Say which session a request is about: the correlation id of its response and log line."""
    request.state.session_id = session_id


class Utf8Route(APIRoute):
    """Takes bodies in UTF-8 only. JSON's reader would guess at UTF-16 and UTF-32."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What FastAPI calls for a request."""
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            body = await request.body()
            try:
                body.decode("utf-8")
            except UnicodeDecodeError:
                raise ProblemError("not-utf-8", NOT_UTF_8) from None
            if b"\0" in body:
                raise ProblemError("not-utf-8", NOT_UTF_8)
            return await handle(request)

        return handled


class RequestContext:
    """ASGI middleware for everything below `/api`.

    A request's id is the client's `X-Request-ID` if it is up to 64 letters, digits, dots, hyphens and underscores, and
    made here otherwise. The body may be declared or turn out too large: reading stops where the limit is passed.

    Args:
        app: what is surrounded.
        max_body_bytes: how large a body may be.
        larger: how large one may be below some paths instead.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: int, larger: Mapping[str, int] | None = None) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes
        self._larger = dict(larger or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope)
        request_id = given.get(REQUEST_ID_HEADER, "")
        if not _SANE_ID.fullmatch(request_id):
            request_id = secrets.token_hex(10)
        scope.setdefault("state", {})["request_id"] = request_id
        answer = _Answer(scope, send, request_id)
        with bind(request_id=request_id):
            try:
                await self._app(scope, self._limited(receive, given, self._limit(scope["path"])), answer.send)
            finally:
                answer.log()

    def _limit(self, path: str) -> int:
        return next((limit for below, limit in self._larger.items() if path.startswith(below)), self._max_body_bytes)

    def _limited(self, receive: Receive, given: Headers, limit: int) -> Receive:
        declared = given.get("content-length", "")
        read = 0

        async def limited() -> Message:
            nonlocal read
            if declared.isdecimal() and int(declared) > limit:
                raise _too_large(limit)
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise _too_large(limit)
            return message

        return limited


def _too_large(limit: int) -> ProblemError:
    # What is left of the body is not read, so nothing else can come over this connection.
    sentence = f"The body is larger than the {limit:,} bytes that are accepted. Shorten it."
    return ProblemError("too-long", sentence, headers={"Connection": "close"})


class _Answer:
    """Follows a response on its way out: adds the ids, and remembers what to log."""

    def __init__(self, scope: Scope, send: Send, request_id: str) -> None:
        self._scope = scope
        self._send = send
        self._request_id = request_id
        self._status = 0
        self._started = time.monotonic()

    @property
    def _session_id(self) -> str:
        return str(self._scope["state"].get("session_id", ""))

    async def send(self, message: Message) -> None:
        """Pass a message of the response on."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[REQUEST_ID_HEADER] = self._request_id
            if self._session_id:
                headers[CORRELATION_ID_HEADER] = self._session_id
        await self._send(message)

    def log(self) -> None:
        """One line about the request, without a word of anybody's."""
        _log.info(
            "%s %s %s in %.0f ms",
            self._scope["method"],
            self._scope["path"],
            self._status or "unanswered",
            1000 * (time.monotonic() - self._started),
            extra={"interview_id": self._session_id, "status": self._status},
        )
