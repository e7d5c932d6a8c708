"""Documents over HTTP: what Viva reads in a résumé or a job description, to be looked at before it is used.

Nothing is kept. A file is the body of the request, whatever its content type says: what it is follows from its bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from agent.documents.document import Document, DocumentError, Refusal
from agent.documents.reading import limits_of, read_document_async
from agent.http.problems import PREFIX, ProblemError, documented
from agent.interviews.creation import MAX_DOCUMENT_CHARS
from agent.settings import Settings
from domain.candidate import CandidateProfile, JobRequirements

DOCUMENTS = f"{PREFIX}/documents/"
"""Below it are calls that take a file as their body."""
BEYOND_LIMIT = 100_000
"""Bytes of a body beyond the largest file that are still read, so that a file that is a little too large is told so."""
_PROBLEMS: Mapping[Refusal, str] = {"unsupported": "unsupported-document", "too_large": "too-long"}
_AT_ONCE = 2
"""Files that are read at the same time: each takes a process, for seconds at most; others wait."""
_TOLD = documented("too-long", "unsupported-document", "unreadable-document", "invalid-request")
_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The file itself.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}

FileName = Annotated[
    str, Query(max_length=255, description="The file's name, of which only the ending counts: `.md` is Markdown.")
]


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    text: str = Field(description=f"What was read, up to {MAX_DOCUMENT_CHARS:,} characters.")
    notes: list[str] = Field(description="What was left out, may be missing, or looks odd, a sentence each.")


class ReadResume(_Read):
    """What a résumé says."""

    profile: CandidateProfile


class ReadJob(_Read):
    """What a job description asks for."""

    requirements: JobRequirements


def document_routes(settings: Settings) -> APIRouter:
    """The routes of documents."""
    router = APIRouter(prefix=DOCUMENTS.rstrip("/"), tags=["documents"])
    places = asyncio.Semaphore(_AT_ONCE)

    async def read(request: Request, name: str) -> Document:
        content = await request.body()
        try:
            async with places:
                return await read_document_async(content, name, limits_of(settings))
        except DocumentError as error:
            raise ProblemError(_PROBLEMS.get(error.reason, "unreadable-document"), str(error)) from error

    @router.post("/resume", responses=_TOLD, openapi_extra=_FILE)
    async def read_resume(request: Request, name: FileName = "") -> ReadResume:
        """Read a résumé (PDF, DOCX, Markdown, text), by rule. Nothing is kept."""
        from graph.candidate.profile import doubt, read_profile  # noqa: PLC0415 - the graph: loaded when there is need

        document = await read(request, name)
        profile = await asyncio.to_thread(read_profile, document.text)
        doubts = await asyncio.to_thread(doubt, document.text)
        return ReadResume(text=_kept(document), notes=_notes(document, doubts), profile=profile)

    @router.post("/job", responses=_TOLD, openapi_extra=_FILE)
    async def read_job_description(request: Request, name: FileName = "") -> ReadJob:
        """Read a job description, by rule. Nothing is kept."""
        from graph.candidate.job import read_job  # noqa: PLC0415 - see above

        document = await read(request, name)
        requirements = await asyncio.to_thread(read_job, document.text)
        return ReadJob(text=_kept(document), notes=_notes(document), requirements=requirements)

    return router


def _kept(document: Document) -> str:
    return document.text[:MAX_DOCUMENT_CHARS]


def _notes(document: Document, *more: str) -> list[str]:
    cut = (
        f"Only its first {MAX_DOCUMENT_CHARS:,} characters are used." if len(document.text) > MAX_DOCUMENT_CHARS else ""
    )
    return [note for note in (*document.notes, cut, *more) if note]
