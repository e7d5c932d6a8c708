"""What a candidate's last interviews asked, and what this one makes of it, rule by rule and in whole interviews."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from domain.question import AskedBefore
from domain.vocabulary import DIFFICULTIES, Difficulty
from graph.checkpoints.serializer import serializer
from graph.planning.asked_before import (
    MOST_PRACTISED,
    begun_with,
    held_back,
    in_order,
    nearest_difficulty,
    practised,
    rotated,
    talked_out,
)
from rag.packs.pack import BankQuestion
from tests.graph.fakes import Rig, kinds, spoken, tea_pack

PACK = tea_pack()
QUESTIONS = PACK.questions
TOPICS = [topic.id for topic in PACK.topics]
FUNDAMENTAL = [topic.id for topic in PACK.topics if topic.fundamental]
IDS = [each.id for each in QUESTIONS]
SOME = st.lists(st.sampled_from(IDS), unique=True)
LEVELS = st.sampled_from(DIFFICULTIES)


def known(*ids: str, hard: Sequence[str] = (), ago: int = 1) -> dict[str, AskedBefore]:
    """These questions, asked so many interviews ago."""
    return {id_: AskedBefore(id=id_, interviews_ago=ago, hard=id_ in hard) for id_ in (*ids, *hard)}


def question(id_: str) -> BankQuestion:
    """A question of the pack."""
    return next(each for each in QUESTIONS if each.id == id_)


@given(st.lists(st.integers(), unique=True, min_size=2), st.integers(min_value=0))
def test_the_next_seed_begins_with_another(items: list[int], seed: int) -> None:
    """Two in a row never begin the same, and nothing is lost."""
    assert rotated(items, seed)[0] != rotated(items, seed + 1)[0]
    assert sorted(rotated(items, seed)) == sorted(items)


@given(SOME, SOME, st.sampled_from(TOPICS), LEVELS)
def test_what_was_asked_comes_after_what_was_not(
    asked: list[str], chosen: list[str], topic: str, level: Difficulty
) -> None:
    """While a topic has something new, nothing that was asked before is let through, whatever is wanted."""
    before = known(*asked)
    back = held_back(QUESTIONS, topic, before, chosen)
    left = [each for each in QUESTIONS if each.id not in back and each.id not in chosen and each.topic == topic]
    new = [each for each in left if each.id not in before]
    assert back <= set(asked)
    assert (topic in talked_out(QUESTIONS, before, chosen)) == (not new)
    if new:
        assert left == new
        found = nearest_difficulty(QUESTIONS, topic, level, back | set(chosen))
        assert found in {each.difficulty for each in new}
        assert all(each.difficulty == level or level != found for each in new if each.difficulty == found)


@given(st.permutations(QUESTIONS), SOME, st.sampled_from(TOPICS), LEVELS, st.integers(min_value=0))
def test_candidates_keep_to_what_is_new(
    found: list[BankQuestion], asked: list[str], topic: str, level: Difficulty, seed: int
) -> None:
    """None that was asked stands beside one that was not; with nothing new there is one, the hard before the others."""
    before = known(*asked[::2], hard=asked[1::2])
    ordered = in_order(found, topic, level, before, seed)
    if len(before) < len(QUESTIONS):
        assert {each.id for each in ordered} == set(IDS) - set(before)
    else:
        assert len(ordered) == 1
        assert before[ordered[0].id].hard


def test_what_is_longest_ago_comes_first_when_nothing_is_new() -> None:
    """Of those that were not hard."""
    candidates = [question("leaves-storage"), question("leaves-extra-0")]
    before = {**known("leaves-storage", ago=1), **known("leaves-extra-0", ago=3)}
    assert [each.id for each in in_order(candidates, "leaves", "medium", before, 0)] == ["leaves-extra-0"]


@given(SOME, SOME, st.sampled_from(TOPICS), LEVELS)
def test_practice_is_something_hard_of_the_topic(
    hard: list[str], thread: list[str], topic: str, level: Difficulty
) -> None:
    """Never first, never twice in a row, seldom, never harder than wanted, and never what went well."""
    before = known(*IDS[:4], hard=hard)
    again = practised(QUESTIONS, topic, level, before, thread)
    if again is not None:
        assert again.topic == topic
        assert before[again.id].hard
        assert thread
        assert thread[-1] not in before
        assert again.id not in thread
        assert sum(id_ in before for id_ in thread) < MOST_PRACTISED
        assert DIFFICULTIES.index(again.difficulty) <= DIFFICULTIES.index(level)


def test_what_was_hard_comes_again_as_practice() -> None:
    """After another question, what followed that up not counted; not right after a first one."""
    before = known(hard=["water-heat", "leaves-grades"])
    thread = ["serving-pots", "serving-pots.follow-up-1"]
    assert practised(QUESTIONS, "water", "medium", before, thread) == question("water-heat")
    assert practised(QUESTIONS, "water", "medium", before, []) is None
    assert practised(QUESTIONS, "water", "medium", before, [*thread, "leaves-grades"]) is None
    assert practised(QUESTIONS, "leaves", "medium", before, thread) is None, "it is a hard one"


@given(st.lists(st.sampled_from(TOPICS), min_size=1), SOME, LEVELS, st.integers(min_value=0))
def test_no_topic_is_lost_or_added(topics: list[str], asked: list[str], level: Difficulty, seed: int) -> None:
    """Whatever an interview begins with."""
    order = begun_with(topics, QUESTIONS, level, asked=known(*asked), fundamentals=FUNDAMENTAL, seed=seed)
    assert sorted(order) == sorted(topics)


def test_who_is_new_begins_where_the_seed_says() -> None:
    """The pack's own order first; the next begins with another fundamental topic, and goes on as before."""

    def order(seed: int) -> list[str]:
        return begun_with(TOPICS, QUESTIONS, "medium", asked={}, fundamentals=FUNDAMENTAL, seed=seed)

    assert order(0) == TOPICS
    assert order(1) == ["water", "leaves", "serving"]
    assert order(2) == TOPICS


