"""Which verdicts are acted on before the candidate, and how the limits for it are chosen."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domain.verdict import Evaluation, Quote, Verdict
from domain.vocabulary import VerdictStatus
from graph.judging.selection import Limits, load_limits, said_beside_others, selected
from graph.judging.stacking import STATUSES
from training.judge.selection import MISTAKES, NOBODY, WRONG_DOUBTS, WRONG_PRAISE, Judgement, choose

LIMITS = NOBODY.model_copy(update={"gap": -0.2, "little": 0.3, "key_point": 0.7, "misconception": 0.8, "praise": 0.8})
QUOTE = Quote(text="it is warm", first_word=0, last_word=2)
rows = st.lists(st.lists(st.floats(0.01, 1), min_size=4, max_size=4), min_size=1, max_size=6)


def odds_of(*rows: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.floating]]:
    """Each row in shares of one."""
    made = np.array(rows)
    return np.asarray(made / made.sum(axis=1, keepdims=True))


def verdict(status: VerdictStatus, probability: float, point: str = "p") -> Verdict:
    """A verdict on a key point."""
    quote = None if status == "missing" else QUOTE
    return Verdict(point=point, status=status, probability=probability, quote=quote)


def test_a_point_is_asked_for_where_it_was_said_less_than_the_others() -> None:
    """The same probability asks in a good answer, and leaves it in one of which nothing is sure."""
    missing = [0.1, 0.15, 0.7, 0.05]
    good = selected(
        [verdict("missing", 0.7), verdict("covered", 0.8)], odds_of(missing, [0.8, 0.15, 0.02, 0.03]), LIMITS
    )
    unsure = selected(
        [verdict("missing", 0.7), verdict("missing", 0.5)], odds_of(missing, [0.2, 0.2, 0.5, 0.1]), LIMITS
    )
    assert [each.told for each in good] == [True, True]
    assert [each.told for each in unsure] == [False, False]


def test_where_little_was_said_at_all_every_missing_point_may_be_asked_for() -> None:
    """Beside nothing there is no difference."""
    odds = odds_of([0.05, 0.1, 0.8, 0.05], [0.1, 0.1, 0.75, 0.05])
    assert all(each.told for each in selected([verdict("missing", 0.8), verdict("missing", 0.75)], odds, LIMITS))


def test_a_doubt_needs_the_probability_of_its_kind() -> None:
    """Key points and misconceptions have limits of their own."""
    wrong = Verdict(point="m", kind="misconception", status="contradicted", probability=0.75, quote=QUOTE)
    told = selected([verdict("contradicted", 0.75), wrong], odds_of([0.1, 0.1, 0.05, 0.75]), LIMITS)
    assert [each.told for each in told] == [True, False]
    evaluation = Evaluation(question_id="q", topic="t", difficulty="easy", judge="test", verdicts=told, scores=None)
    assert [each.point for each in evaluation.doubts] == ["p"]
    assert len(evaluation.contradictions) == 2


def test_only_what_was_surely_made_is_praised() -> None:
    """Half a point is spoken of where no whole one was made, and never in the place of one that may be wrong."""

    def judged(*verdicts: Verdict) -> Evaluation:
        told = selected(verdicts, odds_of(*[[0.8, 0.1, 0.05, 0.05]] * len(verdicts)), LIMITS)
        return Evaluation(question_id="q", topic="t", difficulty="easy", judge="test", verdicts=told, scores=None)

    unsure, half = verdict("covered", 0.79, "unsure"), verdict("partly", 0.9, "half")
    assert [each.point for each in judged(unsure, verdict("covered", 0.8, "sure"), half).praised] == ["sure"]
    assert judged(unsure, half).praised == ()
    assert [each.point for each in judged(half).praised] == ["half"]
    assert [each.point for each in judged(unsure, half).credited] == ["unsure"]


def test_what_a_judge_says_nothing_of_is_as_it_was() -> None:
    """A language model, a person, an earlier record: everything missing may be asked for, in its order."""
    verdicts = (verdict("missing", 0.5, "one"), verdict("missing", 0.9, "two"))
    plain = Evaluation(question_id="q", topic="t", difficulty="easy", judge="test", verdicts=verdicts, scores=None)
    assert plain.left_out == plain.missed == ("one", "two")
    told = tuple(each.model_copy(update={"told": True}) for each in verdicts)
    assert plain.model_copy(update={"verdicts": told}).left_out == ("two", "one")


@given(rows)
def test_nothing_but_what_may_be_told_is_changed(given_: list[list[float]]) -> None:
    """Statuses, probabilities and counts stay; what is half made is nothing to act on."""
    odds = odds_of(*given_)
    before = [verdict(STATUSES[int(row.argmax())], round(float(row.max()), 3)) for row in odds]
    after = selected(before, odds, LIMITS)
    assert [each.model_copy(update={"told": None}) for each in after] == before
    assert all((each.told is None) == (each.status == "partly") for each in after)
    assert len(said_beside_others(odds[:, 0])) == len(odds)


@given(st.lists(st.tuples(st.floats(0, 0.5), st.booleans(), st.floats(0.5, 1), st.booleans()), max_size=30))
def test_limits_that_are_chosen_make_few_mistakes_on_what_they_were_chosen_by(
    given_: list[tuple[float, bool, float, bool]],
) -> None:
    """However the answers are, and nothing is acted on where that cannot be had."""
    judgements = []
    for number, (said, was_said, sure, wrong) in enumerate(given_):
        odds = odds_of([said, 0, 1 - said, 0], [0.05, 0.05, 0, 0.9], [sure, 0, 0, 1 - sure])
        labels: dict[str, VerdictStatus | bool] = {
            "gap": "covered" if was_said else "missing",
            "wrong": "contradicted" if wrong else "covered",
            "good": "contradicted" if wrong else "covered",
        }
        verdicts = (
            verdict("missing", 1 - said, "gap"),
            verdict("contradicted", sure, "wrong"),
            verdict("covered", sure, "good"),
        )
        judgements.append(Judgement(f"q{number}", verdicts, odds, labels))
    chosen = choose(judgements).chosen
    assert chosen.said <= chosen.follow_ups * MISTAKES
    assert chosen.not_wrong <= chosen.doubts * WRONG_DOUBTS
    assert chosen.not_right <= chosen.praises * WRONG_PRAISE


def test_the_limits_that_ship_say_what_they_were_chosen_by() -> None:
    """And they act on something."""
    limits: Limits = load_limits()
    assert limits.chosen.said <= limits.chosen.follow_ups * MISTAKES
    assert limits.chosen.not_wrong <= limits.chosen.doubts * WRONG_DOUBTS
    assert limits.chosen.not_right <= limits.chosen.praises * WRONG_PRAISE
    assert limits.chosen.follow_ups > 0
    assert limits.chosen.praises > 0
    assert limits.chosen.doubts > 0
