from __future__ import annotations

from typing import Any

import pytest

from agent.rehearsal.matching import Asked, sentences_of
from agent.rehearsal.persona import Persona
from agent.rehearsal.replies import Phrase, Standing, plan_reply, standing_after
from tests.agent.rehearsal.pieces import bread_pack

KNEADING = bread_pack().questions[0]
QUESTION = Asked(KNEADING, key_point=None, follow_up=False, score=1.0)
FOLLOW_UP = Asked(KNEADING, key_point=KNEADING.key_points[1], follow_up=True, score=0.5)
FIRST = Standing(turn=1, answer=1)


def persona(**fields: Any) -> Persona:
    """A persona for a test."""
    base = {"name": "mine", "description": "Somebody for a test.", "answers": "model_answer", "unsure": ["Yes."]}
    return Persona.model_validate(base | fields)


def text_of(mine: Persona, asked: Asked | None, standing: Standing = FIRST) -> str:
    """The words of the reply."""
    reply = plan_reply(mine, standing, asked)
    assert reply is not None
    return reply.text


def test_a_strong_answer_is_the_model_answer_or_its_beginning() -> None:
    """`sentences` keeps rehearsals short."""
    assert text_of(persona(), QUESTION) == KNEADING.model_answer
    assert text_of(persona(sentences=2), QUESTION) == " ".join(sentences_of(KNEADING.model_answer)[:2])


def test_a_follow_up_is_answered_with_its_key_point() -> None:
    """And when the point cannot be told, with the whole answer, however short answers are kept otherwise."""
    assert text_of(persona(sentences=1), FOLLOW_UP) == KNEADING.key_points[1]
    unclear = Asked(KNEADING, key_point=None, follow_up=True, score=0.0)
    assert text_of(persona(sentences=1), unclear) == KNEADING.model_answer
    assert text_of(persona(sentences=1, follow_ups="same"), FOLLOW_UP) == sentences_of(KNEADING.model_answer)[0]


def test_what_a_persona_can_tell_is_told_once_and_by_what_fits_best() -> None:
    """Its words are in the question; what was told is not told again, and lines by number come after it."""
    told = [
        {"hears": ["oven"], "say": "It was small."},
        {"hears": ["oven", "hard|difficult"], "say": "The heat."},
    ]
    mine, standing, said = persona(told=told, lines=["Anything."]), FIRST, []
    for heard in ["Where did the oven get difficult?", "And the Oven, what was hard?", "And the oven?"]:
        reply = plan_reply(mine, standing, None, heard)
        assert reply is not None
        said.append(reply.text)
        standing = standing_after(standing, reply, None)
    assert said == ["The heat.", "It was small.", "Yes."]
    assert text_of(mine, None) == "Anything."
    two = persona(told=[{"hears": ["oven"], "say": "It was small."}, {"hears": ["tin"], "say": "It was round."}])
    reply = plan_reply(two, FIRST, None, "Let's leave the oven there. What about the tin?")
    assert reply is not None
    assert reply.text == "It was round."


def test_openers_and_vague_answers_are_taken_in_turn() -> None:
    """Two answers in a row do not begin alike."""
    mine = persona(answers="vague", vague_answers=["Maybe.", "It depends."], openers=["Well.", "Hm."])
    said = [text_of(mine, QUESTION, Standing(turn=number, answer=number)) for number in (1, 2, 3)]
    assert said == ["Well. Maybe.", "Hm. It depends.", "Well. Maybe."]


def test_a_wrong_answer_says_the_misconceptions() -> None:
    """All of them to the question, the nearest one to a follow-up."""
    mine = persona(answers="misconceptions")
    assert text_of(mine, QUESTION) == " ".join(KNEADING.misconceptions)
    film = Asked(KNEADING, key_point=KNEADING.key_points[2], follow_up=True, score=0.5)
    assert text_of(mine, film) == KNEADING.misconceptions[1]


def test_a_rambling_answer_has_something_else_after_each_sentence() -> None:
    """What was asked for is in it all the same."""
    mine = persona(answers="rambling", digressions=["By the way.", "Long ago."], sentences=2)
    first, second = sentences_of(KNEADING.model_answer)[:2]
    assert text_of(mine, QUESTION) == f"{first} By the way. {second} Long ago."
    assert text_of(mine, QUESTION, Standing(turn=2, answer=2)) == f"{first} Long ago. {second} By the way."


def test_scripted_lines_go_before_everything_else() -> None:
    """By question id, else by the number of the answer; word for word."""
    mine = persona(lines={"kneading": "Just knead it.", "2": "Second."}, openers=["Well."])
    assert text_of(mine, QUESTION) == "Just knead it."
    assert text_of(mine, None, Standing(turn=3, answer=2)) == "Second."
    assert text_of(mine, FOLLOW_UP) != "Just knead it."


@pytest.mark.parametrize(("wants", "think_s"), [("repeat", 0.0), ("skip", 0.0), ("hold", 4.0), ("stop", 0.0)])
def test_a_request_takes_the_place_of_the_answer_in_its_turn(wants: str, think_s: float) -> None:
    """Only after `hold` does the candidate go on by itself."""
    mine = persona(requests=[{"turn": 2, "wants": wants, "say": "Please do.", "think_s": 4}])
    reply = plan_reply(mine, Standing(turn=2, answer=1), QUESTION)
    assert reply is not None
    assert (reply.wants, reply.text, reply.think_s) == (wants, "Please do.", think_s)
    assert text_of(mine, QUESTION, Standing(turn=3, answer=1)) == KNEADING.model_answer


def test_pauses_are_before_between_and_for_thinking() -> None:
    """Thinking happens inside an answer, after every so many sentences."""
    pauses = {"before_s": 1.0, "between_s": 0.2, "thinking_s": 2.0, "thinking_every": 2}
    reply = plan_reply(persona(pauses=pauses, lines=["One. Two. Three. Four. Five."]), FIRST, None)
    assert reply is not None
    assert [phrase.pause_s for phrase in reply.phrases] == [1.0, 0.2, 2.0, 0.2, 2.0]


def test_without_a_question_the_candidate_says_that_it_is_unsure() -> None:
    """The interviewer may have asked something that is in no pack."""
    assert text_of(persona(unsure=["Go on.", "Yes?"]), None) == "Go on."


def test_the_silent_persona_plans_nothing() -> None:
    """It never speaks, whatever is asked."""
    silent = Persona(name="silent", description="Says nothing.", answers="silence")
    assert plan_reply(silent, FIRST, QUESTION) is None


def test_a_reply_can_be_a_key() -> None:
    """Replies are rendered ahead and looked up again when the turn comes."""
    assert plan_reply(persona(), FIRST, QUESTION) == plan_reply(persona(), FIRST, QUESTION)
    assert hash(plan_reply(persona(), FIRST, QUESTION)) == hash(plan_reply(persona(), FIRST, QUESTION))
    assert Phrase("a", 0.0) != Phrase("a", 0.1)
