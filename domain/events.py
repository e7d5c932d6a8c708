"""The typed events of an interview: the only truth about what happened in it.

Events are appended while the interview runs and are never changed. Everything that people see afterwards
(transcript, report, replay) is derived from them. Every `at` and every `*_at` is in seconds since the epoch,
read from the clock of the process that saw it happen.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from domain.verdict import Evaluation, Scores, Verdict
from domain.vocabulary import (
    Delivery,
    Difficulty,
    EndReason,
    FeedbackMode,
    Intent,
    Medium,
    Mode,
    QuestionKind,
    SessionTime,
    Setting,
    SpeechKind,
    Tier,
)


class _Frozen(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        # An event is served with all of its fields: also those that it was recorded without.
        json_schema_serialization_defaults_required=True,
    )


class Word(_Frozen):
    """A recognised word and when it was said."""

    text: str
    start_at: float
    end_at: float
    confidence: float
    """0 to 1, as the recogniser gives it."""


class PlayedWord(_Frozen):
    """A word of the interviewer's and when it was played."""

    text: str
    start_at: float
    end_at: float


class _Event(_Frozen):
    at: float


class InterviewCreated(_Event):
    """Somebody asked for an interview on the start page or the command line."""

    kind: Literal["interview_created"] = "interview_created"
    candidate_name: str
    pack: str
    pack_title: str
    minutes: int
    feedback: FeedbackMode
    room: str
    """Empty for an interview by text, which needs no room."""
    medium: Medium = "voice"
    difficulty: Difficulty = "medium"
    """Where the difficulty starts."""
    focus_topics: list[str] = Field(default_factory=list)
    """Topics the candidate asked for, by id; empty: the plan chooses."""
    resume: str = ""
    """The candidate's résumé, when they gave one."""
    job_description: str = ""
    """What the job asks for that they prepare for."""
    time: SessionTime = "real"


class InterviewStarted(_Event):
    """The interviewer is in the room and about to greet."""

    kind: Literal["interview_started"] = "interview_started"
    judge: str
    """Which judge is in force: `built-in`, or a model's name."""
    resumed: bool = False
    """True when an earlier worker died and this one goes on from the last checkpoint."""


class CandidateJoined(_Event):
    """The candidate is in the room."""

    kind: Literal["candidate_joined"] = "candidate_joined"
    identity: str


class CandidateLeft(_Event):
    """The candidate is gone: a closed page, a lost line. The interview waits a while for them."""

    kind: Literal["candidate_left"] = "candidate_left"
    identity: str


class RecordingStarted(_Event):
    """A piece of the recording begins: `at` is the time of its first sample. A crash starts a new piece."""

    kind: Literal["recording_started"] = "recording_started"
    path: str
    """Relative to the interview's folder."""


class RecordingFinished(_Event):
    """The whole interview is in one file now."""

    kind: Literal["recording_finished"] = "recording_finished"
    path: str
    started_at: float
    """Time of the file's first sample."""
    duration_s: float


class SpeechStarted(_Event):
    """The interviewer's voice begins to be played into the room."""

    kind: Literal["speech_started"] = "speech_started"
    speech: SpeechKind
    text: str
    turn: int
    question_id: str = ""


class SpeechEnded(_Event):
    """The interviewer's voice ends; `heard` is what was really played."""

    kind: Literal["speech_ended"] = "speech_ended"
    speech: SpeechKind
    heard: str
    interrupted: bool
    turn: int
    question_id: str = ""
    words: list[PlayedWord] = []
    """The words of `heard`, by the voice's own account; empty where it gives none."""


class UtteranceHeard(_Event):
    """The recogniser finished one stretch of the candidate's speech. An answer has one or more of them."""

    kind: Literal["utterance_heard"] = "utterance_heard"
    text: str
    words: list[Word]


class AnswerTaken(_Event):
    """The candidate's turn is over: `text` is everything said in it, `words` index the verdicts' quotes."""

    kind: Literal["answer_taken"] = "answer_taken"
    turn: int
    question_id: str
    text: str
    words: list[Word]
    speech_ended_at: float
    """When the candidate fell silent."""
    continues: bool = False
    """True when the candidate went on before the next question was heard: this replaces the turn before."""


class IntentDetected(_Event):
    """What the candidate wanted with a turn. Of an answer that ends with a request it is the request."""

    kind: Literal["intent_detected"] = "intent_detected"
    turn: int
    intent: Intent
    confidence: float
    """0 to 1."""
    detector: str = ""
    """What found it: `rules`, or a model's name."""
    detail: str = ""
    """What the request is about: the topic named, the term to clarify; else empty."""
    asked: bool | None = None
    """True when the interviewer asked whether the request was meant, and did not act on it; None in old records."""


class AnswerJudged(Evaluation):
    """The judge's verdicts on an answer and the scores that follow from them: the graph's own evaluation."""

    at: float
    kind: Literal["answer_judged"] = "answer_judged"


class VerdictContested(_Event):
    """A person disagreed with a judgement. It may come long after the end, and what was judged before stays."""

    kind: Literal["verdict_contested"] = "verdict_contested"
    turn: int
    question_id: str
    note: str
    """Why, in the person's words."""
    by: str = ""
    points: list[str] = Field(default_factory=list)
    """The points it is about; empty: all of the answer's."""
    judge: str
    """Who judged again: `person`, or the judge's name."""
    verdicts: tuple[Verdict, ...]
    """All verdicts on the answer as they stand now."""
    scores: Scores | None
    """The scores that follow from them."""
    not_scored: str = ""
    fallback: bool = False
    """As in `AnswerJudged`."""


