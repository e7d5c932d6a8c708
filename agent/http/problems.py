"""Problem details (RFC 9457): what goes wrong over HTTP, a type that programs tell apart, a sentence for people."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as StarletteHTTPException

from agent.phone.database import PhoneStoreError
from rag.profiles.errors import ProfileError
from review import RecordError

PREFIX = "/api/v1"
"""Path of the interview API."""
MEDIA_TYPE = "application/problem+json"
REQUEST_ID_HEADER = "X-Request-ID"
RETRY_AFTER_S = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of problem: what it is called, and its status."""

    status: int
    title: str


KINDS: Mapping[str, Kind] = {
    "unknown-session": Kind(404, "There is no such interview"),
    "session-ended": Kind(409, "The interview is over"),
    "answer-under-way": Kind(409, "Another answer is being handled"),
    "unfinished-turn": Kind(409, "The last answer was cut off"),
    "waiting-for-review": Kind(409, "The turn waits for a person"),
    "not-over": Kind(409, "The interview is not over"),
    "too-long": Kind(413, "Too long"),
    "empty-answer": Kind(422, "Nothing was answered"),
    "unsupported-document": Kind(415, "A kind of file that is not read"),
    "unreadable-document": Kind(422, "The file cannot be read"),
    "invalid-request": Kind(422, "The request cannot be used"),
    "unknown-person": Kind(404, "Nothing is kept of this person"),
    "still-running": Kind(409, "An interview of theirs goes on"),
    "no-time": Kind(409, "There is no time for it"),
    "unknown-pack": Kind(422, "There is no such question pack"),
    "unknown-topic": Kind(422, "There is no such topic"),
    "unknown-pin": Kind(404, "There is no such PIN"),
    "unknown-booking": Kind(404, "No such call is booked"),
    "phone-off": Kind(409, "There is no phone here"),
    "all-pins-taken": Kind(409, "There are too many PINs"),
    "not-utf-8": Kind(400, "The body is not UTF-8"),
    "not-json": Kind(400, "The body is not JSON"),
    "missing-token": Kind(401, "The token is missing"),
    "wrong-token": Kind(403, "The token belongs to another interview"),
    "host-only": Kind(403, "Only for whoever hosts Viva"),
    "nothing-waits": Kind(404, "No such turn waits"),
    "already-released": Kind(409, "The turn was released before"),
    "not-ready": Kind(503, "The interviewer is not ready"),
    "all-places-taken": Kind(503, "All places are taken"),
    "still-loading": Kind(503, "Not ready yet"),
    "storage-failed": Kind(503, "The disk or database failed"),
    "turn-failed": Kind(500, "The turn could not be finished"),
    "internal-error": Kind(500, "Something failed inside Viva"),
}
"""Every type of problem, by the last part of its `type`."""


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    model_config = ConfigDict(frozen=True)

    field: str
    message: str


class Problem(BaseModel):
    """Problem details as RFC 9457 describes them."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "type": "/api/v1/problems/answer-under-way",
                    "title": "Another answer is being handled",
                    "status": 409,
                    "detail": "The answer before this one is still being handled. Send this one when it is answered.",
                    "instance": "/api/v1/interview/submit_response",
                    "request_id": "1f0c6f1e9d3b4b0c8b0a",
                }
            ]
        },
    )

    type: str = Field(description="A URI of what kind of problem it is; GET it for its title and status.")
    title: str = Field(description="The kind of problem in a few words; the same each time.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What was wrong this time, and what to do.")
    instance: str = Field(description="The path that was asked for.")
    request_id: str = Field(default="", description="The request's id, as in the header X-Request-ID and in the logs.")
    errors: list[Fault] | None = Field(default=None, description="Each fault of a request that cannot be used.")


class ProblemError(HTTPException):
    """Ends a request with a problem.

    Args:
        kind: one of `KINDS`.
        detail: what was wrong and what to do, in a sentence.
        status: another status than the kind's.
        headers: of the response.
    """

    def __init__(
        self, kind: str, detail: str, *, status: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status or KINDS[kind].status, detail, dict(headers or {}))
        self.kind = kind

    def __str__(self) -> str:
        return str(self.detail)


def type_of(kind: str) -> str:
    """The URI of a kind of problem."""
    return f"{PREFIX}/problems/{kind}"


def ended(session_id: str) -> ProblemError:
    """The problem of going on with an interview that is over."""
    return ProblemError(
        "session-ended", f"This interview is over. Its report is at {PREFIX}/interview/{session_id}/report."
    )


def too_long(what: str, length: int, limit: int) -> ProblemError:
    """The problem of a text with too many characters."""
    return ProblemError("too-long", f"{what} has {length:,} characters; at most {limit:,} are accepted. Shorten it.")


_FAULTS_BY_NAME = frozenset({("psycopg", "Error"), ("graph.checkpoints.errors", "CheckpointError")})
"""Module and name: neither PostgreSQL's driver nor the graph is loaded before the first interview is held."""


