"""Models of the report: its shape.

Every `_s` is in seconds on the recording's time line, unless it says that it is a length. In an interview by text
nothing sounds, so there are none.
"""

from __future__ import annotations

from typing import Literal

from domain.frozen_model import FrozenModel
from domain.metrics import AnswerMetrics
from domain.verdict import Scores, Verdict
from domain.vocabulary import Difficulty, EndReason, Medium, QuestionKind, QuestionSource, VerdictStatus


class PlacedVerdict(Verdict):
    """A verdict, and where in the recording the words for it are."""

    start_s: float | None
    """Where the quote begins; None without a quote, or when its words have no times."""
    end_s: float | None


class SaidPart(FrozenModel):
    """A stretch of an answer that was given in several turns, or of which a part was taken back."""

    turn: int
    text: str
    start_s: float | None
    end_s: float | None


class HumanReview(FrozenModel):
    """What a person had to say about a turn, when one was asked to look at it."""

    why: str
    """Why it was asked for; empty when it was not."""
    released: bool
    """False when nobody has looked at it."""
    by: str
    note: str


class Contest(FrozenModel):
    """What a person had to say against a judgement."""

    note: str
    by: str
    points: list[str]
    """The points it is about; empty: all of the answer's."""
    judge: str
    """Who judged again: `person`, or the judge's name."""


class FirstJudgement(FrozenModel):
    """What was judged before it was contested."""

    judge: str
    verdicts: list[PlacedVerdict]
    scores: Scores | None
    not_scored: str


class ChangedVerdict(FrozenModel):
    """A point that was judged otherwise by the better words."""

    point: str
    first: VerdictStatus | None
    """None: nothing was said of it."""
    now: VerdictStatus | None


class HeardAgain(FrozenModel):
    """What a second decode, of the whole answer at once, changed."""

    first_heard: str
    """The words that were heard while the candidate spoke: what was said aloud rests on them."""
    changed: list[ChangedVerdict]


class ReportedAnswer(FrozenModel):
    """One answer as it stands: with what was said to go on, and without what was taken back."""

    turn: int
    question_id: str
    question: str
    question_kind: QuestionKind | None
    source: QuestionSource | Literal[""]
    topic: str
    difficulty: Difficulty | Literal[""]
    answer: str
    """The whole answer as it was judged; ` … ` stands for words between its parts that do not belong to it."""
    parts: list[SaidPart]
    """Where it was said, when that is not one stretch; else empty."""
    start_s: float | None
    end_s: float | None
    skipped: bool
    hints: int
    """Hints that were given before it."""
    verdicts: list[PlacedVerdict]
    scores: Scores | None
    """0 to 10 each, with the overall score's interval; None: not scored."""
    metrics: AnswerMetrics | None
    """How it is reasoned and how clearly it is said, as it was first judged; None in old records."""
    not_scored: str
    """Why there are no scores; empty when there are."""
    judge: str
    fallback: bool
    """True when the model judge failed and the built-in judge took over: its scores are outside every average."""
    drift: bool
    """True when the model judge and the built-in judge differ on more than half of the key points."""
    second_judge: str
    """The judge that saw it differently; empty without drift."""
    second_verdicts: list[PlacedVerdict]
    """Its verdicts."""
    contests: list[Contest]
    """In their order; the verdicts and scores above are what stands after the last of them."""
    before_contest: FirstJudgement | None
    heard_again: HeardAgain | None
    """None when it was not decoded again, or when that gave the same words."""
    feedback: str
    """The feedback as it was written."""
    feedback_heard: str
    """What of it was spoken and heard; empty when it was kept for this report."""
    thinking_s: float | None
    """Length of the pause between the end of the question and the first word of the answer; None of a correction."""
    waiting_s: float | None
    """How long the candidate waited after the last word until the interviewer's voice was heard."""
    review: HumanReview | None
    before_correction: ReportedAnswer | None
    """The answer that the candidate corrected by this one. It is outside every average."""


