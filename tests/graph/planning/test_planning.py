"""Plan, difficulty, time and follow-ups, row by row."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.candidate import JobRequirements
from domain.verdict import Evaluation, Scores, Verdict
from domain.vocabulary import DIFFICULTIES
from graph.follow_ups.policy import next_kind
from graph.intents import DetectedIntent
from graph.judging.scoring import score
from graph.planning.plan import InterviewPlan, make_plan, next_topic, target_questions
from graph.planning.requested_question import Wish, leaning, read_wish
from graph.planning.role import read_role, topics_asked
from graph.planning.supervision import end_reason
from graph.planning.trend import ema, trend
from tests.graph.fakes import tea_pack

PLAN = InterviewPlan(
    topics=("leaves", "water", "serving", "leaves"),
    difficulty_curve=("medium", "medium", "hard", "hard"),
    fundamentals=("water",),
)


@pytest.mark.parametrize(("minutes", "questions"), [(3, 5), (20, 5), (24, 6), (30, 7), (48, 12), (90, 12)])
def test_target_questions(minutes: int, questions: int) -> None:
    """One question for every four minutes, from five to twelve."""
    assert target_questions(minutes) == questions


@pytest.mark.parametrize(
    ("trajectory", "direction"),
    [
        ([], "stable"),
        ([9, 9, 9], "stable"),
        ([8, 8, 8, 8], "stable"),
        ([6.5, 9, 10, 10, 10], "improving"),
        ([2, 6, 8, 9], "improving"),
        ([8, 2, 1, 0, 0], "declining"),
        ([10, 7, 6, 6], "declining"),
        ([1, 1, 1, 1, 1], "stable"),
    ],
)
def test_trend(trajectory: list[float], direction: str) -> None:
    """The direction of the smoothed scores over the last four."""
    assert trend(trajectory) == direction


def test_ema_weighs_the_newest_score_by_three_tenths() -> None:
    """Each smoothed value is 0.3 of the new score and 0.7 of the one before."""
    assert ema([10, 0]) == [10, 7]


@pytest.mark.parametrize(
    ("remaining_s", "done", "next_", "stop", "reason"),
    [
        (600, 1, "retrieved", False, None),
        (600, 1, "retrieved", True, "stopped"),
        (119, 1, "retrieved", False, "time_up"),
        (120, 1, "retrieved", False, None),
        (600, 5, "retrieved", False, None),
        (180, 5, "retrieved", False, None),
        (179, 5, "retrieved", False, "completed"),
        (600, 12, "retrieved", False, "completed"),
        (600, 5, "follow_up", False, None),
        (100, 5, "follow_up", False, "time_up"),
    ],
)
def test_end_reasons(remaining_s: float, done: int, next_: str, stop: bool, reason: str | None) -> None:
    """An interview ends by request, for lack of time, or when its questions are done and there is no time for more."""
    found = end_reason(
        remaining_s=remaining_s,
        main_questions=done,
        target=5,
        next_kind=next_,
        stop_asked=stop,  # type: ignore[arg-type]
    )
    assert found == reason


def test_topics_follow_the_plan_then_the_weakest() -> None:
    """The plan in order; at its end, of the topics that were asked about least, the one that went worst."""
    results = {"leaves": [3.0], "water": [8.0], "serving": [6.0]}
    assert next_topic(PLAN, [], reduced=False, topic_scores={}) == "leaves"
    assert next_topic(PLAN, ["leaves"], reduced=False, topic_scores={}) == "water"
    assert next_topic(PLAN, ["leaves", "water", "serving"], reduced=False, topic_scores={}) == "leaves"
    assert next_topic(PLAN, [*PLAN.topics], reduced=False, topic_scores=results) == "serving"
    assert next_topic(PLAN, [*PLAN.topics, "serving", "water"], reduced=False, topic_scores=results) == "leaves"


def test_fundamentals_come_first_after_a_reduction() -> None:
    """Once the difficulty was lowered, what is fundamental is asked before the rest of the plan."""
    assert next_topic(PLAN, [], reduced=True, topic_scores={}) == "water"
    assert next_topic(PLAN, ["water"], reduced=True, topic_scores={}) == "leaves"


@given(st.integers(3, 90), st.sampled_from(DIFFICULTIES))
def test_plan_has_one_difficulty_for_each_topic(minutes: int, start: str) -> None:
    """A plan is as long as its curve, begins at the asked-for difficulty and never jumps by more than one step."""
    plan = make_plan(tea_pack(), minutes, start)  # type: ignore[arg-type]
    steps = [DIFFICULTIES.index(each) for each in plan.difficulty_curve]
    assert len(plan.topics) == len(plan.difficulty_curve) == target_questions(minutes)
    assert plan.difficulty_curve[0] == start
    assert all(abs(later - earlier) <= 1 for earlier, later in pairwise(steps))


def evaluation(overall: float, *, missed: int = 0, wrong: int = 0, covered: int = 0, sure: float = 1.0) -> Evaluation:
    """An evaluation with this overall score, so many points missed, contradicted and covered."""
    statuses = ["missing"] * missed + ["contradicted"] * wrong + ["covered"] * covered
    verdicts = tuple(
        Verdict(point=f"point {n}", status=status, probability=sure, rule="test")  # type: ignore[arg-type]
        for n, status in enumerate(statuses)
    )
    given_scores = Scores(
        technical_accuracy=overall,
        completeness=overall,
        depth=overall,
        clarity=overall,
        overall=overall,
        low=0,
        high=10,
    )
    return Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="test", verdicts=verdicts, scores=given_scores
    )


@pytest.mark.parametrize(
    ("answer", "follow_ups", "remaining_s", "kind"),
    [
        (None, 0, 900, "retrieved"),
        (evaluation(3, missed=2), 0, 299, "retrieved"),
        (evaluation(5, wrong=1), 0, 900, "clarification"),
        (evaluation(5, wrong=1), 1, 900, "clarification"),
        (evaluation(5, wrong=1), 2, 900, "retrieved"),
        (evaluation(5, wrong=1, sure=0.49), 0, 900, "retrieved"),
        (evaluation(5, wrong=1, missed=1, sure=0.49), 0, 900, "follow_up"),
        (evaluation(6.9, missed=1), 0, 900, "follow_up"),
        (evaluation(6.9, missed=1), 1, 900, "follow_up"),
        (evaluation(6.9, missed=1), 2, 900, "retrieved"),
        (evaluation(6.9), 0, 900, "retrieved"),
        (evaluation(7.0, missed=1), 0, 900, "follow_up"),
        (evaluation(7.9, missed=1), 1, 900, "retrieved"),
        (evaluation(8.0, missed=1), 0, 900, "retrieved"),
    ],
)
def test_follow_up_rules(answer: Evaluation | None, follow_ups: int, remaining_s: float, kind: str) -> None:
    """Each row of the table of follow-up rules."""
    assert next_kind(answer, follow_ups=follow_ups, remaining_s=remaining_s) == kind


def test_an_unscored_answer_is_never_followed_up() -> None:
    """Nobody judged it, so there is nothing to ask more about."""
    unscored = Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="test", verdicts=(), scores=None, not_scored="Too short."
    )
    assert next_kind(unscored, follow_ups=0, remaining_s=900) == "retrieved"
    assert score([]) is None


def test_another_question_that_was_asked_for_is_no_follow_up() -> None:
    """What the candidate asks for goes before the rules of following up."""
    assert next_kind(evaluation(2.0, missed=3), follow_ups=0, remaining_s=900, wants_another=True) == "retrieved"


def test_an_interview_without_questions_left_is_completed() -> None:
    """There is nothing more to ask."""
    reason = end_reason(
        remaining_s=900, main_questions=2, target=5, next_kind="retrieved", stop_asked=False, none_left=True
    )
    assert reason == "completed"


def test_two_of_three_questions_are_in_focus() -> None:
    """Topics that were asked for come most often, the others in between."""
    plan = make_plan(tea_pack(), 36, "easy", focus=("serving",))
    assert plan.topics == (
        "serving",
        "serving",
        "leaves",
        "serving",
        "serving",
        "water",
        "serving",
        "serving",
        "leaves",
    )


def test_a_heavier_topic_comes_more_often() -> None:
    """Weights are the pack's; with the same weight topics take turns in the pack's order."""
    pack = tea_pack()
    heavy = pack.model_copy(
        update={"topics": [t.model_copy(update={"weight": 2.0 if t.id == "water" else 1.0}) for t in pack.topics]}
    )
    assert make_plan(pack, 24, "easy").topics == ("leaves", "water", "serving", "leaves", "water", "serving")
    assert make_plan(heavy, 32, "easy").topics.count("water") == 4


@pytest.mark.parametrize(
    ("intent", "detail", "wish"),
    [
        ("skip", "", Wish(another=True)),
        ("technical_assessment", "", Wish(another=True)),
        ("change_topic", "databases", Wish(another=True, other_topic=True, topic="databases")),
        ("easier", "", Wish(another=True, difficulty="easy")),
        ("harder", "", Wish(another=True, difficulty="hard")),
        ("hint", "", Wish()),
        ("stop", "", Wish()),
    ],
)
def test_what_a_request_asks_of_the_next_question(intent: str, detail: str, wish: Wish) -> None:
    """Each request for another question, and those that ask for none."""
    request = DetectedIntent(intent=intent, confidence=0.9, turn=1, detail=detail)  # type: ignore[arg-type]
    assert read_wish(request, "medium") == wish


@pytest.mark.parametrize(
    ("resume", "job", "role", "company", "years", "requirements"),
    [
        ("", "", "", "", None, ()),
        ("I have 7 years of experience, 3 of them with tea.", "", "", "", 7, ()),
        ("", "Leafworks is hiring a Senior Backend Engineer. You know serving.", "Senior Backend Engineer", "Leafworks",
         None, ("serving",)),
        ("12+ yrs as a data scientist", "Join Kettle Labs as an ML engineer!", "ML engineer", "Kettle Labs", 12, ()),
        ("Brewed since 1999 years ago", "company: Steam & Co\nAnalyst wanted", "Analyst", "Steam & Co", None, ()),
    ],
)  # fmt: skip
def test_the_role_is_read_by_rule(
    *, resume: str, job: str, role: str, company: str, years: int | None, requirements: tuple[str, ...]
) -> None:
    """What texts say about role, company, years and topics; what they do not say stays empty."""
    read = read_role(resume, job, tea_pack())
    assert (read.role, read.company, read.years, read.requirements) == (role, company, years, requirements)


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_the_reading_of_a_role(resume: str, job: str) -> None:
    """Whatever is pasted in."""
    read_role(resume, job, tea_pack())


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (evaluation(0, missed=3), "retrieved"),
        (evaluation(2, missed=2, wrong=1), "clarification"),
        (evaluation(3, missed=2, covered=1), "follow_up"),
    ],
)
def test_not_knowing_is_followed_up_only_when_something_was_said(answer: Evaluation, kind: str) -> None:
    """An "I don't know" and nothing else is left alone."""
    assert next_kind(answer, follow_ups=0, remaining_s=900, knows=False) == kind


@pytest.mark.parametrize(
    ("asked", "steps"),
    [("", 0), ("e", -1), ("eh", 0), ("eeeeh", -1), ("hhh", 2)],
)
def test_how_much_easier_or_harder_was_asked_for(asked: str, steps: int) -> None:
    """Each request is a step, and there are two of them either way."""
    names = {"e": "easier", "h": "harder"}
    intents = [DetectedIntent(intent=names[each], confidence=0.9, turn=1) for each in asked]  # type: ignore[arg-type]
    unsure = DetectedIntent(intent="easier", confidence=0.5, turn=1)
    assert leaning([*intents, unsure]) == steps


def test_a_topic_to_avoid_is_avoided_past_the_plan_too() -> None:
    """Whoever wants to talk about something else does not get the same topic again."""
    scores = {topic: [float(number)] for number, topic in enumerate(dict.fromkeys(PLAN.topics))}
    first = PLAN.topics[1]  # the first one was asked about twice
    assert next_topic(PLAN, PLAN.topics, reduced=False, topic_scores=scores) == first
    assert next_topic(PLAN, PLAN.topics, reduced=False, topic_scores=scores, avoid=[first]) != first
    assert next_topic(PLAN, PLAN.topics, reduced=False, topic_scores={}, avoid=[first]) != first


def test_what_a_job_requires_leads_the_plan() -> None:
    """Then what it welcomes, then what its text mentions; without a job, what the résumé names."""
    pack = tea_pack()
    first, second = pack.topics[0].title, pack.topics[1].title
    job = JobRequirements(must_have=(second,), nice_to_have=(first,))
    assert topics_asked(job, f"{first}. {first}.", pack)[:2] == (pack.topics[1].id, pack.topics[0].id)
    assert read_role("", "", pack).job is None
