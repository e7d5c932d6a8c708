"""Accounts of one's own work before the built-in judge, with the encoder that comes with Viva."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from domain.question import KeyPoints, Question
from domain.verdict import Verdict
from domain.vocabulary import Aspect
from graph.exploration.aspects import aspect_sheets
from graph.follow_ups.wording import still_open
from graph.judging import BuiltInJudge
from graph.judging.own_work import by_ways_of_speaking, told
from graph.judging.scoring import evaluation_of

DATA = Path(__file__).parent / "data"
HEARD = {"missing": 0, "contradicted": 0, "partly": 1, "covered": 2}
CHOSEN_BY, UNSEEN, LATER = "answers", "unseen", "later"
"""Answers by which the ways of speaking were chosen; those by which none was, but from what length on an answer tells
what was asked for; and longer ones that were written when all of that stood.
"""


def question(aspect: Aspect) -> Question:
    """A question about an aspect of somebody's work."""
    sheets = aspect_sheets()
    return Question(
        id=f"resume-project_1-{aspect}", text="How did it go with the order portal?", kind="retrieved", source="resume",
        topic="project_1", difficulty="medium", targets=sheets.targets(aspect), concepts=(), minutes=3,
        expected_answer=sheets.aspects[aspect].answer, follow_ups=sheets.follow_ups(aspect), anchor="project_1",
        aspect=aspect,
    )  # fmt: skip


def labelled(name: str) -> list[tuple[Question, list[str], list[int]]]:
    """Questions with answers, and what a listener hears of each part."""
    return [
        (question(aspect), answer["said"].split(), answer["heard"])
        for aspect, answers in yaml.safe_load((DATA / f"{name}.yaml").read_text(encoding="utf-8")).items()
        for answer in answers
    ]


@pytest.fixture(scope="module")
def judge() -> BuiltInJudge:
    """With the encoder that comes with Viva."""
    return BuiltInJudge()


@pytest.mark.parametrize(("name", "agree", "unheard"), [(CHOSEN_BY, 0.85, 0.05), (UNSEEN, 0.7, 0.5)])
def test_verdicts_are_those_of_a_listener(
    name: str,
    agree: float,
    unheard: float,
    judge: BuiltInJudge,
    record_property: Callable[[str, object], None],
) -> None:
    """Most verdicts are a listener's, almost none gives credit for what was not told, and few miss what was."""
    pairs: list[tuple[int, int]] = []
    for asked, words, heard in labelled(name):
        verdicts = judge.judge(asked, words)
        pairs += zip((HEARD[verdict.status] for verdict in verdicts), heard, strict=True)
    same = sum(given == heard for given, heard in pairs)
    invented = sum((given, heard) == (2, 0) for given, heard in pairs)
    missed = sum((given, heard) == (0, 2) for given, heard in pairs)
    in_all = sum(heard == 2 for _, heard in pairs)
    record_property(
        "figure", f"own work, {name}: {same} of {len(pairs)}, {invented} invented, {missed} of {in_all} missed"
    )
    assert same >= agree * len(pairs)
    assert invented <= 0.05 * len(pairs)
    assert missed <= unheard * in_all


@pytest.mark.parametrize(("name", "most"), [(CHOSEN_BY, 0.05), (UNSEEN, 0.1), (LATER, 0.5)])
def test_a_follow_up_seldom_asks_for_what_was_told(
    name: str, most: float, judge: BuiltInJudge, record_property: Callable[[str, object], None]
) -> None:
    """Of longer answers in words of their own nearly every second one still does, though there are few of them."""
    asked_again = []
    for asked, words, heard in labelled(name):
        evaluation = evaluation_of("built-in", asked, judge.judge(asked, words), 0)
        if evaluation.scores and evaluation.scores.overall < 8 and (open_points := still_open(evaluation, asked)):
            asked_again.append(heard[asked.targets.points.index(open_points[0])] == 2)
    record_property("figure", f"asked again, {name}: {sum(asked_again)} of {len(asked_again)} for what was told")
    assert sum(asked_again) <= most * len(asked_again)


