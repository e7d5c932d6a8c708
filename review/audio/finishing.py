"""Finishing of a recording: where it lies, and how its pieces become one file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from domain.events import Event, RecordingFinished, RecordingStarted
from review.audio.joining import join_recordings
from review.record.store import RecordStore

RECORDING_NAME = "recording.ogg"

_logger = logging.getLogger(__name__)


def interview_dir(data_dir: Path, interview_id: str) -> Path:
    """The folder of an interview's files.

    Raises:
        ValueError: the id would lead out of the data folder.
    """
    folder = data_dir / "interviews" / interview_id
    if Path(interview_id).name != interview_id or interview_id in ("", ".", ".."):
        raise ValueError(f"{interview_id!r} cannot be the id of an interview: it is not a plain name")
    return folder


def finished_recording(events: Sequence[Event], folder: Path) -> RecordingFinished | None:
    """The recording in one file, if there is one and the file still exists."""
    finished = (event for event in reversed(events) if isinstance(event, RecordingFinished))
    return next((event for event in finished if (folder / event.path).is_file()), None)


def finish_recording(
    store: RecordStore,
    interview_id: str,
    folder: Path,
    *,
    clock: Callable[[], float] = time.time,
    on_problem: Callable[[str], None] | None = None,
) -> RecordingFinished:
    """Join the pieces of an interview's recording into one file and add that to the record.

    Call it when the last recorder is closed; it takes about a second for an hour of speech. The pieces are removed,
    unless one of them could not be read.

    Args:
        store: The record, which knows the pieces and when they began.
        interview_id: The interview.
        folder: The interview's folder, which holds the pieces.
        clock: Seconds since the epoch.
        on_problem: Told in a sentence about each piece that cannot be read; the others are joined.

    Raises:
        RecordingError: no piece can be read, or the file cannot be written.
        RecordError: the record cannot be read or written.
    """
    events = [stored.event for stored in store.events(interview_id)]
    out = folder / RECORDING_NAME
    pieces = pieces_of(events, folder)
    problems: list[str] = []
    started_at, duration_s = join_recordings(pieces, out, on_problem=problems.append)
    for problem in problems:
        (on_problem or _logger.warning)(problem)
    finished = RecordingFinished(at=clock(), path=out.name, started_at=started_at, duration_s=duration_s)
    store.append(interview_id, finished)
    if not problems:
        for path, _ in pieces:
            if path != out:
                path.unlink(missing_ok=True)
    return finished


def pieces_of(events: Sequence[Event], folder: Path) -> list[tuple[Path, float]]:
    """The pieces that exist, with the time of their first sample."""
    pieces = [(folder / event.path, event.at) for event in events if isinstance(event, RecordingStarted)]
    return [(path, started_at) for path, started_at in pieces if path.is_file()]
