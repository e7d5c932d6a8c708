"""Authorization: a bearer token for each session, and one for whoever hosts Viva."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param

from agent.http.text.problems import ProblemError
from agent.settings import Settings
from review import Host

_SESSION_BEARER = HTTPBearer(
    auto_error=False, scheme_name="session", description="The token that POST /api/v1/interview/start returned."
)
_HOST_BEARER = HTTPBearer(
    auto_error=False, scheme_name="host", description="The setting host_token; not needed from this machine without it."
)
_CHALLENGE = {"WWW-Authenticate": "Bearer"}

SessionBearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_SESSION_BEARER)]
HostBearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_HOST_BEARER)]


def session_token(settings: Settings, session_id: str) -> str:
    """The token of a session: derived, so that nothing secret has to be stored. A room's key is another one."""
    digest = hmac.new(settings.livekit_secret.encode(), f"session:{session_id}".encode(), hashlib.sha256)
    return digest.hexdigest()


def check_session_token(settings: Settings, session_id: str, bearer: HTTPAuthorizationCredentials | None) -> None:
    """Let only the session's own candidate pass.

    Raises:
        ProblemError: the token is missing or another session's.
    """
    if bearer is None:
        raise ProblemError(
            "missing-token", "Send the session's token as `Authorization: Bearer TOKEN`.", headers=_CHALLENGE
        )
    if not hmac.compare_digest(bearer.credentials.encode(), session_token(settings, session_id).encode()):
        raise ProblemError(
            "wrong-token", "This is not the token of this session. Use the one that starting the interview returned."
        )


def check_host(settings: Settings, request: Request, bearer: HTTPAuthorizationCredentials | None) -> None:
    """Let only whoever hosts Viva pass: by the setting `host_token`, or without one from this machine.

    Raises:
        ProblemError: it is somebody else.
    """
    if settings.host_token:
        if bearer is None:
            raise ProblemError(
                "missing-token", "Send the setting host_token as `Authorization: Bearer TOKEN`.", headers=_CHALLENGE
            )
        if not hmac.compare_digest(bearer.credentials.encode(), settings.host_token.encode()):
            raise ProblemError("host-only", "This is not the token that the setting host_token has.")
    elif not _is_this_machine(request.client.host if request.client else ""):
        raise ProblemError(
            "host-only", "Without the setting host_token this can be called from the machine that runs Viva only."
        )


def host_of(settings: Settings) -> Host:
    """The same question, as the calls that show and delete what was recorded put it."""

    def check(request: Request) -> None:
        check_host(settings, request, _bearer_of(request))

    def sent_token(request: Request) -> bool:
        bearer = _bearer_of(request)
        sent = bearer.credentials if bearer else ""
        return bool(settings.host_token) and hmac.compare_digest(sent.encode(), settings.host_token.encode())

    return Host(check, sent_token)


def _bearer_of(request: Request) -> HTTPAuthorizationCredentials | None:
    scheme, credentials = get_authorization_scheme_param(request.headers.get("Authorization"))
    if scheme.lower() != "bearer" or not credentials:
        return None
    return HTTPAuthorizationCredentials(scheme=scheme, credentials=credentials)


def _is_this_machine(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
