"""Faults of language models: which errors are theirs, which may be gone in a moment, and how they are told."""

from __future__ import annotations

from http import HTTPStatus

import httpx
from langchain_core.exceptions import LangChainException, ModelError
from langgraph.errors import GraphBubbleUp

_OF_PYTHON = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What providers' clients raise besides their own: no connection, no time, or an answer of a shape they cannot read."""
_OUR_ROOMS = {"agent", "domain", "graph", "rag", "review", "speech", "bench", "tests"}
_ABOUT_THE_REQUEST = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
}


def is_model_fault(error: BaseException) -> bool:
    """True for what a provider's client raises; false for cancellation, LangGraph's own signals, and faults of ours.

    Clients have error types of their own, which have no base in common. They are told by where they are defined; this
    is asked only about errors from inside a call, where nothing but LangChain and the client runs.
    """
    if not isinstance(error, Exception) or isinstance(error, GraphBubbleUp):
        return False
    if isinstance(error, (httpx.HTTPError, LangChainException)):
        return True
    home = type(error).__module__.partition(".")[0]
    if home == "builtins" or home in _OUR_ROOMS:
        return isinstance(error, _OF_PYTHON)
    return True


def is_transient(error: BaseException) -> bool:
    """True when the same request may well succeed a moment later. A time-out is none: the time is gone."""
    if isinstance(error, (TimeoutError, httpx.TimeoutException)):
        return False
    if isinstance(error, (ConnectionError, httpx.TransportError)):
        return True
    if isinstance(error, ModelError):
        return error.is_retryable
    status = _status(error)
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def blames_the_model(error: BaseException) -> bool:
    """True when other requests will fare no better for now; false when only this request was refused."""
    return _status(error) not in _ABOUT_THE_REQUEST


def why(error: BaseException) -> str:
    """An error in one line, for the record. Providers' messages may hold what was asked, so only the type is told."""
    if isinstance(error, (TimeoutError, httpx.TimeoutException)):
        return "no answer in time"
    if isinstance(error, (ConnectionError, httpx.ConnectError)):
        return "no connection"
    status = _status(error)
    return f"{type(error).__name__} (HTTP {status})" if status else type(error).__name__


def _status(error: BaseException) -> int:
    """The HTTP status an error carries, as clients call it; 0 when it carries none."""
    status = getattr(error, "status_code", 0)
    return status if isinstance(status, int) else 0
