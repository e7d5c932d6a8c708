"""Answers on which judges differ, for which a judge stood in, or whose verdicts a person contested."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.events import AnswerJudged, Event, VerdictContested, event_adapter
from domain.verdict import Scores, Verdict
from review import build_report, build_transcript, markdown
from review.record.summary import summarize
from review.record.timeline import time_line
from tests.review.sample_requests import requests_by_text, requests_by_voice
from tests.review.script import scores

SAMPLE = requests_by_voice(1_700_000_000.0)


def verdict(status: str, point: str = "It is so.") -> Verdict:
    """A verdict without a quote."""
    return Verdict.model_validate(
        {"point": point, "kind": "key_point", "status": status, "probability": 0.9, "rule": "r"}
    )


def judged(turn: int, overall: float, *, fallback: bool = False, drift: bool = False) -> AnswerJudged:
    """A judged answer, with the verdicts of a second judge where the two differ."""
    return AnswerJudged(
        at=float(turn),
        turn=turn,
        question_id=f"q{turn}",
        topic="topic",
        difficulty="medium",
        judge="a model",
        verdicts=[verdict("covered")],
        scores=scores(overall),
        fallback=fallback,
        drift=drift,
        second_judge="built-in" if drift else "",
        second_verdicts=[verdict("missing")] if drift else [],
    )


def contested(turn: int, overall: float, note: str = "Look again.") -> VerdictContested:
    """A person's objection, after which the answer has this score."""
    return VerdictContested(
        at=1e9, turn=turn, question_id=f"q{turn}", note=note, judge="person", verdicts=[verdict("partly")],
        scores=scores(overall),
    )  # fmt: skip


def test_old_records_know_nothing_of_drift() -> None:
    """What was recorded before there was a second judge is read as it was."""
    old = judged(1, 5.0).model_dump(exclude={"drift", "second_judge", "second_verdicts"})
    assert event_adapter.validate_python(old) == judged(1, 5.0)


def test_drift_is_shown_with_the_verdicts_of_both() -> None:
    """The first judge's verdicts count, the second's are beside them, and a caveat says so."""
    report = build_report([judged(1, 8.0, drift=True), judged(2, 8.0)])
    first, second = report.answers
    assert (first.drift, first.second_judge, second.drift) == (True, "built-in", False)
    assert ([v.status for v in first.verdicts], [v.status for v in first.second_verdicts]) == (["covered"], ["missing"])
    assert report.overall_score == 8.0
    assert any(caveat.startswith("On 1 answer the model and the built-in judge differ") for caveat in report.caveats)
    assert "built-in judged most of the key points differently than a model:" in markdown(report)


@given(st.lists(st.tuples(st.floats(0, 10).map(lambda x: round(x, 1)), st.booleans()), max_size=8))
def test_a_judge_that_stood_in_changes_no_average(answers: list[tuple[float, bool]]) -> None:
    """Whatever was scored in place of a model, every mean is that of the other answers; the score stays to be read."""
    events: list[Event] = [judged(turn, score, fallback=stood_in) for turn, (score, stood_in) in enumerate(answers, 1)]
    own: list[Event] = [event for event in events if isinstance(event, AnswerJudged) and not event.fallback]
    report, without = build_report(events), build_report(own)
    means = {"overall_score", "overall_low", "overall_high", "adjusted_score", "topic_scores", "answers_scored"}
    assert report.model_dump(include=means) == without.model_dump(include=means)
    assert report.fallback_count == len(events) - len(own)
    assert all(answer.scores is not None for answer in report.answers)


def test_what_was_contested_counts_and_what_was_first_is_shown() -> None:
    """The last contest stands; the verdicts before the first of them are kept, and no average counts both."""
    events: list[Event] = [judged(1, 2.0), judged(2, 4.0), contested(1, 5.0, "First."), contested(1, 6.0, "Second.")]
    report = build_report(events)
    answer = report.answers[0]
    assert report.overall_score == 5.0
    assert answer.scores == scores(6.0)
    assert [each.note for each in answer.contests] == ["First.", "Second."]
    assert answer.before_contest is not None
    assert (answer.before_contest.scores, answer.before_contest.verdicts[0].status) == (scores(2.0), "covered")
    assert report.answers[1].before_contest is None


def test_what_nobody_could_judge_can_be_scored_by_a_contest() -> None:
    """An answer without scores gets those that a contest brings; without any, the reason stays."""
    unscored = judged(1, 5.0).model_copy(update={"scores": None, "not_scored": "Nobody could judge it."})
    assert build_report([unscored, contested(1, 6.0)]).overall_score == 6.0
    still = contested(1, 6.0).model_copy(update={"scores": None, "not_scored": "Nobody could judge it."})
    assert build_report([unscored, still]).answers[0].not_scored == "Nobody could judge it."


def test_a_contest_of_an_unknown_answer_changes_nothing() -> None:
    """A record that was cut leads to no error and to no answer that was not given."""
    assert build_report([judged(1, 5.0), contested(9, 9.0)]) == build_report([judged(1, 5.0)])


def test_a_contest_days_later_is_no_part_of_the_interview() -> None:
    """Time taken, time line and transcript stay what they were; the list's score follows."""
    late = VerdictContested(
        at=SAMPLE[-1].at + 1e6, turn=4, question_id="ds-search", note="n", judge="person", verdicts=[],
        scores=Scores.model_validate(dict.fromkeys(Scores.model_fields, 1.0)),
    )  # fmt: skip
    for events in (SAMPLE, requests_by_text(1_700_000_000.0)):
        with_it = [*events, late]
        assert time_line(with_it) == time_line(events)
        assert build_transcript(with_it) == build_transcript(events)
        assert build_report(with_it).time_taken_minutes == build_report(events).time_taken_minutes
        assert summarize("x", with_it).overall != summarize("x", events).overall
