"""What happened in an interview: its record, its recording, its report, its pages.

The interviewer appends events through a `RecordWriter` and both voices through a `StereoRecorder` while the interview
runs. Everything shown afterwards is derived from these by pure functions (`build_transcript`, `build_report`) and
served by `routes`. This room imports nothing of Viva's but the question bank's read side.
"""

from review.audio.finishing import finish_recording, interview_dir
from review.audio.joining import join_recordings
from review.audio.ogg import RecordingError
from review.audio.recorder import Side, StereoRecorder
from review.http.exports import markdown, webvtt
from review.http.pages import mount_pages
from review.http.routes import Host, routes
from review.record.deletion import delete_interview
from review.record.store import InterviewDeletedError, RecordError, RecordStore, Stored, UnreadableError
from review.record.summary import Status, Summary, Unended
from review.record.writer import RecordWriter
from review.report.build import build_report
from review.report.models import Report
from review.transcript.build import Transcript, build_transcript

__all__ = [
    "Host",
    "InterviewDeletedError",
    "RecordError",
    "RecordStore",
    "RecordWriter",
    "RecordingError",
    "Report",
    "Side",
    "Status",
    "StereoRecorder",
    "Stored",
    "Summary",
    "Transcript",
    "Unended",
    "UnreadableError",
    "build_report",
    "build_transcript",
    "delete_interview",
    "finish_recording",
    "interview_dir",
    "join_recordings",
    "markdown",
    "mount_pages",
    "routes",
    "webvtt",
]