def test_what_was_asked_is_not_asked_again_of_who_says_enough(judge: BuiltInJudge) -> None:
    """In whatever words the hardest part is told: to ask again what it was is not to have listened."""
    asked = question("challenges")
    said = "Trust, honestly. The surgeons had been promised three systems and every one of them had eaten their notes."
    evaluation = evaluation_of("built-in", asked, judge.judge(asked, said.split()), 0)
    assert asked.targets.points[0] not in still_open(evaluation, asked)
    assert asked.targets.points[0] in still_open(
        evaluation_of("built-in", asked, judge.judge(asked, "Well, every project has its challenges.".split()), 0),
        asked,
    )


def test_nothing_that_is_told_of_ones_own_work_contradicts_it(judge: BuiltInJudge) -> None:
    """Who says that they never measured it is honest, and makes no mistake."""
    for asked, words, _ in [*labelled(CHOSEN_BY), *labelled(UNSEEN)]:
        assert all(verdict.status != "contradicted" for verdict in judge.judge(asked, words))


def test_who_says_that_they_do_not_remember_gets_no_credit(judge: BuiltInJudge) -> None:
    """Nothing is made of it but that it was said."""
    asked = question("challenges")
    evaluation = evaluation_of("b", asked, judge.judge(asked, "I don't really remember, it was long ago".split()), 0)
    assert evaluation.scores is not None
    assert evaluation.scores.overall <= 1


def test_quotes_are_the_candidates_words(judge: BuiltInJudge) -> None:
    """At the place that is given."""
    for asked, words, _ in labelled(CHOSEN_BY):
        for verdict in judge.judge(asked, words):
            if verdict.quote:
                said = words[verdict.quote.first_word : verdict.quote.last_word + 1]
                assert verdict.quote.text == " ".join(said)


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda word: bool(word.strip())), min_size=1, max_size=40))
def test_any_words_can_be_looked_at(words: list[str]) -> None:
    """No text of a candidate's breaks it, and what it quotes was said."""
    spoken = " ".join(words).split()
    for part in aspect_sheets().parts:
        heard = told(part, spoken)
        assert heard.quote is None or heard.quote.last_word < len(spoken)


def test_a_point_without_a_part_keeps_its_verdict() -> None:
    """Only parts of one's own work are known by how they are told."""
    asked = question("challenges").model_copy(update={"targets": KeyPoints(points=("A cache keeps copies.",))})
    verdict = Verdict(point="A cache keeps copies.", status="contradicted", probability=0.9)
    assert by_ways_of_speaking([verdict], asked, ["It", "does", "not."]) == (verdict,)


def test_a_part_says_whether_it_was_surely_left_out() -> None:
    """One that words hint at may have been told; one that nothing speaks of was not, and is asked for."""
    asked = question("challenges")
    read = [Verdict(point=point, status="missing", probability=0.9) for point in asked.targets.points]
    hinted = by_ways_of_speaking(read, asked, "The tricky part of the whole matter was time.".split())
    silent = by_ways_of_speaking(read, asked, "It was long ago.".split())
    assert all(each.told is None for each in hinted if each.status != "missing")
    assert [each.told for each in silent] == [True] * len(asked.targets.points)
    evaluation = evaluation_of("built-in", asked, silent, 0)
    assert set(still_open(evaluation, asked)) == set(asked.targets.points)
    unsure = [each.model_copy(update={"told": False}) for each in silent]
    assert still_open(evaluation_of("built-in", asked, unsure, 0), asked) == ()


def test_a_part_that_a_language_model_finds_missing_is_asked_for() -> None:
    """It does not say how sure it is: as of any other question, whatever it finds missing may be asked for."""
    asked = question("challenges")
    first, *others = asked.targets.points
    verdicts = [
        Verdict(point=first, status="covered", probability=0.85),
        *(Verdict(point=point, status="missing", probability=0.75) for point in others),
    ]
    assert still_open(evaluation_of("model", asked, verdicts, 0), asked) == tuple(others)