def is_storage_fault(error: Exception) -> bool:
    """True when a disk or database failed, and not something of ours."""
    if isinstance(error, TimeoutError):
        return False
    if isinstance(error, sqlite3.Error | OSError | RecordError | ProfileError | PhoneStoreError):
        return True
    return any((kind.__module__, kind.__name__) in _FAULTS_BY_NAME for kind in type(error).__mro__)


def problem_of(error: Exception, path: str, request_id: str = "") -> Problem:
    """The problem details of anything that ended a request."""
    match error:
        case ProblemError():
            return _problem(error.kind, str(error.detail), path, request_id, status=error.status_code)
        case RequestValidationError():
            return _of_validation(error.errors(), path, request_id)
        case StarletteHTTPException() if isinstance(error.__cause__, UnicodeDecodeError):
            return _problem("not-utf-8", NOT_UTF_8, path, request_id)
        case StarletteHTTPException():
            return Problem(
                type="about:blank",
                title=HTTPStatus(error.status_code).phrase,
                status=error.status_code,
                detail=_plain_detail(error, path),
                instance=path,
                request_id=request_id,
            )
        case _ if is_storage_fault(error):
            sentence = str(error) if isinstance(error, RecordError | ProfileError | PhoneStoreError) else STORAGE_FAILED
            return _problem("storage-failed", sentence, path, request_id)
        case _:
            sentence = (
                "Something failed inside Viva. The log of the web process has the details under the request's id."
            )
            return _problem("internal-error", sentence, path, request_id)


STORAGE_FAILED = (
    "The disk or database in which Viva keeps interviews failed. Try again in a few seconds; if it goes on, the log of "
    "the web process has the details."
)
NOT_UTF_8 = "The body is not UTF-8 text. Encode the JSON as UTF-8."


def problem_response(error: Exception, request: Request) -> Response:
    """What is answered to a request that something ended."""
    request_id = request.scope.get("state", {}).get("request_id", "")
    problem = problem_of(error, request.url.path, request_id)
    # Some are answered outside of everything that would add the id.
    headers = {**(getattr(error, "headers", None) or {}), REQUEST_ID_HEADER: request_id}
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(RETRY_AFTER_S))
    body = problem.model_dump(exclude_none=True)
    return Response(json.dumps(body), status_code=problem.status, headers=headers, media_type=MEDIA_TYPE)


async def answer_with_problem(request: Request, error: Exception) -> Response:
    """The exception handler of everything that can end a request."""
    return problem_response(error, request)


def documented(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of the problems that an operation can answer with."""
    by_status: dict[int, list[str]] = {}
    for kind in kinds:
        by_status.setdefault(KINDS[kind].status, []).append(kind)
    return {
        status: {
            "description": "; ".join(KINDS[kind].title for kind in each),
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": {
                        kind: {
                            "value": {"type": f"{PREFIX}/problems/{kind}", "title": KINDS[kind].title, "status": status}
                        }
                        for kind in each
                    },
                }
            },
        }
        for status, each in by_status.items()
    }


def _problem(kind: str, detail: str, path: str, request_id: str, status: int | None = None) -> Problem:
    known = KINDS[kind]
    return Problem(
        type=type_of(kind),
        title=known.title,
        status=status or known.status,
        detail=detail,
        instance=path,
        request_id=request_id,
    )


def _of_validation(errors: Sequence[Any], path: str, request_id: str) -> Problem:
    if any(error["type"] == "json_invalid" for error in errors):
        reason = errors[0].get("ctx", {}).get("error", "it cannot be read")
        return _problem("not-json", f"The body is not JSON: {reason}.", path, request_id)
    faults = [
        Fault(field=".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0]), message=error["msg"])
        for error in errors
    ]
    sentence = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    return _problem("invalid-request", f"{sentence}.", path, request_id).model_copy(update={"errors": faults})


def _plain_detail(error: StarletteHTTPException, path: str) -> str:
    match error.status_code:
        case HTTPStatus.NOT_FOUND if error.detail == HTTPStatus.NOT_FOUND.phrase:
            return f"There is nothing at {path}. /openapi.json lists the calls of this API."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{path} does not take this method. /openapi.json lists the calls of this API."
        case _:
            return str(error.detail)
