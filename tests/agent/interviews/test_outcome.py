"""What an interview adds to its candidate's profile."""

from __future__ import annotations

from agent.interviews.outcome import outcome_of
from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    PlanMade,
    QuestionSelected,
    VerdictContested,
    Word,
)
from domain.metrics import AnswerMetrics
from domain.verdict import Quote, Scores, Verdict
from domain.vocabulary import VerdictStatus

SAID = "a cache saves reads because the copy is near and it can be stale".split()
CREATED = InterviewCreated(
    at=0.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="r", user_id="ada"
)


def verdict(status: VerdictStatus, *, probability: float = 0.9, quoted: bool = True) -> Verdict:
    """A verdict on a key point, with or without words."""
    quote = Quote(text=" ".join(SAID[:4]), first_word=0, last_word=3) if quoted else None
    return Verdict(point=f"It is {status}.", status=status, probability=probability, quote=quote)


def judged(turn: int, topic: str, overall: float, *verdicts: Verdict, **changes: object) -> list[Event]:
    """A question that was asked, answered and judged."""
    question_id = f"q{turn}"
    words = [
        Word(text=word, start_at=turn * 10 + n, end_at=turn * 10 + n + 0.5, confidence=1) for n, word in enumerate(SAID)
    ]
    scores = Scores(
        technical_accuracy=overall, completeness=overall, depth=0, clarity=0, overall=overall, low=0, high=10
    )
    made = AnswerJudged(
        at=turn * 10 + 30,
        question_id=question_id,
        topic=topic,
        difficulty="medium",
        judge="built-in",
        verdicts=verdicts,
        scores=scores,
        turn=turn,
        metrics=AnswerMetrics(reasoning_depth=4, communication_clarity=7),
    )
    return [
        QuestionSelected(
            at=turn * 10,
            turn=turn - 1,
            question_id=question_id,
            text="What is a cache?",
            question_kind="retrieved",
            topic=topic,
            difficulty="medium",
            source="plan",
        ),
        AnswerTaken(
            at=turn * 10 + 20, turn=turn, question_id=question_id, text=" ".join(SAID), words=words, speech_ended_at=1.0
        ),
        made.model_copy(update=changes),
    ]


def record(*answers: list[Event]) -> list[Event]:
    """An interview that ended."""
    plan = PlanMade(
        at=1.0,
        topics=["caching", "queues"],
        difficulty_curve=["medium", "medium"],
        target_questions=2,
        by="rules",
        topic_titles=["Caching", "Queues"],
    )
    begun: list[Event] = [CREATED, InterviewStarted(at=1.0, judge="built-in"), plan]
    return [*begun, *(event for answer in answers for event in answer), InterviewEnded(at=99.0, reason="completed")]


def test_judged_answers_are_added_up() -> None:
    """With the topics as strengths and weaknesses, each with the words that prove it and their place."""
    outcome = outcome_of(
        "i",
        record(
            judged(1, "caching", 8.0, verdict("covered"), verdict("missing", quoted=False)),
            judged(2, "queues", 2.0, verdict("contradicted"), verdict("missing", quoted=False)),
        ),
    )
    assert outcome is not None
    assert (outcome.user_id, outcome.question_attempted, outcome.answers_scored, outcome.at) == ("ada", 2, 2, 99.0)
    assert (outcome.technical_accuracy, outcome.reasoning_depth, outcome.communication_clarity) == (10.0, 8.0, 14.0)
    assert [(each.kind, each.subject, each.turn) for each in outcome.evidence] == [
        ("strength", "Caching", 1),
        ("weakness", "Queues", 2),
    ]
    assert outcome.evidence[0].words == "a cache saves reads"
    assert (outcome.evidence[0].first_word, outcome.evidence[0].last_word) == (0, 3)


def test_a_topic_without_words_is_no_strength_and_no_weakness() -> None:
    """Neither is one whose verdicts nobody is sure of."""
    outcome = outcome_of(
        "i",
        record(
            judged(1, "caching", 8.0, verdict("covered", probability=0.5)),
            judged(2, "queues", 2.0, verdict("missing", quoted=False)),
        ),
    )
    assert outcome is not None
    assert outcome.evidence == ()


def test_an_answer_for_which_another_judge_stood_in_is_not_counted() -> None:
    """It was attempted, and is in no mean and proves nothing."""
    outcome = outcome_of("i", record(judged(1, "caching", 8.0, verdict("covered"), fallback=True)))
    assert outcome is not None
    assert (outcome.question_attempted, outcome.answers_scored, outcome.evidence) == (1, 0, ())


def test_a_contested_answer_counts_as_it_was_judged_again() -> None:
    """The accuracy is that of the verdicts that stand."""
    events = record(judged(1, "caching", 8.0, verdict("covered")))
    scores = Scores(technical_accuracy=1.0, completeness=1, depth=0, clarity=0, overall=1.0, low=0, high=2)
    contested = VerdictContested(
        at=120.0,
        turn=1,
        question_id="q1",
        note="No.",
        judge="person",
        verdicts=(verdict("contradicted"),),
        scores=scores,
    )
    outcome = outcome_of("i", [*events, contested])
    assert outcome is not None
    assert outcome.technical_accuracy == 1.0


def test_an_answer_of_an_old_record_is_measured_now() -> None:
    """It has its words and its verdicts."""
    outcome = outcome_of("i", record(judged(1, "caching", 8.0, verdict("covered"), metrics=None)))
    assert outcome is not None
    assert outcome.answers_scored == 1
    assert outcome.reasoning_depth > 0


def test_an_interview_that_goes_on_adds_nothing() -> None:
    """Nor does one that was never created; one without answers only says that it was held."""
    assert outcome_of("i", record()[:-1]) is None
    assert outcome_of("i", record()[1:]) is None
    assert outcome_of("i", [CREATED.model_copy(update={"guest": True}), *record()[1:]]) is None
    held = outcome_of("i", record())
    assert held is not None
    assert (held.question_attempted, held.answers_scored, held.evidence) == (0, 0, ())


def test_an_employer_is_no_strength() -> None:
    """What of a résumé was asked about is one where it is a skill; a project or a position is a place."""

    def of_resume(turn: int, topic: str) -> list[Event]:
        selected, *rest = judged(turn, topic, 8.0, verdict("covered"), verdict("covered"))
        return [selected.model_copy(update={"source": "resume", "topic_title": topic}), *rest]

    outcome = outcome_of("i", record(of_resume(1, "experience_1"), of_resume(2, "skill_kafka")))
    assert outcome is not None
    assert outcome.answers_scored == 2
    assert {each.subject for each in outcome.evidence} == {"skill_kafka"}
