from __future__ import annotations

import pytest

from agent.rehearsal.matching import QuestionFinder, nearest
from rag.packs.pack import Pack, load_packs
from tests.agent.rehearsal.pieces import bread_pack


@pytest.fixture
def finder() -> QuestionFinder:
    """Finds the questions about bread."""
    return QuestionFinder(bread_pack())


@pytest.mark.parametrize("lead_in", ["", "Thank you. Next question. ", "Of course, here it is again. "])
def test_a_question_is_found_whatever_is_said_before_it(finder: QuestionFinder, lead_in: str) -> None:
    """The interviewer introduces questions, and repeats them on request."""
    for question in bread_pack().questions:
        asked = finder.find(lead_in + question.text)
        assert asked is not None
        assert (asked.question.id, asked.follow_up, asked.key_point) == (question.id, False, None)


def test_a_question_that_was_cut_off_is_found_by_its_beginning(finder: QuestionFinder) -> None:
    """Whoever interrupts a question has heard only half of it."""
    asked = finder.find("All right. What happens to bread dough while")
    assert asked is not None
    assert asked.question.id == "proving"


def test_talk_about_the_subject_is_not_a_question_of_the_pack(finder: QuestionFinder) -> None:
    """A greeting or feedback mentions the pack's words, and nothing was asked yet."""
    assert finder.find("Hello Robin. We will talk about bread dough for five minutes.") is None
    assert finder.find("") is None
    assert not finder.is_question_of_pack("I noted that the cold slows the yeast in the dough down.")


def test_a_follow_up_belongs_to_the_question_before_and_names_its_key_point(finder: QuestionFinder) -> None:
    """The strong persona answers a follow-up with the point that it asks for."""
    parent = bread_pack().questions[0]
    asked = finder.find("You said it holds something. What does it do with the gas that the yeast makes?", parent)
    assert asked is not None
    assert asked.follow_up
    assert asked.question.id == "kneading"
    assert asked.key_point == "The network holds the gas of the yeast."


def test_a_follow_up_about_a_concept_is_understood_by_its_explanation(finder: QuestionFinder) -> None:
    """`What can you tell me about gluten?` has no other word of the key points."""
    asked = finder.find("What can you tell me about gluten?", bread_pack().questions[0])
    assert asked is not None
    assert asked.key_point in ("Kneading builds the gluten network.", "The network holds the gas of the yeast.")


def test_a_follow_up_without_a_hint_has_no_key_point(finder: QuestionFinder) -> None:
    """Then the whole answer is given, which holds whatever was meant."""
    asked = finder.find("Could you go on?", bread_pack().questions[0])
    assert asked is not None
    assert asked.key_point is None


@pytest.mark.parametrize("pack", list(load_packs().values()), ids=lambda pack: pack.id)
def test_every_question_of_vivas_packs_is_told_from_all_others(pack: Pack) -> None:
    """Whole, and cut off after half of its words."""
    finder = QuestionFinder(pack)
    for question in pack.questions:
        half = " ".join(question.text.split()[: max(6, len(question.text.split()) // 2)])
        for heard in (f"Let's move on. {question.text}", f"All right. {half}"):
            asked = finder.find(heard)
            assert asked is not None, heard
            assert asked.question.id == question.id, heard


def test_nearest_shares_most_words() -> None:
    """The first of equals is taken."""
    assert nearest("the thin film", ["warm flour", "a film that tears", "film"]) == "a film that tears"
