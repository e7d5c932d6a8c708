"""Routes below `/api/v1`: interviews by text, and the turns that wait for a person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Depends, FastAPI, HTTPException, Request, status
from fastapi.sse import EventSourceResponse, ServerSentEvent

from agent.http.auth import HostBearer, InterviewBearer, check_candidate, check_host, is_host
from agent.http.problems import KINDS, PREFIX, Problem, documented, type_of
from agent.http.request_context import Utf8Route, note_session
from agent.http.review_queue import release, waiting_turns
from agent.http.text.schemas import (
    EndResponse,
    FinalReport,
    Release,
    Released,
    SessionRequest,
    SessionState,
    StartRequest,
    StartResponse,
    SubmitRequest,
    TurnResponse,
    WaitingTurn,
)
from agent.http.text.sessions import Sessions
from agent.http.text.turn_events import TurnLog
from agent.settings import Settings
from review import RecordStore, Summary

_SESSION_PROBLEMS = (
    "missing-token",
    "wrong-token",
    "unknown-session",
    "invalid-request",
    "still-loading",
    "storage-failed",
)
_BODY_PROBLEMS = ("not-utf-8", "not-json", "too-long")
_ANSWER_PROBLEMS = (
    "session-ended", "answer-under-way", "unfinished-turn", "waiting-for-review", "empty-answer", "turn-failed",
)  # fmt: skip

_ANSWERS = documented(*_SESSION_PROBLEMS, *_BODY_PROBLEMS, *_ANSWER_PROBLEMS)
_TEXT = "interview by text"
_REVIEW = "human review"

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `feedback_token` as the feedback comes, `feedback_complete`, "
        "`question_selected` (an id: chosen, but not yet allowed to be asked), `reply`, `question`, and at last "
        "`turn_complete` with the body of `submit_response`, or `error` with problem details.",
        "content": {
            "text/event-stream": {
                "example": (
                    'event: feedback_token\ndata: {"turn":1,"text":"You said clearly what a cache is good for."}\n'
                    "id: 1.1\n\n"
                    'event: question_selected\ndata: {"turn":1,"question_id":"caching-invalidation"}\nid: 1.3\n\n'
                )
            }
        },
    }
}


@dataclass(frozen=True, slots=True)
class Api:
    """What the calls work on.

    Args:
        settings: the settings in force.
        store: the record.
        sessions: the interviews that are going on.
    """

    settings: Settings
    store: RecordStore
    sessions: Sessions


def mount_api(app: FastAPI, api: Api) -> None:
    """Serve the API below `/api/v1`."""
    app.state.interview_api = api
    app.include_router(router)


def _api(request: Request) -> Api:
    api = request.app.state.interview_api
    assert isinstance(api, Api)
    return api


UsedApi = Annotated[Api, Depends(_api)]


async def _admit(request: Request, api: Api, session_id: str) -> None:
    note_session(request, session_id)
    await api.sessions.facts(session_id)
    check_candidate(api.settings, session_id, request)


async def _path_session(request: Request, api: UsedApi, session_id: str, _: InterviewBearer) -> str:
    await _admit(request, api, session_id)
    return session_id


async def _body_session(request: Request, api: UsedApi, which: SessionRequest, _: InterviewBearer) -> str:
    await _admit(request, api, which.session_id)
    return which.session_id


async def _submitted(request: Request, api: UsedApi, said: SubmitRequest, _: InterviewBearer) -> TurnLog:
    """A turn that has begun: everything that can be wrong with it is found before the response begins."""
    await _admit(request, api, said.session_id)
    return await api.sessions.submit(said)


async def _is_host(request: Request, api: UsedApi, _: HostBearer) -> None:
    check_host(api.settings, request)


PathSession = Annotated[str, Depends(_path_session)]
BodySession = Annotated[str, Depends(_body_session)]
Submitted = Annotated[TurnLog, Depends(_submitted)]

router = APIRouter(prefix=PREFIX, route_class=Utf8Route)


@router.post(
    "/interview/start",
    status_code=status.HTTP_201_CREATED,
    tags=[_TEXT],
    responses=documented(
        *_BODY_PROBLEMS,
        "invalid-request",
        "unknown-pack",
        "unknown-topic",
        "turn-failed",
        "still-loading",
        "storage-failed",
    ),
)
async def start_interview(
    wanted: StartRequest, request: Request, api: UsedApi, background: BackgroundTasks
) -> StartResponse:
    """Begin an interview: it is planned, the candidate is greeted, and the first question is asked."""
    started = await api.sessions.start(wanted, is_host=is_host(api.settings, request))
    note_session(request, started.session_id)
    background.add_task(api.sessions.prewarm, started.session_id)
    return started


@router.post("/interview/submit_response", tags=[_TEXT], responses=_ANSWERS)
async def submit_response(turn: Submitted) -> TurnResponse:
    """Hand over what the candidate says; feedback and the next question come back together."""
    return await turn.response()


@router.post(
    "/interview/submit_response/stream",
    tags=[_TEXT],
    response_class=EventSourceResponse,
    responses={**_ANSWERS, **_STREAM},
)
async def submit_response_stream(turn: Submitted) -> AsyncIterator[ServerSentEvent]:
    """Hand over what the candidate says; what comes of it is told while it happens.

    A client that goes away loses nothing: the turn is finished, and `resume` tells what came of it.
    """
    async for event in turn.follow():
        yield ServerSentEvent(event=event.name, id=event.id, data=event.data)


@router.post(
    "/interview/end",
    tags=[_TEXT],
    responses=documented(*_SESSION_PROBLEMS, *_BODY_PROBLEMS, "answer-under-way"),
)
async def end_interview(session_id: BodySession, api: UsedApi) -> EndResponse:
    """End the interview and get its report. An interview that is over stays as it is."""
    return await api.sessions.end(session_id)


@router.get("/interview/{session_id}", tags=[_TEXT], responses=documented(*_SESSION_PROBLEMS))
async def show_session(session_id: PathSession, api: UsedApi) -> SessionState:
    """How far the interview is, and which question is open."""
    return await api.sessions.state(session_id)


@router.post(
    "/interview/{session_id}/resume",
    tags=[_TEXT],
    responses=documented(*_SESSION_PROBLEMS, "answer-under-way", "turn-failed"),
)
async def resume_session(session_id: PathSession, api: UsedApi) -> TurnResponse:
    """After a crash or a lost reply: finish the last turn if it was cut off, and tell what came of it."""
    return await api.sessions.resume(session_id)


@router.get("/interview/{session_id}/report", tags=[_TEXT], responses=documented(*_SESSION_PROBLEMS, "not-over"))
async def show_report(session_id: PathSession, api: UsedApi) -> FinalReport:
    """What came out of an interview that is over."""
    return await api.sessions.report(session_id)


@router.get("/interviews", tags=[_TEXT], responses=documented("storage-failed"))
async def list_interviews(api: UsedApi) -> list[Summary]:
    """All interviews of this Viva, by text and by voice, newest first, without scores before their end."""
    return await asyncio.to_thread(api.store.interviews)


@router.get(
    "/reviews",
    tags=[_REVIEW],
    dependencies=[Depends(_is_host)],
    responses=documented("missing-token", "host-only", "storage-failed"),
)
async def list_waiting_turns(api: UsedApi) -> list[WaitingTurn]:
    """Turns that wait for a person, the longest wait first."""
    return await asyncio.to_thread(waiting_turns, api.store)


@router.post(
    "/reviews/{session_id}/{turn}/release",
    tags=[_REVIEW],
    dependencies=[Depends(_is_host)],
    responses=documented(
        "missing-token",
        "host-only",
        "nothing-waits",
        "already-released",
        "invalid-request",
        *_BODY_PROBLEMS,
        "storage-failed",
    ),
)
async def release_turn(session_id: str, turn: int, word: Release, request: Request, api: UsedApi) -> Released:
    """Let an interview go on. A client of an interview by text calls `resume` afterwards."""
    note_session(request, session_id)
    return await asyncio.to_thread(release, api.store, session_id, turn, word)


@router.get("/problems/{kind}", tags=["problems"], responses=documented("invalid-request"))
def show_problem(kind: str) -> Problem:
    """What a type of problem means."""
    known = KINDS.get(kind)
    if known is None:
        raise HTTPException(404, f"There is no problem {kind!r}; there is: {', '.join(KINDS)}.")
    return Problem(type=type_of(kind), title=known.title, status=known.status, detail="", instance="")
