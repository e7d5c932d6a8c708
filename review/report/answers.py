"""Answers as they stand at the end: what was taken, judged and said about each of them.

A turn is not final when it is recorded. A candidate who goes on before the next question is heard takes the turn back,
one who corrects an earlier answer replaces its judgement, a turn that failed is given up, and a worker that comes back
after a crash may judge an answer once more. Here each answer is found in its last form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.events import (
    AnswerJudged,
    AnswerMeasured,
    AnswerTaken,
    Event,
    FeedbackReady,
    IntentDetected,
    ReviewReleased,
    ReviewRequested,
    SpeechEnded,
    SpeechStarted,
    TurnVoided,
    VerdictContested,
    Word,
)
from domain.verdict import Scores
from domain.vocabulary import Intent
from review.report.answer_spans import AnswerPart, judged_parts, text_of, whole_turn, words_of

DIFFICULTY_WEIGHTS = {"easy": 0.7, "medium": 1.0, "hard": 1.3}
"""What an answer counts in the adjusted score, by the difficulty of its question."""

_ASKED_UP_TO = 0.7
_NEVER_ASKED_ABOUT = frozenset({"answer", "hold", "go_on", "distress", "abuse", "unintelligible"})
"""What decided for interviews whose records do not say it: the confidence (0 to 1) up to which the interviewer asked,
and the intents that were honoured however unsure. A new record says what was decided: these are never to change."""

_THANKS = "acknowledgement"
"""Structure of what is heard after an answer in an exam. Only old records have to be told by it."""

GIVEN_UP = "Something failed in this turn, and it was given up."
"""Why the answer of a voided turn has no scores."""

PERSON = "person"
"""Who judged again when a person decided it, and no judge."""

_OfTurn = (
    IntentDetected
    | AnswerJudged
    | AnswerMeasured
    | VerdictContested
    | FeedbackReady
    | SpeechEnded
    | ReviewRequested
    | ReviewReleased
    | TurnVoided
)


@dataclass(slots=True)
class GivenAnswer:
    """One turn of the candidate, and what followed from it."""

    turn: int
    question_id: str
    """The question that it answers: of a correction, an earlier one."""
    taken: AnswerTaken | None = None
    intent: Intent | None = None
    honoured: bool = True
    """False when it was not sure that the request was one, so that the interviewer asked."""
    judged: AnswerJudged | None = None
    """The judgement that stands: as it was first given, or as it is after it was contested."""
    first_judged: AnswerJudged | None = None
    """What was judged before anybody contested it; None when nobody has."""
    contests: list[VerdictContested] = field(default_factory=list)
    parts: tuple[AnswerPart, ...] = ()
    """Where its words are; the words of an answer may be in earlier turns too."""
    feedback: FeedbackReady | None = None
    """What was written for the candidate; never the thanks that are heard instead of what is kept."""
    kept: bool = False
    """True when it was kept for the report, and the candidate heard thanks instead."""
    feedback_ends: list[SpeechEnded] = field(default_factory=list)
    """The ends of the feedback's sentences that were spoken."""
    replied_at: float | None = None
    """When the interviewer's voice was first heard after it."""
    review_requested: ReviewRequested | None = None
    review_released: ReviewReleased | None = None
    voided: bool = False
    """True when the turn failed and was given up: nothing in it counts, and it corrects nothing."""
    corrects: GivenAnswer | None = None
    """The answer that this one takes the place of."""

    @property
    def words(self) -> Sequence[Word]:
        """The words that the verdicts' indices point into."""
        return words_of(self.parts)

    @property
    def text(self) -> str:
        """The whole answer."""
        return text_of(self.parts)

    @property
    def scores(self) -> Scores | None:
        """The scores; None when the answer is not scored, for whatever reason."""
        return self.judged.scores if self.judged else None

    @property
    def counts(self) -> bool:
        """True when its scores are in the averages: those of a judge that stood in are shown, and are in none."""
        return self.judged is not None and self.judged.scores is not None and not self.judged.fallback

    @property
    def skipped(self) -> bool:
        """True when the candidate let the question go without an answer that could be judged."""
        return self.judged is None and self.intent == "skip" and self.honoured and not self.voided

    @property
    def is_answer(self) -> bool:
        """False when the candidate only asked for something: to repeat, to wait, to stop."""
        return self.judged is not None or self.skipped or self.intent in (None, "answer")


