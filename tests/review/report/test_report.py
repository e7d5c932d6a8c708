"""What came out of an interview, and what it rests on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    FeedbackReady,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    QuestionSelected,
    RecordingStarted,
    SpeechStarted,
)
from domain.verdict import Quote, Verdict
from domain.vocabulary import VerdictStatus
from review import build_report, build_transcript
from review.report.answers import DIFFICULTY_WEIGHTS
from tests.review.sample_interview import FOLLOW_UP, sample_events
from tests.review.script import Script, scores, verdict

EVENTS = sample_events(1_700_000_000.0)
REPORT = build_report(EVENTS)


def judged(
    turn: int,
    overall: float | None,
    *,
    difficulty: str = "medium",
    topic: str = "topic",
    verdicts: list[Verdict] | None = None,
    judge: str = "built-in",
    fallback: bool = False,
) -> AnswerJudged:
    """A judged answer; no overall score means that it is not scored."""
    return AnswerJudged(
        at=float(turn),
        turn=turn,
        question_id=f"q{turn}",
        topic=topic,
        difficulty=difficulty,
        judge=judge,
        verdicts=verdicts or [],
        scores=None if overall is None else scores(overall),
        not_scored="Too short." if overall is None else "",
        fallback=fallback,
    )


def test_the_sample_comes_out_as_it_went() -> None:
    """Averages, topics and counts of the sample are those that its events say."""
    assert REPORT.overall_score == 6.2
    assert REPORT.adjusted_score == round((7.2 + 7.8 + 1.3 * 3.6) / 3.3, 1)
    assert (REPORT.overall_low, REPORT.overall_high) == (5.3, 7.1)
    assert (REPORT.questions_asked, REPORT.answers_scored, REPORT.answers_not_scored) == (4, 3, 1)
    assert REPORT.difficulty_progression == ["medium", "medium", "hard", "medium"]
    assert REPORT.topic_scores == {"generalisation": 7.5, "evaluation": 3.6}
    assert REPORT.strengths == ["generalisation"]
    assert REPORT.areas_for_improvement == ["evaluation"]
    assert REPORT.end_reason == "completed"
    assert REPORT.resumed == 1
    assert REPORT.fallback_count == 0
    assert REPORT.time_taken_minutes == 2.3


def test_a_replaced_turn_is_left_out() -> None:
    """Of an answer that went on only the whole is reported, with the verdicts and the feedback that stood."""
    first = REPORT.answers[0]
    assert [answer.turn for answer in REPORT.answers] == [1, 2, 4, 5]
    assert first.scores is not None
    assert first.scores.overall == 7.2
    assert first.answer.startswith("I compare")
    assert first.answer.endswith("get more data.")
    assert first.feedback_heard == "Right, the curves tell you, and early stopping helps. Cross-validation was missing."


def test_every_quote_can_be_played() -> None:
    """The seconds of each quote are those of its words in the transcript."""
    words = [word for entry in build_transcript(EVENTS).entries for word in entry.words]
    quoted = [verdict for answer in REPORT.answers for verdict in answer.verdicts if verdict.quote]
    assert len(quoted) == 7
    for one in quoted:
        assert one.start_s is not None
        assert one.end_s is not None
        assert one.quote is not None
        played = [word.text for word in words if one.start_s <= word.start_s and word.end_s <= one.end_s]
        assert " ".join(played).strip(".,").replace(",", "") == one.quote.text


def test_a_quote_without_a_place_has_no_seconds() -> None:
    """A quote whose word numbers do not fit the answer is shown, but not with seconds that are made up."""
    quote = Quote(text="x", first_word=7, last_word=9)
    wrong = Verdict(point="p", status="covered", quote=quote, probability=1.0)
    reported = build_report([judged(1, 5.0, verdicts=[wrong])]).answers[0].verdicts[0]
    assert (reported.quote, reported.start_s, reported.end_s) == (quote, None, None)


def test_questions_are_reported_as_they_were_asked() -> None:
    """Each answer has its question's words, kind, topic and difficulty."""
    follow_up, evaluation = REPORT.answers[1:3]
    assert (follow_up.question, follow_up.question_kind) == (FOLLOW_UP, "follow_up")
    assert (evaluation.topic, evaluation.difficulty, evaluation.source) == ("evaluation", "hard", "plan")


def test_waiting_and_thinking_are_measured() -> None:
    """The pause before an answer and the wait after it are lengths in seconds."""
    assert (REPORT.answers[0].thinking_s, REPORT.answers[0].waiting_s) == (1.9, 0.8)
    assert REPORT.answers[2].thinking_s == 2.4
    assert REPORT.talk_share is not None
    assert 0.2 < REPORT.talk_share < 0.6


