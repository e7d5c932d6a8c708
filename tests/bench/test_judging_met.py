"""What a candidate meets of the judge's mistakes, as `make bench-judging` counts it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench.judging.data import SpokenAnswer
from bench.judging.met import Met, met
from domain.question import FollowUp, KeyPoints, Question
from domain.verdict import Quote, Verdict
from domain.vocabulary import VerdictStatus

POINTS = ("Water must boil.", "Leaves steep for three minutes.", "The pot is warmed first.")
IDEA = "Leaves may stay in the pot."
QUESTION = Question(
    id="pot", text="How do you make a pot of tea?", kind="retrieved", source="plan", topic="serving",
    topic_title="Serving", difficulty="easy", targets=KeyPoints(points=POINTS, misconceptions=(IDEA,)),
    expected_answer="", concepts=("pots",), minutes=2, follow_ups=(FollowUp(points=POINTS[1:2], text="How long?"),),
)  # fmt: skip


def answer(*labels: VerdictStatus, stated: bool = False) -> SpokenAnswer:
    """An answer with these labels."""
    words = tuple("you boil the water and pour it over the leaves in a pot".split())
    return SpokenAnswer("a", QUESTION, "fluent", words, labels, (stated,))


def verdicts(*statuses: VerdictStatus, probability: float = 0.9) -> Sequence[Verdict]:
    """Verdicts on the key points, equally sure."""
    quote = Quote(text="you boil the water", first_word=0, last_word=3)
    return [
        Verdict(point=point, status=status, probability=probability, quote=None if status == "missing" else quote)
        for point, status in zip(POINTS, statuses, strict=True)
    ]


def test_a_follow_up_is_held_against_the_label_of_the_point_that_it_asks_for() -> None:
    """The pack's own question for the first open point that has one is asked in an interview, and counted here."""
    given = met(answer("covered", "partly", "missing"), verdicts("partly", "missing", "missing"))
    assert given.asked == "partly"


@pytest.mark.parametrize(("label", "right"), [("contradicted", True), ("covered", False)])
def test_a_doubt_is_held_against_the_label_of_what_it_is_about(label: VerdictStatus, right: bool) -> None:
    """Who doubts asks for nothing else."""
    given = met(answer("covered", label, "missing"), verdicts("covered", "contradicted", "missing", probability=0.95))
    assert (given.doubted, given.surest_wrong, given.asked) == (right, right, None)


def test_a_doubt_about_a_misconception_is_right_where_it_was_stated() -> None:
    """It has no label as key points have."""
    quote = Quote(text="leaves in a pot", first_word=9, last_word=12)
    stated = Verdict(point=IDEA, kind="misconception", status="contradicted", probability=0.95, quote=quote)
    given = verdicts("covered", "covered", "covered")
    assert met(answer("covered", "covered", "covered", stated=True), [*given, stated]).doubted is True
    assert met(answer("covered", "covered", "covered"), [*given, stated]).doubted is False


def test_what_nobody_meets_is_not_counted() -> None:
    """A good answer draws praise, and nothing else."""
    given = met(answer("covered", "covered", "covered"), verdicts("covered", "covered", "covered"))
    assert given == Met(praised="covered")


def test_praise_and_what_a_coach_tells_are_held_against_the_labels_of_their_points() -> None:
    """Of what is corrected nobody counts a point that is told besides."""
    given = met(answer("contradicted", "covered", "missing"), verdicts("covered", "missing", "missing"))
    assert (given.praised, given.taught) == ("contradicted", "covered")
    doubted = met(answer("covered", "missing", "missing"), verdicts("covered", "contradicted", "missing"))
    assert (doubted.praised, doubted.taught) == ("covered", None)
