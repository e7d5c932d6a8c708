"""Rooms over HTTP: the packs there are, how a voice interview is created, how a candidate gets (back) in."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import time
from typing import Annotated, Literal

import httpx
import psutil
from fastapi import APIRouter, Depends, Header, HTTPException, status
from pydantic import BaseModel, ConfigDict, Field

from agent.http.text.schemas import MAX_DOCUMENT_CHARS, Text
from agent.interviews.creation import UnknownTopicError, topic_ids
from agent.settings import Settings
from agent.worker.tokens import candidate_token, room_name
from domain.events import InterviewCreated, InterviewEnded
from domain.vocabulary import Difficulty, FeedbackMode
from rag import Pack
from review import RecordStore

_log = logging.getLogger(__name__)


class _Json(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        str_strip_whitespace=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


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


class NewInterview(_Json):
    """What the start page asks for."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    pack: str
    minutes: Annotated[int, Field(ge=3, le=90)] = 20
    feedback: FeedbackMode = "practice"
    difficulty: Difficulty = "medium"
    """Where the difficulty starts."""
    focus_topics: Annotated[list[str], Field(max_length=20)] = []
    """Topics of the pack to ask about first, by id or title."""
    resume: Annotated[Text, Field(max_length=MAX_DOCUMENT_CHARS)] = ""
    job_description: Annotated[Text, Field(max_length=MAX_DOCUMENT_CHARS)] = ""


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
    router = APIRouter(prefix="/api", tags=["interview"])

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

    @router.post("/interviews", status_code=status.HTTP_201_CREATED)
    def create(wanted: NewInterview) -> CreatedInterview:
        interview_id = secrets.token_hex(6)
        created = _as_wanted(wanted, packs, room_name(interview_id))
        if not worker_is_ready(settings):
            raise HTTPException(503, "The interviewer is not ready yet. Wait a few seconds and try again.")
        store.append(interview_id, created)
        return CreatedInterview(
            interview_id=interview_id,
            key=interview_key(settings, interview_id),
            report_url=f"/replay/{interview_id}",
            **_admission(settings, interview_id, wanted.name),
        )

    @router.post("/interviews/{interview_id}/token")
    def admit(interview_id: str, key: Annotated[str, Depends(_bearer)]) -> Admission:
        if not hmac.compare_digest(key.encode(), interview_key(settings, interview_id).encode()):
            raise HTTPException(401, "This is not the key of this interview. Open it in the browser that started it.")
        events = [stored.event for stored in store.events(interview_id)]
        created = next((event for event in events if isinstance(event, InterviewCreated)), None)
        if created is None:
            raise HTTPException(404, f"There is no interview {interview_id!r}.")
        if any(isinstance(event, InterviewEnded) for event in events):
            raise HTTPException(409, "This interview is over. Its replay shows what was said.")
        return Admission(**_admission(settings, interview_id, created.candidate_name))

    @router.get("/health")
    async def health() -> Health:
        return Health(worker=worker_is_ready(settings), livekit=await livekit_answers(settings))

    return router


def interview_key(settings: Settings, interview_id: str) -> str:
    """The key that only the creator of an interview gets: derived, so that nothing secret has to be stored."""
    digest = hmac.new(settings.livekit_secret.encode(), f"interview:{interview_id}".encode(), hashlib.sha256)
    return digest.hexdigest()


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


def _as_wanted(wanted: NewInterview, packs: dict[str, Pack], room: str) -> InterviewCreated:
    pack = packs.get(wanted.pack)
    if pack is None:
        raise HTTPException(422, f"There is no question pack {wanted.pack!r}; there is: {', '.join(packs)}.")
    try:
        topics = topic_ids(wanted.focus_topics, pack)
    except UnknownTopicError as error:
        raise HTTPException(422, str(error)) from error
    return InterviewCreated(
        at=time.time(),
        candidate_name=wanted.name,
        pack=pack.id,
        pack_title=pack.title,
        minutes=wanted.minutes,
        feedback=wanted.feedback,
        room=room,
        difficulty=wanted.difficulty,
        focus_topics=topics,
        resume=wanted.resume,
        job_description=wanted.job_description,
    )


def _admission(settings: Settings, interview_id: str, name: str) -> dict[str, str]:
    return {
        "room": room_name(interview_id),
        "livekit_url": settings.livekit_ws_url,
        "token": candidate_token(settings, interview_id, name),
    }


def _bearer(authorization: Annotated[str, Header()] = "") -> str:
    scheme, _, key = authorization.partition(" ")
    if scheme.lower() != "bearer" or not key:
        raise HTTPException(401, "The interview's key is missing: send it as `Authorization: Bearer KEY`.")
    return key
