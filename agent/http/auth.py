"""Authorization over HTTP: the refusals of `agent.access` as problems, and what the OpenAPI document says of tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from agent.access import Refusal, candidate_refusal, has_host_token, host_refusal
from agent.http.problems import ProblemError
from agent.settings import Settings
from review import Host

_INTERVIEW_BEARER = HTTPBearer(
    auto_error=False, scheme_name="interview", description="The token that starting the interview returned."
)
_HOST_BEARER = HTTPBearer(
    auto_error=False, scheme_name="host", description="The setting host_token; not needed from this machine without it."
)
_CHALLENGE = {"WWW-Authenticate": "Bearer"}

InterviewBearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_INTERVIEW_BEARER)]
"""Documents that a call takes an interview's token; `check_candidate` looks at it."""
HostBearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_HOST_BEARER)]
"""Documents that a call takes the host's token; `check_host` looks at it."""


def check_candidate(settings: Settings, interview_id: str, request: Request) -> None:
    """Let only the interview's own candidate pass.

    Raises:
        ProblemError: the token is missing or another interview's.
    """
    _pass_unless(candidate_refusal(settings, interview_id, _authorization(request)))


def check_host(settings: Settings, request: Request) -> None:
    """Let only whoever hosts Viva pass.

    Raises:
        ProblemError: it is somebody else.
    """
    address = request.client.host if request.client else ""
    _pass_unless(host_refusal(settings, address, request.headers))


def is_host(settings: Settings, request: Request) -> bool:
    """True when whoever hosts Viva asks."""
    address = request.client.host if request.client else ""
    return host_refusal(settings, address, request.headers) is None


def host_of(settings: Settings) -> Host:
    """The same question, as the calls that show and delete what was recorded put it."""
    return Host(
        check=lambda request: check_host(settings, request),
        sent_token=lambda request: has_host_token(settings, _authorization(request)),
    )


def _pass_unless(refused: Refusal | None) -> None:
    if refused is not None:
        headers = _CHALLENGE if refused.kind == "missing-token" else None
        raise ProblemError(refused.kind, refused.sentence, headers=headers)


def _authorization(request: Request) -> str:
    return request.headers.get("authorization", "")
