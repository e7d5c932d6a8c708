"""Client of the interview API: one session over HTTP, its turns as a stream of events."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import httpx
from httpx_sse import ServerSentEvent, SSEError, connect_sse
from pydantic import BaseModel, ValidationError

from agent.http.problems import PREFIX
from agent.http.text.schemas import EndResponse, FinalReport, StartRequest, StartResponse, TurnResponse

_Model = TypeVar("_Model", bound=BaseModel)

START_TIMEOUT_S = 180.0
"""The first interview of a process waits until its models are loaded."""
TURN_TIMEOUT_S = 120.0
_RETRIES = 8
_RETRY_PAUSE_S = 2.0


class ClientError(RuntimeError):
    """The interview cannot go on; the message says why and what to do."""


class LostError(ClientError):
    """The connection broke, or the turn could not be finished; `resume` tells what came of it."""


@dataclass(frozen=True, slots=True)
class Received:
    """An event of a turn and when it came."""

    at_s: float
    """Seconds since the answer was sent."""
    name: str
    id: str
    data: dict[str, Any]


class TextClient:
    """One interview over HTTP. Use it as a context manager.

    Args:
        url: address of a running Viva.
        clock: seconds, for the times of events.
        pause: waits for so many seconds.
    """

    def __init__(
        self, url: str, clock: Callable[[], float] = time.monotonic, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self.url = url.rstrip("/")
        self._clock = clock
        self._pause = pause
        self._http = httpx.Client(base_url=self.url, timeout=TURN_TIMEOUT_S, trust_env=False)
        self._session_id = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def start(self, wanted: StartRequest) -> StartResponse:
        """Begin the interview.

        Raises:
            ClientError: Viva cannot be reached, or refuses.
        """
        answer = self._call("POST", "/start", json=wanted.model_dump(mode="json"), timeout=START_TIMEOUT_S)
        started = _read(StartResponse, answer)
        self._session_id = started.session_id
        self._http.headers["Authorization"] = f"Bearer {started.token}"
        return started

    def submit(self, response: str, elapsed_s: float | None) -> Iterator[Received]:
        """Send what the candidate says, and yield what comes of it while it happens.

        Raises:
            LostError: the connection broke, or the turn failed; call `resume`.
            ClientError: Viva refuses the answer.
        """
        body: dict[str, Any] = {"session_id": self._session_id, "response": response}
        if elapsed_s is not None:
            body["elapsed_s"] = elapsed_s
        sent_at = self._clock()
        try:
            with connect_sse(
                self._http, "POST", f"{PREFIX}/interview/submit_response/stream", json=body, headers={}
            ) as source:
                if source.response.is_error:
                    source.response.read()
                    raise ClientError(_sentence(source.response))
                for event in source.iter_sse():
                    yield _received(event, self._clock() - sent_at)
        except (httpx.TransportError, SSEError) as error:
            raise LostError(f"The connection to {self.url} broke ({type(error).__name__}).") from None

    def resume(self) -> TurnResponse:
        """What came of the last turn, finished if it was cut off; waits for a Viva that is being started again.

        Raises:
            ClientError: Viva does not come back, or cannot finish it.
        """
        return _read(TurnResponse, self._patiently(lambda: self._call("POST", f"/{self._session_id}/resume")))

    def end(self) -> EndResponse:
        """End the interview, if it is not over, and get its report.

        Raises:
            ClientError: Viva cannot be reached, or refuses.
        """
        body = {"session_id": self._session_id}
        return _read(EndResponse, self._patiently(lambda: self._call("POST", "/end", json=body)))

    def report(self) -> FinalReport:
        """The report of an interview that is over.

        Raises:
            ClientError: Viva cannot be reached, or there is none yet.
        """
        return _read(FinalReport, self._call("GET", f"/{self._session_id}/report"))

    def _patiently(self, call: Callable[[], httpx.Response]) -> httpx.Response:
        """Try again while Viva is being started, loads its models, or still handles an answer."""
        for left in reversed(range(_RETRIES)):
            try:
                return call()
            except LostError:
                if not left:
                    raise
                self._pause(_RETRY_PAUSE_S)
        raise AssertionError("the last attempt returns or raises")

    def _call(self, method: str, path: str, **details: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, f"{PREFIX}/interview{path}", **details)
        except httpx.TransportError as error:
            raise LostError(f"{self.url} does not answer ({type(error).__name__}). Does Viva run there?") from None
        if answer.is_error:
            raise (LostError if _is_passing(answer) else ClientError)(_sentence(answer))
        return answer


def _received(event: ServerSentEvent, at_s: float) -> Received:
    return Received(at_s=round(at_s, 4), name=event.event, id=event.id, data=json.loads(event.data))


def _is_passing(answer: httpx.Response) -> bool:
    """True when the same call may succeed a little later."""
    try:
        kind = str(answer.json()["type"])
    except (ValueError, KeyError, TypeError):
        return False
    return kind.rpartition("/")[2] in ("answer-under-way", "still-loading")


def _sentence(answer: httpx.Response) -> str:
    """Viva's own sentence of what is wrong."""
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"{answer.url.host} answered {answer.status_code} {answer.reason_phrase}; is it a Viva of this version?"


def _read(model: type[_Model], answer: httpx.Response) -> _Model:
    try:
        return model.model_validate(answer.json())
    except (ValueError, ValidationError):
        raise ClientError(
            f"{answer.url.host} answered in another shape than expected; is it a Viva of this version?"
        ) from None
