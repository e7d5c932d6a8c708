"""Routes of the monitor: a person at a moment, and what happens in their interview from then on. Only for the host."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse

from agent.http.auth import HostBearer, check_host
from agent.http.monitor.coaching import take_note, wish_topic
from agent.http.monitor.following import Following, Told
from agent.http.monitor.schemas import MonitorSnapshot, NoteRequest, TopicRequest
from agent.http.monitor.snapshot import graph_nodes, monitor_snapshot, watched_interview
from agent.http.problems import ProblemError, documented
from agent.http.request_context import Utf8Route
from agent.settings import Settings
from domain.person import user_id_of
from rag import Pack
from review import RecordStore
from review.monitor.models import TakenNote, WishedTopic

_PROBLEMS = ("missing-token", "host-only", "unknown-person", "unknown-session", "invalid-request", "storage-failed")

_BODY_PROBLEMS = (
    "missing-token", "host-only", "unknown-session", "invalid-request", "not-utf-8", "not-json", "too-long",
    "storage-failed",
)  # fmt: skip

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `activity` for each event of the record, in order, whose `id` is its "
        "number (`Last-Event-ID` goes on behind it); after each batch `state`, where the interview stands; at last "
        "`ended`, or `problem` with a sentence in `detail`.",
        "content": {
            "text/event-stream": {
                "example": (
                    'event: activity\ndata: {"seq":12,"at":1764041000.5,"node":"evaluate","kind":"answer_judged",'
                    '"text":"7.2 of 10 by built-in: 3 covered, 1 missing"}\nid: 12\n\n'
                )
            }
        },
    }
}

_NOT_KEPT = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""A proxy that gathers what is sent would tell it late."""
_STILL_OPEN = b": nothing new\n\n"

OneInterview = Annotated[
    str | None, Query(alias="interview", description="One of their interviews; else the one that is running.")
]


def monitor_routes(settings: Settings, store: RecordStore, packs: Mapping[str, Pack]) -> APIRouter:
    """The calls below `/monitor`.

    Args:
        settings: the settings in force.
        store: the record.
        packs: the question packs by id.
    """
    following = Following(store, graph_nodes)

    def is_host(request: Request, _: HostBearer) -> None:
        check_host(settings, request)

    def find_watched(request: Request, user_id: str, interview: OneInterview = None) -> None:
        """Found before the response begins, so that a stranger gets a sentence and not an empty stream."""
        shown = watched_interview(settings, store, user_id_of(user_id), interview)
        if shown is None:
            raise ProblemError("unknown-session", f"There is no interview of {user_id!r} yet. Wait until it begins.")
        request.state.watched = shown

    router = APIRouter(prefix="/monitor", tags=["monitor"], route_class=Utf8Route, dependencies=[Depends(is_host)])

    @router.get("/api/{user_id}.json", responses=documented(*_PROBLEMS))
    def show_monitor(user_id: str, interview: OneInterview = None) -> MonitorSnapshot:
        """What is known of a person: profile, vector, and where their interview stands."""
        return monitor_snapshot(settings, store, packs, user_id_of(user_id), interview)

    @router.get(
        "/stream/{user_id}",  # noqa: FAST003 - `find_watched` takes it
        response_class=StreamingResponse,
        responses={**documented(*_PROBLEMS), **_STREAM},
        dependencies=[Depends(find_watched)],
    )
    async def follow_interview(request: Request, last_event_id: Annotated[int, Header(ge=0)] = 0) -> StreamingResponse:
        """What happens in an interview, from its beginning or from behind an event, until it ends."""
        told = _sent(following.batches(request.state.watched, last_event_id))
        return StreamingResponse(told, media_type="text/event-stream", headers=_NOT_KEPT)

    @router.post(
        "/api/interviews/{interview_id}/topic",
        status_code=201,
        responses=documented(*_BODY_PROBLEMS, "session-ended", "no-time", "unknown-topic"),
    )
    def ask_about(interview_id: str, word: TopicRequest) -> WishedTopic:
        """Have the next question be about a topic of the pack, or about something in the résumé.

        What came of it is told in the activity and in `wishes`. The candidate hears nothing of it; what they ask for
        themselves goes first, and a later topic takes the place of one that still waits.
        """
        return wish_topic(store, packs, interview_id, word)

    @router.post("/api/interviews/{interview_id}/notes", status_code=201, responses=documented(*_BODY_PROBLEMS))
    def write_note(interview_id: str, word: NoteRequest) -> TakenNote:
        """Write a note for the report, while the interview goes on or after it."""
        return take_note(store, interview_id, word)

    return router


async def _sent(batches: AsyncGenerator[Sequence[Told], None]) -> AsyncIterator[bytes]:
    """What goes over the line. Messages are put together once for all readers, and few pieces are sent."""
    async with aclosing(batches):
        async for batch in batches:
            yield b"".join(told.sent for told in batch) or _STILL_OPEN
