"""Call of a model: its faults are caught here and nowhere else, and whoever observes is told of its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from types import TracebackType

import httpx
from langchain_core.exceptions import LangChainException, ModelError
from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp

from domain.events import ModelCalled
from domain.vocabulary import Tier
from graph.language_models.circuit_breaker import TierHealth
from graph.language_models.parsing import tokens

_log = logging.getLogger(__name__)


class Call:
    """A context for the call itself: a fault of the model ends it, is told, and is kept as `fault`.

    Everything else passes through: cancellation, LangGraph's signals, faults of ours. It can be entered again for the
    same agent, tier and turn.
    """

    def __init__(
        self,
        health: TierHealth,
        emit: Callable[[ModelCalled], None],
        now: Callable[[], float],
        *,
        agent: str,
        tier: Tier,
        turn: int,
    ) -> None:
        """Prepare a call.

        Args:
            health: of the models; is told of faults, and its clock is the one that calls are timed by.
            emit: takes the event of its end.
            now: seconds since the epoch.
            agent: the agent that it is made for.
            tier: which model is called.
            turn: the candidate's turn.
        """
        self.agent = agent
        self.tier: Tier = tier
        self.turn = turn
        self.model = health.model_name(tier)
        self.fault: BaseException | None = None
        self._health = health
        self._emit = emit
        self._now = now
        self._begun_at = 0.0
        self._over_at = 0.0
        self._told = False

    def __enter__(self) -> None:
        self._begun_at = self._health.clock()
        self._told = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._over_at = self._health.clock()
        if error is None or self._told:
            return False
        if not is_model_fault(error):
            left = isinstance(error, (asyncio.CancelledError, GeneratorExit))
            self.tell(None, "nobody waited for its end" if left else type(error).__name__)
            return False
        self.fault = error
        _log.warning("%s failed for %s: %s", self.model, self.agent, why(error))
        _log.debug("what %s raised", self.model, exc_info=error)
        if blames_the_model(error):
            self._health.failed(self.tier)
        self.tell(None, why(error))
        return True

    def tell(self, raw: AIMessage | None, wrong: str = "", *, seconds: float | None = None) -> None:
        """Tell that the call is over.

        Args:
            raw: what the model replied.
            wrong: why that is of no use; empty when it is.
            seconds: how long it took; without it, from entering to leaving.
        """
        self._told = True
        tokens_in, tokens_out = tokens(raw) if raw is not None else (0, 0)
        self._emit(
            ModelCalled(
                at=self._now(),
                turn=self.turn,
                agent=self.agent,
                tier=self.tier,
                model=self.model,
                seconds=round(self._over_at - self._begun_at if seconds is None else seconds, 4),
                ok=not wrong,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                why=wrong,
            )
        )


_OF_PYTHON = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What providers' clients raise besides their own: no connection, no time, or an answer of a shape they cannot read."""
_OUR_ROOMS = {"domain", "agent", "graph", "rag", "review", "speech", "bench", "tests"}
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
