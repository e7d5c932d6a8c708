"""Result of a rehearsal, for machines: what `--json` writes."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent.files import write_atomically
from domain.verdict import Scores, Verdict
from domain.vocabulary import EndReason, FeedbackMode, Intent
from review.report.models import Report


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TurnResult(_Result):
    """One turn of the candidate, and what followed it.

    Every `_s` is in seconds since the rehearsal began; those of sounds are as the candidate heard them. None: it did
    not happen, or was not heard.
    """

    turn: int
    """The number that the record gives it."""
    intent: Intent | None
    """What the interviewer understood the candidate to want; of an answer and a request in one, the request."""
    honoured: bool
    """False when it was not sure of the request, and asked whether it was meant."""
    wanted: Intent | None
    """What the candidate did want, by its script; None of words that were not a turn of it."""
    question_id: str
    """The question that was open."""
    end_of_speech_s: float
    """The candidate's last sound."""
    first_audio_s: float | None
    """The interviewer's first sound after it."""
    feedback_ready_s: float | None
    feedback_start_s: float | None
    """First sound of the feedback."""
    question_ready_s: float | None
    """When the next question was chosen."""
    supervised_s: float | None
    """When it was decided whether the interview goes on."""
    question_start_s: float | None
    """First sound of the next question."""
    said: str
    """The candidate's words as scripted; empty when a pause cut off what the turn before holds."""
    recognised: str
    """The candidate's words as the record has them."""
    word_accuracy: float | None
    """One minus the word error rate."""
    feedback: str
    """As it was to be spoken."""
    question: str
    """The next question, as it was to be spoken; empty when none followed."""
    reply: str
    """What else was said: the answer to a request, or the closing."""
    verdicts: tuple[Verdict, ...]
    scores: Scores | None
    not_scored: str
    """Why there are no scores, in the judge's words."""
    replaces_turn: int | None
    """The turn whose answer was corrected: this judgement takes its place."""


class BargeIn(_Result):
    """The candidate began to speak while the interviewer's voice was heard."""

    start_s: float
    """The candidate's first sound, in seconds since the rehearsal began."""
    voice_stopped_after_s: float
    """How long the interviewer was heard after it."""
    said: str


class RehearsalResult(_Result):
    """One rehearsal."""

    ok: bool
    """The interview ended as the persona asks, was recorded and judged, and all requests were understood."""
    faults: list[str]
    """Why it is not ok, one sentence each."""
    persona: str
    pack: str
    minutes: int
    feedback_mode: FeedbackMode
    url: str
    """Of the Viva that was rehearsed."""
    interview_id: str
    started_at: float
    """When the rehearsal's clock was zero, in seconds since the epoch."""
    joined_s: float | None
    """When the candidate was in the room."""
    first_sound_s: float | None
    """When the candidate first heard the interviewer."""
    first_question_s: float | None
    """When the candidate first heard a question."""
    ended_s: float | None
    """When the record says the interview ended."""
    worker_killed_s: float | None
    """When `--kill-worker-at-turn` killed the worker."""
    end_reason: EndReason | None
    interview_s: float | None
    """Length of the interview, from the record."""
    recording_s: float | None
    """Length of the recording, decoded."""
    latency_p50_s: float | None
    """Median of end of speech to first audio."""
    latency_p95_s: float | None
    word_accuracy: float | None
    """Over all turns that were taken, counted in words."""
    turns: list[TurnResult]
    barge_ins: list[BargeIn]
    lost: list[str]
    """What the candidate said that is in no turn, for instance while the worker was dead."""
    problems: list[str]
    """What failed in between, as the record has it; the interview went on if it could."""
    record: str
    """Path of the record: the SQLite file where Viva was started for the rehearsal, else its events as JSON."""
    recording: str | None
    """Path of the interview's recording."""
    heard: str
    """Path of what the candidate heard."""
    heard_started_s: float | None
    """When that file begins."""
    report_url: str
    report: Report | None
    """The interview's report, as the web serves it; None when the interview did not end."""


def write_json(result: RehearsalResult, path: Path) -> None:
    """Write it whole or not at all: a reader never sees half of a file.

    Raises:
        OSError: the folder cannot be made or written.

    """
    write_atomically(path, f"{result.model_dump_json(indent=2)}\n".encode())
