"""The web process: interview API, records and replays, pages. It loads no models."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from agent.api import interview_routes
from agent.settings import Settings
from rag import load_packs
from rag.packs import PACKS_DIR
from review import RecordError, RecordStore, mount_pages, routes


def run(settings: Settings) -> None:
    """Serve until told to stop. Blocks."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(name)s: %(message)s")
    uvicorn.run(
        make_app(settings), host=settings.host, port=settings.web_port, log_level="warning", timeout_graceful_shutdown=3
    )


def make_app(settings: Settings) -> FastAPI:
    """The application.

    Raises:
        PackError: a question pack is broken.
        RecordError: the record cannot be opened.
    """
    store = RecordStore(settings.record_path)
    packs = load_packs(settings.packs_dir or PACKS_DIR)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title="Viva", summary="A spoken mock interview that you host yourself.", lifespan=lifespan)
    app.add_exception_handler(RequestValidationError, _say_what_is_wrong)
    app.add_exception_handler(RecordError, _say_that_the_record_failed)
    app.include_router(interview_routes(settings, store, packs))
    app.include_router(routes(store, settings.data_dir))
    mount_pages(app)
    return app


async def _say_what_is_wrong(_: Request, error: Exception) -> JSONResponse:
    """One sentence for each field that cannot be used, in place of FastAPI's list of objects."""
    assert isinstance(error, RequestValidationError)
    faults = [f"{'.'.join(str(part) for part in fault['loc'][1:])}: {fault['msg']}" for fault in error.errors()]
    return JSONResponse({"detail": "; ".join(faults)}, status_code=422)


async def _say_that_the_record_failed(_: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status_code=503)