def standing_turns(events: Sequence[Event]) -> list[GivenAnswer]:
    """The candidate's turns that were not taken back, in order; requests and corrected answers among them."""
    turns: list[GivenAnswer] = []
    said: dict[int, AnswerTaken] = {}
    taken = {event.turn for event in events if isinstance(event, AnswerTaken)}
    for event in events:
        match event:
            case AnswerTaken():
                said[event.turn] = event
                _drop_taken_back(turns, event)
                given = GivenAnswer(event.turn, event.question_id, taken=event, parts=whole_turn(event))
                given.intent = event.pressed
                turns.append(given)
            case SpeechStarted() if turns and turns[-1].replied_at is None:
                turns[-1].replied_at = event.at
            case AnswerJudged() if event.turn not in taken and not _latest(turns, event.turn):
                turns.append(GivenAnswer(event.turn, event.question_id, judged=event))
            case (
                IntentDetected()
                | AnswerJudged()
                | AnswerMeasured()
                | VerdictContested()
                | FeedbackReady()
                | SpeechEnded(speech="feedback")
                | ReviewRequested()
                | ReviewReleased()
                | TurnVoided()
            ):
                if turn := _latest(turns, event.turn):
                    _note(turn, event, said)
            case _:
                pass
    return turns


def given_answers(events: Sequence[Event]) -> list[GivenAnswer]:
    """The answers that stand, in the order of their questions; skipped ones among them, requests not.

    An answer that was corrected is in the correction, which has its place.
    """
    turns = standing_turns(events)
    judged_elsewhere = {
        part.taken.turn for turn in turns if turn.judged for part in turn.parts if part.taken.turn != turn.turn
    }
    answers = [turn for turn in turns if turn.is_answer and (turn.judged or turn.turn not in judged_elsewhere)]
    places: dict[int, int] = {}
    standing: list[GivenAnswer] = []
    for answer in answers:
        replaced = answer.judged.replaces_turn if answer.judged else None
        place = places.get(replaced) if replaced is not None else None
        if place is None:
            places[answer.turn] = len(standing)
            standing.append(answer)
        else:
            answer.corrects = standing[place]
            standing[place] = answer
            places[answer.turn] = place
    return standing


def asked_back(intent: IntentDetected) -> bool:
    """True when the interviewer asked whether a request was meant, and did not act on it."""
    if intent.asked is not None:
        return intent.asked
    return intent.confidence <= _ASKED_UP_TO and intent.intent not in _NEVER_ASKED_ABOUT


def mean(values: Sequence[float]) -> float | None:
    """The mean, to one decimal; None of nothing: no score is not the same as zero."""
    return round(math.fsum(values) / len(values), 1) if values else None


def _drop_taken_back(turns: list[GivenAnswer], taken: AnswerTaken) -> None:
    """Take back the turn that this one continues, or that it repeats after a crash."""
    if not turns:
        return
    last = turns[-1]
    if (last.taken.question_id if last.taken else last.question_id) != taken.question_id:
        return
    if taken.continues or last.turn == taken.turn:
        turns.pop()


def _note(turn: GivenAnswer, event: _OfTurn, said: dict[int, AnswerTaken]) -> None:
    match event:
        case IntentDetected():
            turn.intent = event.intent
            turn.honoured = not asked_back(event)
        case AnswerJudged():
            turn.judged = event
            turn.question_id = event.question_id
            turn.parts = judged_parts(event, said)
        case AnswerMeasured():
            turn.judged = turn.judged.model_copy(update={"metrics": event.metrics}) if turn.judged else None
        case VerdictContested():
            _contest(turn, event)
        case FeedbackReady():
            _note_feedback(turn, event)
        case SpeechEnded():
            turn.feedback_ends.append(event)
        case ReviewRequested():
            turn.review_requested = event
        case ReviewReleased():
            turn.review_released = event
        case TurnVoided():
            turn.voided = True
            turn.judged = _void(turn.judged) if turn.judged else None


def _note_feedback(turn: GivenAnswer, event: FeedbackReady) -> None:
    kept = event.delivery == "kept"
    thanks = event.structure == _THANKS if event.delivery is None else turn.kept and not kept
    turn.kept = turn.kept or kept or thanks
    if not thanks:
        turn.feedback = event


def _void(judged: AnswerJudged) -> AnswerJudged:
    """What is left of a judgement when its turn was given up: which question it was about, and where its words are."""
    nothing: dict[str, object] = {
        "verdicts": (), "scores": None, "not_scored": GIVEN_UP, "fallback": False, "drift": False, "second_judge": "",
        "second_verdicts": (), "replaces_turn": None, "metrics": None,
    }  # fmt: skip
    return judged.model_copy(update=nothing)


def _contest(turn: GivenAnswer, event: VerdictContested) -> None:
    judged = turn.judged
    if judged is None or turn.voided:
        return
    turn.first_judged = turn.first_judged or judged
    turn.contests.append(event)
    update = event.model_dump(include={"not_scored", "fallback"})
    update |= {"verdicts": event.verdicts, "scores": event.scores}
    if event.judge != PERSON:
        update["judge"] = event.judge
    turn.judged = judged.model_copy(update=update)


def _latest(turns: Sequence[GivenAnswer], number: int) -> GivenAnswer | None:
    return next((turn for turn in reversed(turns) if turn.turn == number), None)
