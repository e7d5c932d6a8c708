"""Models of the monitor: the shape of what is shown of an interview while it goes on."""

from __future__ import annotations

from typing import Literal

from domain.frozen_model import FrozenModel
from domain.verdict import Scores, Verdict
from domain.vocabulary import (
    Difficulty,
    EndReason,
    FeedbackMode,
    Intent,
    Medium,
    QuestionKind,
    QuestionSource,
    SpeechKind,
)

Phase = Literal["created", "opening", "listening", "working", "speaking", "waiting_for_person", "ended"]
"""What happens now: nobody is there yet; it is planned and greeted; the candidate has the word; an answer is being
handled; the interviewer speaks; a turn waits for a person; it is over."""


class ActivityLine(FrozenModel):
    """One event in a line for people."""

    seq: int
    """Its number in the interview's record, from 1."""
    at: float
    """Seconds since the epoch."""
    node: str
    """Who did it: a node of the interview graph, or what works beside it (`candidate`, `voice`, `hearing`)."""
    kind: str
    """The event's kind in the record."""
    text: str


class NodeRun(FrozenModel):
    """A node of the graph that ran in the turn of now."""

    node: str
    seconds: float
    at: float
    """When it was through, in seconds since the epoch."""


class SessionClock(FrozenModel):
    """How much of the time has passed, at a moment from which the reader counts on."""

    as_of: float
    """Seconds since the epoch."""
    elapsed_s: float
    remaining_s: float
    runs: bool
    """False when time stands still: before the start, after the end, and in virtual time."""


class OpenQuestion(FrozenModel):
    """The question that was asked last."""

    question_id: str
    text: str
    topic: str
    """As people read it; empty when the record does not say."""
    kind: QuestionKind | Literal[""]
    source: QuestionSource | Literal[""]
    difficulty: Difficulty | Literal[""]


class LastJudgement(FrozenModel):
    """How the last answer was judged."""

    turn: int
    judge: str
    fallback: bool
    """True when the model judge failed and the built-in judge took over."""
    verdicts: tuple[Verdict, ...]
    scores: Scores | None
    not_scored: str
    feedback: str
    """What was written for the candidate, heard or kept."""


class RuntimeState(FrozenModel):
    """Where an interview stands."""

    phase: Phase
    stage: str
    """The node of the graph that was through last in this turn; empty before the first."""
    turn: int
    """Number of the last turn of the candidate's; 0 before the first."""
    intent: Intent | Literal[""]
    """What the candidate wanted with it; empty while nobody knows."""
    question: OpenQuestion | None
    clock: SessionClock
    questions_done: int
    target_questions: int
    difficulty: Difficulty
    """Of the next topic."""
    ema: float | None
    """Smoothed score so far, 0 to 10."""
    judge: str
    """Which is in force: `built-in`, or a model's name; empty before the start."""
    candidate_here: bool | None
    """Whether the candidate is in the room; None by text, where there is none."""
    waits_for: str
    """Why a person is to look at this turn; empty when nobody is waited for."""
    nodes: tuple[NodeRun, ...]
    """Nodes that were through in this turn, in their order."""
    judgement: LastJudgement | None
    problems: int
    """What failed, was refused, or went on without its model so far."""
    end_reason: EndReason | None


class AnswerMark(FrozenModel):
    """What one answer that stands was given. Each figure is 0 to 10; None where nothing was scored."""

    turn: int
    topic: str
    """As people read it."""
    difficulty: Difficulty | Literal[""]
    overall: float | None
    """By the judge's rules; the three metrics have a mean of their own."""
    technical_accuracy: float | None
    reasoning_depth: float | None
    communication_clarity: float | None
    not_scored: str
    """Why not; empty when it was."""
    counts: bool
    """False when it is outside the means."""


class InterviewMarks(FrozenModel):
    """The metrics of an interview so far; means are of the answers that count."""

    answers: tuple[AnswerMark, ...]
    technical_accuracy: float | None
    reasoning_depth: float | None
    communication_clarity: float | None
    combined: float | None
    """Mean of the three."""


class TurnLatency(FrozenModel):
    """What the candidate waited for in a turn, in seconds from the end of their speech; by text, from its sending."""

    turn: int
    over_s: float
    """Until the answer counted as over."""
    judged_s: float | None
    """Until it was judged; None when it was no answer, or is not judged yet."""
    first_sound_s: float | None
    """Until the interviewer's voice, or by text its first words; None while there is nothing."""
    first_sound: SpeechKind | Literal[""]
    """What that was."""
    question_s: float | None
    """Until the next question began; None when there was none, or not yet."""
    budget_s: float
    """What the first sound may take."""


class WishedTopic(FrozenModel):
    """A topic that somebody who watches would like to be asked about, and what came of it."""

    number: int
    """Of the wish in the record."""
    topic: str
    title: str
    """As people read it."""
    by: str
    at: float
    """Seconds since the epoch."""
    status: Literal["waits", "asked", "not_asked"]
    """`waits` for the next choice of a question."""
    turn: int
    """In which it was settled; 0 while it waits, and when there was no choice any more."""
    why: str
    """Why it was not asked about, as a sentence; else empty."""


class TakenNote(FrozenModel):
    """A note for the report of somebody who watches."""

    turn: int
    """The candidate's turn that it is about; 0 for the interview as a whole."""
    by: str
    note: str
    at: float
    """Seconds since the epoch."""


class MonitoredInterview(FrozenModel):
    """An interview as the monitor shows it."""

    interview_id: str
    candidate_name: str
    pack_title: str
    created_at: float
    """Seconds since the epoch."""
    minutes: int
    medium: Medium
    feedback: FeedbackMode
    has_resume: bool
    has_job_description: bool
    state: RuntimeState
    marks: InterviewMarks
    latencies: tuple[TurnLatency, ...]
    """By turn."""
    wishes: tuple[WishedTopic, ...]
    """In their order."""
    notes: tuple[TakenNote, ...]
    """In their order."""
    seq: int
    """Number of the last event that this is made from."""
