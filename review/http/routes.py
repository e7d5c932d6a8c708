"""Routes that read and delete what was recorded. Starting an interview is not among them."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse

from domain.events import Event, InterviewEnded, RecordingFinished
from review.audio.finishing import finish_recording, finished_recording, interview_dir, pieces_of
from review.audio.ogg import RecordingError
from review.http.exports import markdown, transcript_markdown, webvtt
from review.http.visibility import before_the_end
from review.record.deletion import RecordingLeftError, delete_interview
from review.record.store import RecordStore, Stored
from review.record.summary import Summary, status_of, summarize
from review.record.timeline import medium_of
from review.report.build import build_report
from review.report.models import Report
from review.transcript.build import Transcript, build_transcript

_NOT_HERE = "There is no interview {!r} here. It may have been deleted; GET /api/interviews lists those that exist."
_NO_RECORDING = "There is no recording of this interview: none was made, or its file is gone from the data folder."
_BY_TEXT = "This interview was held by text: nothing was recorded. Its words are at GET .../transcript.md."
_NOT_WHOLE_YET = "The recording is not whole yet. It can be played shortly after the interview has ended."
_STILL_RUNNING = (
    "This interview is still running, so it cannot be deleted. End it first: with the button on its page, or with "
    "POST /api/v1/interview/end when it is held by text. One that nobody came back to Viva ends by itself, by voice "
    "and by phone within half an hour or so, by text after a day."
)

FINISHING_S = 60.0
"""How long the worker may take to finish the recording. After that it is thought to be dead, and we do it."""


class Details(Summary):
    """A summary, and whether there is something to listen to."""

    recording: bool
    """True as soon as it can be played: some seconds after the interview's end."""


@dataclass(frozen=True, slots=True)
class Host:
    """How whoever hosts Viva is told from everybody else; who knows it says so when the calls are mounted."""

    check: Callable[[Request], None] = lambda _: None
    """Raises HTTPException when a call does not come from the host."""
    sent_token: Callable[[Request], bool] = lambda _: False
    """Whether a call brings what only the host has."""


def routes(
    store: RecordStore,
    data_dir: Path,
    *,
    clock: Callable[[], float] = time.time,
    forget: Callable[[str], None] = lambda _: None,
    host: Host | None = None,
) -> APIRouter:
    """The calls under `/api/interviews` that show what was recorded.

    A record that cannot be read or written ends a call with RecordError, which the application answers.

    Args:
        store: The record.
        data_dir: The folder whose `interviews/<id>/` hold the recordings.
        clock: Seconds since the epoch.
        forget: Called with the id of an interview that is about to be deleted, for what others keep of it. When it
            raises RecordError, the interview stays.
        host: Who may delete, and who may see scores before the end. Without it anybody may, so mount the calls
            without it only where nobody else gets to.
    """
    host = host or Host()
    router = APIRouter(prefix="/api/interviews", tags=["review"])
    recordings = _Recordings(store, data_dir, clock)
    told = _Told(store, host)
    _add_records(router, store, recordings)
    _add_deletion(router, store, data_dir, forget, host)
    _add_views(router, store, told)
    _add_recording(router, store, recordings)
    return router


class _Recordings:
    """Finds an interview's recording, and finishes one that its worker left in pieces."""

    def __init__(self, store: RecordStore, data_dir: Path, clock: Callable[[], float]) -> None:
        self._store = store
        self._data_dir = data_dir
        self._clock = clock
        self._finishing = threading.Lock()

    def folder(self, interview_id: str) -> Path:
        return interview_dir(self._data_dir, interview_id)

    def is_there(self, interview_id: str, events: Sequence[Event]) -> bool:
        folder = self.folder(interview_id)
        if finished_recording(events, folder) is not None:
            return True
        with self._finishing:
            events = _events(self._store, interview_id)
            return finished_recording(events, folder) is not None or (
                self._is_abandoned(events) and bool(pieces_of(events, folder))
            )

    def file(self, interview_id: str, events: Sequence[Event]) -> Path:
        folder = self.folder(interview_id)
        finished = finished_recording(events, folder) or self._finish(interview_id, folder)
        return folder / finished.path

    def _is_abandoned(self, events: Sequence[Event]) -> bool:
        ended_at = max((event.at for event in events if isinstance(event, InterviewEnded)), default=math.inf)
        return self._clock() - ended_at > FINISHING_S

    def _finish(self, interview_id: str, folder: Path) -> RecordingFinished:
        # A player asks for several parts at once: the first request joins the pieces, the others wait for it. Whoever
        # waited reads the record again, since what it read before names pieces that are gone.
        with self._finishing:
            events = _events(self._store, interview_id)
            finished = finished_recording(events, folder)
            if finished is not None:
                return finished
            if not pieces_of(events, folder):
                raise HTTPException(404, _BY_TEXT if medium_of(events) == "text" else _NO_RECORDING)
            if not self._is_abandoned(events):
                raise HTTPException(404, _NOT_WHOLE_YET)
            try:
                return finish_recording(self._store, interview_id, folder, clock=self._clock)
            except RecordingError as error:
                raise HTTPException(404, str(error)) from error