def test_an_unscored_answer_says_why() -> None:
    """An answer that could not be judged has no scores, a reason, and no part in any average."""
    last = REPORT.answers[-1]
    assert last.scores is None
    assert last.not_scored == "The answer was too short to judge."
    assert "ensembles" not in REPORT.topic_scores
    assert "1 answer was not scored and outside every average." in REPORT.performance_notes


def test_without_scores_there_is_no_overall_score() -> None:
    """Nothing scored is None: neither zero nor the middle of the scale."""
    report = build_report([event for event in EVENTS if not isinstance(event, AnswerJudged)])
    assert (report.overall_score, report.adjusted_score, report.overall_low, report.overall_high) == (None,) * 4
    assert (report.topic_scores, report.strengths, report.areas_for_improvement) == ({}, [], [])
    assert {answer.not_scored for answer in report.answers} == {"The interview ended before this answer was judged."}
    assert any("That is not a low score" in caveat for caveat in report.caveats)
    assert build_report([]).overall_score is None


def test_a_skipped_question_is_no_zero() -> None:
    """A question that was skipped is reported as skipped, outside every average; other requests are no answers."""
    script = Script(0.0)
    for turn, intent, text in ((1, "repeat", "Say that again?"), (2, "skip", "Next question please.")):
        script.taken(turn, f"q{turn}", script.candidate(text), intent)  # type: ignore[arg-type]
    report = build_report([*script.events, judged(3, 8.0)])
    assert [(answer.turn, answer.skipped, answer.not_scored) for answer in report.answers] == [
        (2, True, "The question was skipped."),
        (3, False, ""),
    ]
    assert report.overall_score == 8.0


def test_an_answer_judged_again_after_a_crash_counts_once() -> None:
    """A worker that takes and judges the same turn once more does not add an answer."""
    script = Script(0.0)
    words = script.candidate("It depends on the data.")
    script.taken(1, "q1", words)
    script.taken(1, "q1", words)
    report = build_report([*script.events, judged(1, 4.0), judged(1, 6.0)])
    assert (report.overall_score, report.answers_scored) == (6.0, 1)


def test_a_judgement_that_comes_too_late_is_ignored() -> None:
    """Verdicts on a turn that was taken back meanwhile do not touch the turn that replaced it."""
    script = Script(0.0)
    words = script.candidate("It depends.")
    script.taken(1, "q1", words)
    script.taken(2, "q1", [*words, *script.candidate("On the data.")], continues=True)
    late = judged(1, 1.0)
    report = build_report([*script.events, judged(2, 6.0).model_copy(update={"question_id": "q1"}), late])
    assert [answer.turn for answer in report.answers if answer.scores] == [2]


def test_what_to_practise_is_what_was_missed() -> None:
    """Missed key points and stated misconceptions are listed by topic, the weakest first; points made later are not."""
    assert [practice.topic for practice in REPORT.practise_next] == ["evaluation", "generalisation"]
    points = {missed.point: missed.kind for missed in REPORT.practise_next[0].points}
    assert points["Balancing makes accuracy a good measure"] == "misconception"
    assert "A constant guess has a high accuracy" not in points
    missing, made = (verdict([], "the point", status) for status in STATUSES)
    report = build_report([judged(1, 4.0, verdicts=[missing]), judged(2, 8.0, verdicts=[made])])
    assert report.practise_next == []


STATUSES: tuple[VerdictStatus, VerdictStatus] = ("missing", "covered")


@pytest.mark.parametrize(
    ("events", "caveat"),
    [
        ([judged(1, 5.0)], "Only 1 answer was scored"),
        ([judged(1, 5.0)], "without a language model"),
        ([judged(1, 5.0, judge="qwen2.5:7b")], "The language model qwen2.5:7b gave the verdicts"),
        ([judged(1, 5.0, fallback=True), judged(2, 5.0)], "For 1 of 2 answers the model judge failed"),
        ([InterviewStarted(at=0.0, judge="built-in", resumed=True)], "interrupted by a crash"),
        ([InterviewEnded(at=0.0, reason="stopped")], "ended the interview early"),
        ([InterviewEnded(at=0.0, reason="silence")], "nothing was heard"),
    ],
)
def test_caveats_are_honest(events: list[Event], caveat: str) -> None:
    """The report says how the answers were judged, and what its figures cannot say."""
    assert any(caveat in sentence for sentence in build_report(events).caveats)


