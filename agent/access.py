"""Access: who may call what. One token opens one interview, by voice or by text; one says that somebody hosts Viva."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agent.settings import Settings

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""Headers by which reverse proxies say that they hand on what somebody else asked for (RFC 7239, RFC 9110)."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why somebody may not; the kinds are those of `agent.http.problems`."""

    kind: Literal["missing-token", "wrong-token", "host-only"]
    sentence: str


def interview_token(settings: Settings, interview_id: str) -> str:
    """The token that only the creator of an interview gets: derived, so that nothing secret has to be stored."""
    digest = hmac.new(settings.livekit_secret.encode(), f"interview:{interview_id}".encode(), hashlib.sha256)
    return digest.hexdigest()


def candidate_refusal(settings: Settings, interview_id: str, authorization: str) -> Refusal | None:
    """Why somebody may not go on with an interview; None when they may.

    Args:
        settings: the settings in force.
        interview_id: the interview.
        authorization: the request's header of that name.
    """
    token = bearer_token(authorization)
    if token is None:
        return Refusal("missing-token", "Send the interview's token as `Authorization: Bearer TOKEN`.")
    if not _same(token, interview_token(settings, interview_id)):
        return Refusal(
            "wrong-token",
            "This is not the token of this interview. Use the one that starting the interview returned, or open it in "
            "the browser that started it.",
        )
    return None


def host_refusal(settings: Settings, address: str, headers: Mapping[str, str]) -> Refusal | None:
    """Why somebody may not do what is for whoever hosts Viva; None when they may.

    With the setting `host_token` it takes that token, from anywhere; without it, a call from this machine that no
    reverse proxy hands on: to Viva everybody behind one is on this machine.

    Args:
        settings: the settings in force.
        address: where the request came from.
        headers: of the request, names in lower case.
    """
    authorization = headers.get("authorization", "")
    if settings.host_token:
        if bearer_token(authorization) is None:
            return Refusal("missing-token", "Send the setting host_token as `Authorization: Bearer TOKEN`.")
        if not has_host_token(settings, authorization):
            return Refusal("host-only", "This is not the token that the setting host_token has.")
    elif any(name in headers for name in _FORWARDED):
        return Refusal(
            "host-only",
            "This came through a reverse proxy, so Viva cannot tell who asks. Set host_token, and send it as "
            "`Authorization: Bearer TOKEN`.",
        )
    elif not _is_this_machine(address):
        return Refusal(
            "host-only", "Without the setting host_token this can be called from the machine that runs Viva only."
        )
    return None


def has_host_token(settings: Settings, authorization: str) -> bool:
    """Whether a request brings what only the host has; never when there is no such token."""
    return bool(settings.host_token) and _same(bearer_token(authorization) or "", settings.host_token)


def bearer_token(authorization: str) -> str | None:
    """The token of an `Authorization: Bearer TOKEN`; None without one."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _is_this_machine(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