def test_who_comes_back_begins_with_what_is_new_to_them() -> None:
    """A topic whose questions of this difficulty were asked comes later, one that is talked out last."""
    of_leaves = [each.id for each in QUESTIONS if each.topic == "leaves"]
    medium_water = [each.id for each in QUESTIONS if (each.topic, each.difficulty) == ("water", "medium")]
    before = known(*of_leaves, *medium_water)
    order = begun_with(TOPICS, QUESTIONS, "medium", asked=before, fundamentals=FUNDAMENTAL, seed=0)
    assert order == ["serving", "water", "leaves"]


async def held(*, answer: str = "good answer", answers: int = 12, **wanted: object) -> list[tuple[str, str]]:
    """An interview with the same answer to everything: the id of each question of its own, and how it was put."""
    interview = Rig().interview(InMemorySaver(serde=serializer()), **wanted)
    questions: dict[str, str] = {}
    says = await spoken(interview.begin())
    for turn in range(1, answers + 2):
        questions |= {say.question_id: say.text for say in says if say.kind == "question"}
        if "closing" in kinds(says) or turn > answers:
            break
        says = await spoken(interview.answer(answer, turn))
    return [(id_, text) for id_, text in questions.items() if "." not in id_]


async def test_the_second_interview_asks_nothing_of_the_first() -> None:
    """As long as the pack has something else, whatever the difficulty."""
    first = [id_ for id_, _ in await held()]
    second = [id_ for id_, _ in await held(asked_before=tuple(known(*first).values()))]
    assert len(first) >= 5
    assert len(second) >= 5
    again = next((place for place, id_ in enumerate(second) if id_ in first), len(second))
    assert again >= min(len(second), len(IDS) - len(first))


async def test_a_pack_that_is_used_up_is_asked_again() -> None:
    """Nobody is sent away because they have met everything; and they are told."""
    again = await held(asked_before=tuple(known(*IDS).values()))
    assert len(again) >= 5
    assert all("before" in text for _, text in again)


@pytest.mark.parametrize(("feedback", "comes"), [("coach", True), ("interviewer", False), ("exam", False)])
async def test_what_was_hard_is_practised_with_a_coach(feedback: str, *, comes: bool) -> None:
    """And said to have been; who tests rather than teaches has something new to ask."""
    before = known(hard=["leaves-storage", "water-heat", "water-hardness", "serving-pots", "serving-milk"])
    asked = await held(feedback=feedback, asked_before=tuple(before.values()))
    again = [text for id_, text in asked if id_ in before]
    assert len(again) == (MOST_PRACTISED if comes else 0)
    assert all("ast time" in text for text in again)
    assert asked[0][0] not in before


async def test_two_strangers_in_a_row_are_not_asked_the_same_first() -> None:
    """Also when they speak of one topic only: then the seed draws among its questions."""
    for focus in ((), ("leaves",)):
        firsts = [(await held(answers=0, seed=seed, focus_topics=focus))[0][0] for seed in range(4)]
        assert all(one != other for one, other in pairwise(firsts)), focus
