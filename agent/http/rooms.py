"""Rooms over HTTP: the packs there are, how a voice interview is created, how a candidate gets (back) in."""

from __future__ import annotations

import time
from typing import Literal

import httpx
import psutil
from fastapi import APIRouter, Request, status
from pydantic import BaseModel, ConfigDict

from agent.access import interview_token
from agent.http.auth import InterviewBearer, check_candidate, is_host
from agent.http.problems import ProblemError, documented
from agent.http.request_context import Utf8Route
from agent.http.wishes import NewInterview, granted
from agent.interviews.admission import with_profile
from agent.interviews.creation import new_interview_id
from agent.interviews.earlier_interviews import with_asked_before
from agent.interviews.places import places, taken_places
from agent.settings import Settings
from agent.worker.tokens import candidate_token, room_name
from domain.events import InterviewCreated, InterviewEnded
from rag import Pack
from review import RecordStore

_CREATION_PROBLEMS = (
    "invalid-request", "unknown-pack", "unknown-topic", "too-long", "not-utf-8", "not-json", "not-ready",
    "all-places-taken", "storage-failed",
)  # fmt: skip
_ADMISSION_PROBLEMS = (
    "missing-token", "wrong-token", "unknown-session", "session-ended", "invalid-request", "storage-failed",
)  # fmt: skip


_FULL = (
    "All places are taken: with one more interview everybody would wait for their interviewer. Try again in a few "
    "minutes."
)


class _Json(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class TopicInfo(_Json):
    """A topic of a pack."""

    id: str
    title: str


class PackInfo(_Json):
    """A pack to choose on the start page."""

    id: str
    title: str
    description: str
    questions: int
    topics: list[TopicInfo]


class Admission(_Json):
    """What a candidate's browser needs to enter the room."""

    room: str
    livekit_url: str
    token: str


class CreatedInterview(Admission):
    """A new interview. The key lets its candidate back in after a reload; it is shown only here."""

    interview_id: str
    key: str
    report_url: str


class Health(_Json):
    """Whether a candidate can start."""

    status: Literal["ok"] = "ok"
    worker: bool
    livekit: bool


def interview_routes(settings: Settings, store: RecordStore, packs: dict[str, Pack]) -> APIRouter:
    """The routes of the interview API."""
    router = APIRouter(prefix="/api", tags=["interview"], route_class=Utf8Route)

    @router.get("/packs")
    def list_packs() -> list[PackInfo]:
        return [
            PackInfo(
                id=pack.id,
                title=pack.title,
                description=pack.description,
                questions=len(pack.questions),
                topics=[TopicInfo(id=topic.id, title=topic.title) for topic in pack.topics],
            )
            for pack in packs.values()
        ]

    @router.post("/interviews", status_code=status.HTTP_201_CREATED, responses=documented(*_CREATION_PROBLEMS))
    def create(wanted: NewInterview, request: Request) -> CreatedInterview:
        interview_id = new_interview_id()
        room, feedback = room_name(interview_id), settings.feedback
        created = granted(wanted.wish(), packs, medium="voice", room=room, at=time.time(), feedback=feedback)
        if not worker_is_ready(settings):
            raise ProblemError("not-ready", "The interviewer is not ready yet. Wait a few seconds and try again.")
        if taken_places(store, time.time()) >= places(settings):
            raise ProblemError("all-places-taken", _FULL)
        by_host = is_host(settings, request)
        created = with_asked_before(store, with_profile(settings, created, is_host=by_host), is_host=by_host)
        store.append(interview_id, created)
        return CreatedInterview(
            interview_id=interview_id,
            key=interview_token(settings, interview_id),
            report_url=f"/replay/{interview_id}",
            **_admission(settings, interview_id, wanted.name),
        )

    @router.post("/interviews/{interview_id}/token", responses=documented(*_ADMISSION_PROBLEMS))
    def admit(interview_id: str, request: Request, _: InterviewBearer) -> Admission:
        events = [stored.event for stored in store.events(interview_id)]
        created = next((event for event in events if isinstance(event, InterviewCreated)), None)
        if created is None or created.medium != "voice":
            raise ProblemError("unknown-session", f"There is no interview by voice with the id {interview_id!r}.")
        check_candidate(settings, interview_id, request)
        if any(isinstance(event, InterviewEnded) for event in events):
            raise ProblemError("session-ended", "This interview is over. Its replay shows what was said.")
        return Admission(**_admission(settings, interview_id, created.candidate_name))

    @router.get("/health")
    async def health() -> Health:
        return Health(worker=worker_is_ready(settings), livekit=await livekit_answers(settings))

    return router


def worker_is_ready(settings: Settings) -> bool:
    """True when a worker is registered with livekit-server and its process is alive."""
    try:
        pid = int(settings.worker_ready_path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    return bool(psutil.pid_exists(pid))


async def livekit_answers(settings: Settings) -> bool:
    """True when livekit-server answers."""
    try:
        async with httpx.AsyncClient(timeout=1, trust_env=False) as client:
            return (await client.get(settings.livekit_http_url)).is_success
    except httpx.HTTPError:
        return False


def _admission(settings: Settings, interview_id: str, name: str) -> dict[str, str]:
    return {
        "room": room_name(interview_id),
        "livekit_url": settings.livekit_ws_url,
        "token": candidate_token(settings, interview_id, name),
    }
