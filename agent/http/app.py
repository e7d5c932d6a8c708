"""Web application: interview API, records and replays, pages. It loads models only for interviews by text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from agent.http.auth import host_of
from agent.http.booked_calls import booking_routes
from agent.http.documents import BEYOND_LIMIT, DOCUMENTS, document_routes
from agent.http.monitor.routes import monitor_routes
from agent.http.phone import phone_routes
from agent.http.problems import answer_with_problem, documented
from agent.http.profiles import profile_routes
from agent.http.request_context import RequestContext
from agent.http.rooms import interview_routes
from agent.http.text.host_loading import HostLoader
from agent.http.text.routes import Api, mount_api
from agent.http.text.sessions import Sessions, tidy_regularly
from agent.interviews.creation import MAX_DOCUMENT_CHARS
from agent.interviews.person_deletion import forget_interview
from agent.interviews.shutdown import take_all
from agent.observability import configure_logging
from agent.observability.exporters import process_tracing
from agent.observability.metrics_endpoint import metrics_routes
from agent.packs import packs_in_force
from agent.phone.database import PhoneStoreError
from agent.settings import Settings
from review import RecordError, RecordStore, mount_pages
from review.http.routes import routes

_log = logging.getLogger(__name__)
_BYTES_PER_CHAR = 12
"""What a character takes in JSON at most: two escapes of six."""


def run(settings: Settings) -> None:
    """Serve until told to stop. Blocks."""
    configure_logging(settings, "web")
    process_tracing()
    uvicorn.run(
        make_app(settings),
        host=settings.host,
        port=settings.web_port,
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=3,
    )


def make_app(settings: Settings, loader: HostLoader | None = None) -> FastAPI:
    """The application.

    Args:
        settings: the settings in force.
        loader: makes interviews by text possible; without it, with the models of the settings.

    Raises:
        PackError: a question pack is broken.
        RecordError: the record cannot be opened.
    """
    store = RecordStore(settings.record_path)
    packs = packs_in_force(settings)
    loader = loader or HostLoader(settings)
    sessions = Sessions(settings, store, packs, loader)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if settings.web_mind == "at-start":
            loader.begin()
        tidying = asyncio.create_task(tidy_regularly(sessions))
        await asyncio.to_thread(remove_old_traces, settings.data_dir)
        yield
        tidying.cancel()
        await take_all(
            {
                "close the interviews": sessions.close,
                "close what they were held with": loader.close,
                "close the record": lambda: asyncio.to_thread(store.close),
            },
            of="the web process",
        )

    app = FastAPI(
        title="Viva",
        summary="A spoken mock interview that you host yourself.",
        lifespan=lifespan,
        # FastAPI's pages for the API load their scripts from elsewhere; `/openapi.json` has the same and needs nothing.
        docs_url=None,
        redoc_url=None,
    )
    for kind in (RequestValidationError, RecordError, PhoneStoreError, HTTPException, Exception):
        app.add_exception_handler(kind, answer_with_problem)
    app.add_middleware(
        RequestContext,
        max_body_bytes=_BYTES_PER_CHAR * (settings.max_answer_chars + 3 * MAX_DOCUMENT_CHARS),
        larger={DOCUMENTS: settings.max_document_bytes + BEYOND_LIMIT},
    )
    app.include_router(interview_routes(settings, store, packs))
    mount_api(app, Api(settings, store, sessions))
    app.include_router(profile_routes(settings, store))
    app.include_router(document_routes(settings))
    app.include_router(phone_routes(settings, packs))
    app.include_router(booking_routes(settings, packs))
    app.include_router(
        routes(
            store,
            settings.data_dir,
            forget=forget_interview(settings),
            host=host_of(settings),
        ),
        responses=documented("invalid-request", "storage-failed"),
    )
    app.include_router(monitor_routes(settings, store, packs))
    app.include_router(metrics_routes(settings))
    mount_pages(app)
    return app


def remove_old_traces(data_dir: Path) -> None:
    """Remove the table of traces that earlier versions kept.

    Its reasons can quote candidates, and nothing deletes them with their interview any more; the record has the times.
    """
    for old in data_dir.glob("traces.sqlite*"):
        try:
            old.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s is of no use any more, may quote candidates, and could not be removed: %s", old, error)