class _Told:
    """Reads events for a caller: before the end only the host gets those that say how answers were judged.

    The candidate's page runs on the host's machine too, where no token is needed. So a call that brings none has to
    say that it wants the scores, and no page of the candidate's says it.
    """

    def __init__(self, store: RecordStore, host: Host) -> None:
        self._store = store
        self._host = host

    def stored(self, request: Request, interview_id: str, *, scores: bool, after: int = 0) -> list[Stored]:
        if scores:
            self._host.check(request)
        stored = self._store.events(interview_id, after)
        # In this order: what was read before the end and is looked at after it may be told whole.
        if scores or self._host.sent_token(request) or self._store.status(interview_id) in ("ended", None):
            return stored
        return [replace(one, event=before_the_end(one.event)) for one in stored]

    def events(self, request: Request, interview_id: str, *, scores: bool) -> list[Event]:
        events = [one.event for one in self.stored(request, interview_id, scores=scores)]
        if not events:
            raise _unknown(interview_id)
        return events


WithScores = Annotated[
    bool, Query(description="Tell before the end, too, how answers were judged. Only for whoever hosts Viva.")
]


def _add_records(router: APIRouter, store: RecordStore, recordings: _Recordings) -> None:
    @router.get("")
    def list_interviews() -> list[Summary]:
        return store.interviews()

    @router.get("/{interview_id}")
    def show_interview(interview_id: str) -> Details:
        summary = store.interview(interview_id)
        if summary is None:
            raise _unknown(interview_id)
        events = _events(store, interview_id)
        return Details(**summary.model_dump(), recording=recordings.is_there(interview_id, events))


def _add_deletion(
    router: APIRouter, store: RecordStore, data_dir: Path, forget: Callable[[str], None], host: Host
) -> None:
    @router.delete("/{interview_id}", status_code=204, name="delete_interview")
    def delete(interview_id: str, request: Request) -> None:
        host.check(request)
        status = store.status(interview_id)
        if status is None:
            raise _unknown(interview_id)
        # One that cannot be read cannot go on either, and nobody could end it.
        if status == "running" and not store.fault(interview_id):
            raise HTTPException(409, _STILL_RUNNING)
        try:
            delete_interview(store, data_dir, interview_id, forget)
        except RecordingLeftError as error:
            raise HTTPException(503, str(error)) from error


def _add_views(router: APIRouter, store: RecordStore, told: _Told) -> None:
    @router.get("/{interview_id}/events")
    def list_events(
        interview_id: str, request: Request, after: Annotated[int, Query(ge=0)] = 0, *, scores: WithScores = False
    ) -> list[Stored]:
        if not store.length(interview_id):
            raise _unknown(interview_id)
        return told.stored(request, interview_id, scores=scores, after=after)

    @router.get("/{interview_id}/transcript")
    def show_transcript(interview_id: str, request: Request, *, scores: WithScores = False) -> Transcript:
        return build_transcript(told.events(request, interview_id, scores=scores))

    @router.get("/{interview_id}/transcript.vtt")
    def export_captions(interview_id: str, request: Request) -> Response:
        transcript = build_transcript(told.events(request, interview_id, scores=False))
        if transcript.medium == "text":
            raise HTTPException(404, _BY_TEXT)
        return PlainTextResponse(webvtt(transcript), media_type="text/vtt")

    @router.get("/{interview_id}/transcript.md")
    def export_transcript(interview_id: str, request: Request, *, scores: WithScores = False) -> Response:
        events = told.events(request, interview_id, scores=scores)
        text = transcript_markdown(build_transcript(events), summarize(interview_id, events))
        return PlainTextResponse(text, media_type="text/markdown")

    @router.get("/{interview_id}/report")
    def show_report(interview_id: str) -> Report:
        return _report(store, interview_id)

    @router.get("/{interview_id}/report.md")
    def export_report(interview_id: str) -> Response:
        return PlainTextResponse(markdown(_report(store, interview_id)), media_type="text/markdown")


def _add_recording(router: APIRouter, store: RecordStore, recordings: _Recordings) -> None:
    @router.get("/{interview_id}/recording", response_class=FileResponse)
    def play_recording(interview_id: str) -> FileResponse:
        path = recordings.file(interview_id, _events(store, interview_id))
        return FileResponse(path, media_type="audio/ogg", content_disposition_type="inline")


def _report(store: RecordStore, interview_id: str) -> Report:
    events = _events(store, interview_id)
    if status_of(events) != "ended":
        raise HTTPException(409, "The interview is not over yet. Its report is ready as soon as it has ended.")
    return build_report(events)


def _events(store: RecordStore, interview_id: str) -> list[Event]:
    events = [stored.event for stored in store.events(interview_id)]
    if not events:
        raise _unknown(interview_id)
    return events


def _unknown(interview_id: str) -> HTTPException:
    return HTTPException(404, _NOT_HERE.format(interview_id))