def test_unsure_recognition_is_said() -> None:
    """When the recogniser was unsure of its words, the report says that quotes need a second look."""
    script = Script(0.0)
    words = [word.model_copy(update={"confidence": 0.4}) for word in script.candidate("Mumbling all the way.")]
    script.taken(1, "q1", words)
    assert any("unsure of many words" in sentence for sentence in build_report(script.events).caveats)
    assert not any("unsure" in sentence for sentence in REPORT.caveats)


def test_the_course_of_the_difficulty_is_told() -> None:
    """Where the questions became harder or easier the notes say at which question."""
    assert REPORT.performance_notes[:2] == [
        "The difficulty went up from medium to hard at question 3.",
        "The difficulty went down from hard to medium at question 4.",
    ]


def test_a_question_that_was_chosen_but_not_asked_does_not_count() -> None:
    """Only questions whose first word was spoken count as asked; one asked twice counts once."""
    chosen = QuestionSelected(
        at=1.0,
        turn=0,
        question_id="q1",
        text="Why?",
        question_kind="retrieved",
        topic="t",
        difficulty="hard",
        source="plan",
    )
    asked = SpeechStarted(at=2.0, speech="question", text="Why?", turn=0, question_id="q1")
    assert build_report([chosen]).questions_asked == 0
    assert build_report([chosen, asked, asked]).questions_asked == 1


def test_exam_feedback_is_kept_for_the_report() -> None:
    """Feedback that was not spoken is in the report, and it says that nothing of it was heard."""
    ready = FeedbackReady(at=2.0, turn=1, text="Mention recall.", structure="gap")
    answer = build_report([judged(1, 5.0), ready]).answers[0]
    assert (answer.feedback, answer.feedback_heard) == ("Mention recall.", "")


def test_an_interview_without_a_recording_says_so() -> None:
    """Without a recording the report's times count from the first event, and it says that nothing can be played."""
    assert REPORT.recorded
    assert not build_report([event for event in EVENTS if not isinstance(event, RecordingStarted)][:10]).recorded


ANSWERS = st.lists(
    st.tuples(
        st.none() | st.floats(0, 10).map(lambda score: round(score, 2)),
        st.sampled_from([*DIFFICULTY_WEIGHTS]),
        st.sampled_from(["a", "b", "c"]),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(answers=ANSWERS)
def test_averages_are_of_scored_answers_alone(answers: list[tuple[float | None, str, str]]) -> None:
    """Whatever was scored or not, each mean is that of its scored answers, and unscored ones change nothing."""
    events: list[Event] = [
        judged(turn, score, difficulty=difficulty, topic=topic)
        for turn, (score, difficulty, topic) in enumerate(answers, 1)
    ]
    report = build_report(events)
    scored = [
        (score, DIFFICULTY_WEIGHTS.get(level, 1.0), topic) for score, level, topic in answers if score is not None
    ]
    assert report.answers_scored == len(scored)
    assert report.answers_not_scored == len(answers) - len(scored)
    if not scored:
        assert report.overall_score is None
        assert report.adjusted_score is None
        return
    total = math.fsum(score * weight for score, weight, _ in scored) / math.fsum(weight for _, weight, _ in scored)
    assert report.overall_score == pytest.approx(math.fsum(score for score, _, _ in scored) / len(scored), abs=0.051)
    assert report.adjusted_score == pytest.approx(total, abs=0.051)
    assert report.overall_score is not None
    assert report.overall_low is not None
    assert report.overall_high is not None
    assert report.overall_low <= report.overall_score <= report.overall_high
    for topic, average in report.topic_scores.items():
        own = [score for score, _, its in scored if its == topic]
        assert average == pytest.approx(math.fsum(own) / len(own), abs=0.051)
        assert (topic in report.strengths) == (average >= 7)
        assert (topic in report.areas_for_improvement) == (average < 6)


@settings(deadline=None)
@given(kept=st.lists(st.booleans(), min_size=len(EVENTS), max_size=len(EVENTS)))
def test_a_report_comes_from_any_part_of_a_record(kept: list[bool]) -> None:
    """Whatever a crash left out, there is a report, and it invents no score."""
    events = [event for event, keep in zip(EVENTS, kept, strict=True) if keep]
    report = build_report(events)
    scored = [event for event in events if isinstance(event, AnswerJudged) and event.scores]
    assert report.answers_scored <= len(scored)
    assert (report.overall_score is None) == (report.answers_scored == 0)
    taken = {event.turn for event in events if isinstance(event, (AnswerTaken, AnswerJudged, IntentDetected))}
    assert {answer.turn for answer in report.answers} <= taken
