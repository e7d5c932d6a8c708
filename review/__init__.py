"""What happened in an interview: its record, its recording, its report, its pages.

The interviewer appends events through a `RecordWriter` and both voices through a `StereoRecorder` while the interview
runs. Everything shown afterwards is derived from these by pure functions (`build_transcript`, `build_report`) and
served by `routes`. This room imports nothing of Viva's but the question bank's read side.
"""

from domain.events import (
    AnswerJudged,
    AnswerSpan,
    AnswerTaken,
    CandidateJoined,
    CandidateLeft,
    EndReason,
    Event,
    FeedbackReady,
    FellBack,
    Intent,
    IntentDetected,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    Medium,
    PlanMade,
    PlayedWord,
    ProblemNoticed,
    QuestionSelected,
    RecordingFinished,
    RecordingStarted,
    ReviewReleased,
    ReviewRequested,
    Scores,
    SettingChanged,
    SpeechEnded,
    SpeechKind,
    SpeechStarted,
    StageTimed,
    Supervised,
    TurnVoided,
    UtteranceHeard,
    VerdictContested,
    VerdictCounts,
    VerdictRecord,
    VerdictStatus,
    Word,
    event_adapter,
)
from review.audio.finishing import finish_recording, interview_dir
from review.audio.joining import join_recordings
from review.audio.ogg import RecordingError
from review.audio.recorder import Side, StereoRecorder
from review.http.exports import markdown, webvtt
from review.http.pages import mount_pages
from review.http.routes import Host, routes
from review.record.store import InterviewDeletedError, RecordError, RecordStore, Stored
from review.record.summary import Status, Summary
from review.record.writer import RecordWriter
from review.report.build import build_report
from review.report.models import Report
from review.transcript.build import Transcript, build_transcript

__all__ = [
    "AnswerJudged",
    "AnswerSpan",
    "AnswerTaken",
    "CandidateJoined",
    "CandidateLeft",
    "EndReason",
    "Event",
    "FeedbackReady",
    "FellBack",
    "Host",
    "Intent",
    "IntentDetected",
    "InterviewCreated",
    "InterviewDeletedError",
    "InterviewEnded",
    "InterviewStarted",
    "Medium",
    "PlanMade",
    "PlayedWord",
    "ProblemNoticed",
    "QuestionSelected",
    "RecordError",
    "RecordStore",
    "RecordWriter",
    "RecordingError",
    "RecordingFinished",
    "RecordingStarted",
    "Report",
    "ReviewReleased",
    "ReviewRequested",
    "Scores",
    "SettingChanged",
    "Side",
    "SpeechEnded",
    "SpeechKind",
    "SpeechStarted",
    "StageTimed",
    "Status",
    "StereoRecorder",
    "Stored",
    "Summary",
    "Supervised",
    "Transcript",
    "TurnVoided",
    "UtteranceHeard",
    "VerdictContested",
    "VerdictCounts",
    "VerdictRecord",
    "VerdictStatus",
    "Word",
    "build_report",
    "build_transcript",
    "event_adapter",
    "finish_recording",
    "interview_dir",
    "join_recordings",
    "markdown",
    "mount_pages",
    "routes",
    "webvtt",
]