class Finding(PlacedVerdict):
    """A point that was made, or missed, or a misconception that was stated, with the words for it."""

    topic: str
    turn: int
    """The answer's turn."""
    question_id: str
    question: str


class Practice(FrozenModel):
    """What to practise in one topic."""

    topic: str
    score: float | None
    """The topic's mean; None when nothing in it was scored."""
    points: list[Finding]
    """What was missed and not made good later."""
    skipped: list[str]
    """Questions that were skipped."""


class ReportedProblem(FrozenModel):
    """Something that failed during the interview."""

    at_s: float
    """In an interview by text, seconds since its first event."""
    what: str
    advice: str


class ReportedNote(FrozenModel):
    """What somebody who watched the interview noted."""

    answer: int
    """Number of the answer that it is about, from 1 in the order of `answers`; 0: of none of them."""
    by: str
    note: str


class ReportedCall(FrozenModel):
    """What is known of the phone."""

    calls: int
    """More than one when the candidate called again."""
    number: str
    """The caller's number, with at most its last two digits in clear; empty when it was withheld."""
    codec: str
    """How the line carried sound; empty when that is not known."""
    loss: float | None
    """Share of packets that were lost, 0 to 1; None when nobody measured it."""
    jitter_ms: float | None
    """How unevenly packets came, milliseconds; None when nobody measured it."""
    keys: dict[str, int]
    """How often each key was pressed, for those that were."""
    on_hold_s: float


class Report(FrozenModel):
    """What came out of an interview."""

    candidate_name: str
    pack: str
    """Id of the question pack."""
    pack_title: str
    medium: Medium
    overall_score: float | None
    """Mean of the scored answers, 0 to 10; None when none is scored."""
    overall_low: float | None
    """Mean of the answers' lower ends: the overall score if every answer were at its worst."""
    overall_high: float | None
    """Mean of the answers' upper ends: the overall score if every answer were at its best."""
    adjusted_score: float | None
    """Mean weighted by the difficulty that was really asked: easy 0.7, medium 1.0, hard 1.3."""
    questions_asked: int
    """Questions that were asked, follow-ups among them; asking one again counts once."""
    answers_scored: int
    """Answers that the averages are of."""
    answers_not_scored: int
    """Answers without scores."""
    time_taken_minutes: float
    difficulty_progression: list[str]
    """Difficulty of each judged answer's question as it was really asked, in order."""
    topic_titles: dict[str, str]
    """What people call each topic that the report names, by topic id."""
    topic_scores: dict[str, float]
    """Mean of each topic's scored answers, by topic id."""
    strengths: list[str]
    """Topics with a mean of 7 or more."""
    areas_for_improvement: list[str]
    """Topics with a mean below 6."""
    best_points: list[Finding]
    """Key points that were made, the surest first, each with the candidate's words."""
    gaps: list[Finding]
    """What was missed and not made good later: what was wrong first, then what was half said, then what was not."""
    performance_notes: list[str]
    """What happened to the difficulty, and which answers are outside the averages."""
    notes: list[ReportedNote]
    """Of somebody who watched, in their order."""
    practise_next: list[Practice]
    """The weakest topic first."""
    fallback_count: int
    """Answers for which the model judge failed and the built-in judge took over. They are outside every average."""
    talk_share: float | None
    """The candidate's part of all the talking, 0 to 1; None in an interview by text."""
    answers: list[ReportedAnswer]
    caveats: list[str]
    """What to keep in mind when reading the scores: how they came about, and what they cannot say."""
    problems: list[ReportedProblem]
    end_reason: EndReason | None
    """None while the interview runs."""
    resumed: int
    """How often a new worker had to take over after a crash."""
    recorded: bool
    """False when there is no recording that the times refer to."""
    call: ReportedCall | None = None
    """Of an interview by phone."""