class FeedbackReady(_Event):
    """The feedback's words exist. In an exam there are two: what is kept, and the thanks that are heard instead."""

    kind: Literal["feedback_ready"] = "feedback_ready"
    turn: int
    text: str
    structure: str
    delivery: Delivery | None = None
    """Whether the candidate hears it, or it is kept for the report; None in old records."""


class QuestionSelected(_Event):
    """The next question is chosen. It is asked only if the supervisor goes on."""

    kind: Literal["question_selected"] = "question_selected"
    turn: int
    question_id: str
    text: str
    question_kind: QuestionKind
    topic: str
    difficulty: str
    source: str
    grade: str = ""
    """How well retrieval fitted: high, medium or low; empty for follow-ups."""
    attempts: int = 0
    """Retrieval attempts it took."""
    topic_title: str = ""
    """The topic as people read it; empty in old records."""
    minutes: float = 0.0
    """Expected minutes for asking and answering; 0 in old records."""


class Supervised(_Event):
    """The supervisor decided whether the interview goes on, and how hard the next topic is."""

    kind: Literal["supervised"] = "supervised"
    turn: int
    goes_on: bool
    end_reason: str = ""
    question_count: int
    difficulty: str
    ema: float | None
    """Smoothed score so far; None before the first scored answer."""
    remaining_s: float


class PlanMade(_Event):
    """What the interview sets out to ask."""

    kind: Literal["plan_made"] = "plan_made"
    topics: list[str]
    """Topic ids, in the order planned."""
    difficulty_curve: list[str]
    """The difficulty planned for each topic."""
    target_questions: int
    by: str
    """Who planned: `rules`, or a model's name."""
    topic_titles: list[str] = Field(default_factory=list)
    """The topics as people read them, in the same order; may be empty."""


class SettingChanged(_Event):
    """The interview goes on differently because the candidate asked for it."""

    kind: Literal["setting_changed"] = "setting_changed"
    turn: int
    what: Setting
    value: Difficulty | FeedbackMode | Mode | float
    """The new setting: a difficulty, when feedback is given, where questions come from, or the speed of the
    interviewer's voice (1 is as it was made)."""

    @field_validator("what", mode="before")
    @classmethod
    def _of_old_records(cls, what: object) -> object:
        return "feedback" if what == "feedback_mode" else what


class ReviewRequested(_Event):
    """A person is to look at this turn before the interview goes on."""

    kind: Literal["review_requested"] = "review_requested"
    turn: int
    why: str


class ReviewReleased(_Event):
    """A person looked at the turn and let the interview go on."""

    kind: Literal["review_released"] = "review_released"
    turn: int
    by: str
    note: str = ""


class TurnVoided(_Event):
    """A turn failed and was given up: its answer is not scored, judged or not, and its question is open again.

    It is about what was recorded of this turn before it.
    """

    kind: Literal["turn_voided"] = "turn_voided"
    turn: int


class FellBack(_Event):
    """An agent went on without its language model."""

    kind: Literal["fell_back"] = "fell_back"
    turn: int
    agent: str
    why: str


class ModelCalled(_Event):
    """A language model was asked. `at` is when that was over."""

    kind: Literal["model_called"] = "model_called"
    turn: int
    agent: str
    tier: Tier
    model: str
    seconds: float
    ok: bool
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    """Why it was of no use; empty when it was. It may quote what was said."""


class GateFailed(_Event):
    """What an agent produced was refused by a check."""

    kind: Literal["gate_failed"] = "gate_failed"
    turn: int
    agent: str
    check: str
    """The check's name, and what it found. It may quote what was said."""


class Retrieved(_Event):
    """The question bank was asked. `at` is when that was over."""

    kind: Literal["retrieved"] = "retrieved"
    turn: int
    cached: bool
    """True when the question was at hand, and nothing was searched."""
    grade: str
    """How well it fitted: high, medium or low."""
    attempts: int
    """Searches that it took."""
    seconds: float


class StageTimed(_Event):
    """How long one stage of a turn took: a node of the graph, or a stage of hearing and speaking. `at` is its end."""

    kind: Literal["stage_timed"] = "stage_timed"
    turn: int
    stage: str
    seconds: float


class ProblemNoticed(_Event):
    """Something failed; the interview went on if it could."""

    kind: Literal["problem_noticed"] = "problem_noticed"
    what: str
    advice: str


class InterviewEnded(_Event):
    """The interview is over.

    Nothing follows but words that were still being recognised, the finished recording, and verdicts that are contested.
    """

    kind: Literal["interview_ended"] = "interview_ended"
    reason: EndReason


Event = Annotated[
    InterviewCreated
    | InterviewStarted
    | CandidateJoined
    | CandidateLeft
    | RecordingStarted
    | RecordingFinished
    | SpeechStarted
    | SpeechEnded
    | UtteranceHeard
    | AnswerTaken
    | IntentDetected
    | AnswerJudged
    | VerdictContested
    | FeedbackReady
    | QuestionSelected
    | Supervised
    | PlanMade
    | SettingChanged
    | ReviewRequested
    | ReviewReleased
    | TurnVoided
    | FellBack
    | ModelCalled
    | GateFailed
    | Retrieved
    | StageTimed
    | ProblemNoticed
    | InterviewEnded,
    Field(discriminator="kind"),
]

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads an event from JSON or a dict: `event_adapter.validate_json(text)`."""


def nobody(_: Event) -> None:
    """The listener where nobody listens."""
