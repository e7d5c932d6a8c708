"""Deletion of an interview: its recording, what others keep of it, its record, in an order that can be repeated."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from review.audio.finishing import interview_dir
from review.record.store import RecordError, RecordStore


class RecordingLeftError(RecordError):
    """The recording could not be deleted; the interview is still there."""


def delete_interview(store: RecordStore, data_dir: Path, interview_id: str, forget: Callable[[str], None]) -> None:
    """Delete an interview for good.

    The record goes last: if anything before it fails, the interview stays listed and can be deleted again.

    Args:
        store: the record.
        data_dir: the folder whose `interviews/<id>/` hold the recordings.
        interview_id: the interview.
        forget: removes what others keep of it; raises RecordError when it cannot.

    Raises:
        RecordError: something could not be deleted.
    """
    folder = interview_dir(data_dir, interview_id)
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise RecordingLeftError(
            f"The recording in {folder} could not be deleted ({error.strerror}). Check who owns the folder."
        ) from error
    forget(interview_id)
    store.delete(interview_id)
