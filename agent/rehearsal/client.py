"""Client of Viva's HTTP API, for the rehearsal: create an interview, read its record, fetch recording and report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Self, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from domain.events import Event
from domain.vocabulary import Difficulty, FeedbackMode, Mode
from review.report.models import Report

_Model = TypeVar("_Model", bound=BaseModel)

TIMEOUT_S = 30.0
_CONFLICT = 409


class VivaApiError(RuntimeError):
    """Viva did not do what was asked; the message says what failed and what to do."""


class Created(BaseModel):
    """An interview that waits for its candidate."""

    model_config = ConfigDict(frozen=True)

    interview_id: str
    key: str
    room: str
    livekit_url: str
    token: str
    report_url: str


class StoredEvent(BaseModel):
    """An event of the record with its place in it."""

    model_config = ConfigDict(frozen=True)

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class WantedInterview:
    """The interview to create."""

    name: str
    pack: str
    minutes: int
    feedback: FeedbackMode
    difficulty: Difficulty = "medium"
    focus_topics: tuple[str, ...] = ()
    job_description: str = ""
    resume: str = ""
    mode: Mode | None = None


class _Events(BaseModel):
    events: list[StoredEvent]


class VivaApi:
    """A client of one Viva; use it as an asynchronous context manager."""

    def __init__(self, url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT_S, transport=transport, trust_env=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def create(self, wanted: WantedInterview) -> Created:
        """Ask for an interview.

        Raises:
            VivaApiError: Viva cannot be reached, or refuses (its sentence says why).

        """
        answer = await self._call("POST", "/api/interviews", "create the interview", json=asdict(wanted))
        return self._read(Created, answer.json(), "create the interview")

    async def events(self, interview_id: str, after: int = 0) -> list[StoredEvent]:
        """The record from an event on, in order.

        Raises:
            VivaApiError: it cannot be read.

        """
        path = f"/api/interviews/{interview_id}/events"
        answer = await self._call("GET", path, "read the record", params={"after": after})
        return self._read(_Events, {"events": answer.json()}, "read the record").events

    async def report(self, interview_id: str) -> Report | None:
        """The report; None while the interview runs.

        Raises:
            VivaApiError: it cannot be read.

        """
        answer = await self._call("GET", f"/api/interviews/{interview_id}/report", "read the report", accept=_CONFLICT)
        return None if answer.status_code == _CONFLICT else self._read(Report, answer.json(), "read the report")

    async def recording(self, interview_id: str) -> bytes:
        """The recording, as a file's content.

        Raises:
            VivaApiError: there is none.

        """
        answer = await self._call("GET", f"/api/interviews/{interview_id}/recording", "fetch the recording")
        return answer.content

    async def _call(
        self,
        method: str,
        path: str,
        purpose: str,
        *,
        json: Mapping[str, object] | None = None,
        params: Mapping[str, int] | None = None,
        accept: int = 200,
    ) -> httpx.Response:
        try:
            answer = await self._http.request(method, path, json=json, params=params)
        except httpx.HTTPError as error:
            raise VivaApiError(
                f"could not {purpose}: {self.url} does not answer ({type(error).__name__}); is Viva running there?"
            ) from None
        if answer.is_success or answer.status_code == accept:
            return answer
        raise VivaApiError(f"could not {purpose}: {_detail(answer)}")

    def _read(self, model: type[_Model], data: object, purpose: str) -> _Model:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise VivaApiError(
                f"could not {purpose}: {self.url} answered in another shape ({place}: {first['msg']}); "
                "is it a Viva of this version?"
            ) from None


def _detail(answer: httpx.Response) -> str:
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        detail = answer.text[:200] or answer.reason_phrase
    return f"Viva answered {answer.status_code}: {detail}"


LOOK_S = 1.0
MOST_FAILURES = 20
"""Polls in a row that may fail: the web process may be starting again."""


class FollowedRecord:
    """What an interview's record held at the last look."""

    def __init__(self, api: VivaApi, interview_id: str) -> None:
        self.events: list[Event] = []
        self._api = api
        self._interview_id = interview_id
        self._last_seq = 0
        self._failures = 0

    def last(self, kind: str) -> Event | None:
        """The latest event of a kind."""
        return next((event for event in reversed(self.events) if event.kind == kind), None)

    async def look(self) -> None:
        """Read what is new.

        Raises:
            VivaApiError: the record could not be read for a while.

        """
        try:
            new = await self._api.events(self._interview_id, after=self._last_seq)
        except VivaApiError:
            self._failures += 1
            if self._failures > MOST_FAILURES:
                raise
            return
        self._failures = 0
        self.events += [stored.event for stored in new]
        self._last_seq = max([self._last_seq, *(stored.seq for stored in new)])

    async def wait_for(self, kind: str, on_new: Callable[[Event], None] = lambda _event: None) -> None:
        """Look once a second until an event of a kind is there; use it with a timeout."""
        while self.last(kind) is None:
            known = len(self.events)
            await self.look()
            for event in self.events[known:]:
                on_new(event)
            if self.last(kind) is None:
                await asyncio.sleep(LOOK_S)

    async def look_again(self) -> None:
        """Read everything once more: how answers were judged is told only when the interview has ended.

        Raises:
            VivaApiError: the record could not be read.

        """
        self.events[:] = [stored.event for stored in await self._api.events(self._interview_id)]
