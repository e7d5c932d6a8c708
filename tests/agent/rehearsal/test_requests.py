"""What a candidate who asks for something does next: the replies, and a conversation without a room."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from agent.rehearsal import conversation
from agent.rehearsal.matching import Asked, QuestionFinder, sentences_of
from agent.rehearsal.persona import Gets, Persona, Wish, leaves_answer_open, load_persona, what_follows
from agent.rehearsal.replies import CandidateReply, Standing, confirmation, plan_reply, standing_after
from agent.rehearsal.turn_taking import PUZZLED_S, asks_back, is_my_turn, what_was_asked
from graph.templates import load_wording
from graph.wiring import PATHS
from tests.agent.rehearsal.pieces import bread_pack
from tests.agent.rehearsal.scripted import converse

PACK = bread_pack()
KNEADING, PROVING = PACK.questions
FINDER = QuestionFinder(PACK)
ASKED = Asked(KNEADING, key_point=None, follow_up=False, score=1.0)
FOLLOW_UP = Asked(KNEADING, key_point=KNEADING.key_points[2], follow_up=True, score=0.5)
WISHES: tuple[Wish, ...] = get_args(Wish)
QUESTION_NODES = {"repeat_question", "rephrase_question", "change_course", "await_correction", "supervise"}
"""Where the interview graph asks for something again, or goes on to another question or to the end."""
ON_THE_FLOOR = {"go_on", "correct_myself"}
"""What the graph takes by what came before: an answer that was begun, words of a correction."""


def persona(*requests: dict[str, Any], **fields: Any) -> Persona:
    """A persona that gives one sentence of the model answer, and asks for something."""
    base = {"name": "mine", "description": "Somebody for a test.", "answers": "model_answer", "sentences": 1}
    return Persona.model_validate(base | {"unsure": ["Yes."], "requests": list(requests)} | fields)


def reply_of(mine: Persona, standing: Standing, asked: Asked | None = ASKED) -> CandidateReply:
    """What it says."""
    reply = plan_reply(mine, standing, asked)
    assert reply is not None
    return reply


@pytest.mark.parametrize("wish", WISHES)
def test_the_candidate_waits_for_what_the_interviewer_does(wish: Wish) -> None:
    """Every request that there is has its path in the graph, and the candidate waits for what comes on it."""
    if wish not in ON_THE_FLOOR:
        assert what_follows(wish) == ("question" if PATHS[wish] in QUESTION_NODES else "reply")


@pytest.mark.parametrize(
    ("wish", "follows", "open_still"),
    [
        ("time_left", "question", False),
        ("slower", "question", False),
        ("easier", "question", False),
        ("stop", "question", False),
        ("hint", "reply", True),
        ("hold", "reply", True),
        ("go_on", "reply", True),
        ("repeat", "question", True),
    ],
)
def test_at_the_end_of_an_answer_the_next_question_is_due(wish: Wish, follows: Gets, open_still: bool) -> None:
    """Unless the request says that the answer is not over: then it is not judged yet."""
    assert what_follows(wish, after_answer=True) == follows
    assert leaves_answer_open(wish) == open_still
    after = reply_of(persona({"turn": 1, "wants": wish, "say": "Please.", "after_answer": True}), Standing(1, 1))
    assert (after.wants, after.answers, after.gets, after.is_judged) == (wish, True, follows, not open_still)
    assert after.text == f"{sentences_of(KNEADING.model_answer)[0]} Please."


def test_a_correction_is_the_model_answer_to_what_was_answered_last() -> None:
    """Not to the question that is open now; a follow-up is corrected with its key point, and own words go first."""
    request = {"turn": 2, "wants": "correct_myself", "say": "Scrap that. I should have said this."}
    standing = Standing(turn=2, answer=2, answered=ASKED)
    open_now = Asked(PROVING, key_point=None, follow_up=False, score=1.0)
    reply = reply_of(persona(request, answers="vague", vague_answers=["Hm."]), standing, open_now)
    assert reply.text == f"{request['say']} {sentences_of(KNEADING.model_answer)[0]}"
    assert (reply.wants, reply.answers, reply.gets, reply.is_judged) == ("correct_myself", False, "question", True)
    of_follow_up = Standing(turn=2, answer=2, answered=FOLLOW_UP)
    assert reply_of(persona(request), of_follow_up, open_now).text.endswith(KNEADING.key_points[2])
    own = persona(request | {"correction": "It makes the dough strong."})
    assert reply_of(own, standing, open_now).text.endswith("said this. It makes the dough strong.")
    assert standing_after(standing, reply, open_now) == Standing(turn=3, answer=2, answered=ASKED)


def test_an_announced_correction_comes_when_it_is_asked_for() -> None:
    """The words of the announcement hold nothing to judge; those of the next turn do."""
    mine = persona({"turn": 2, "wants": "correct_myself", "say": "I want to correct that.", "announces": True})
    standing = Standing(turn=2, answer=2, answered=ASKED)
    announced = reply_of(mine, standing)
    assert (announced.text, announced.gets, announced.is_judged) == ("I want to correct that.", "reply", False)
    standing = standing_after(standing, announced, ASKED)
    corrected = reply_of(mine, standing)
    assert (corrected.wants, corrected.is_judged) == ("answer", True)
    assert corrected.text == sentences_of(KNEADING.model_answer)[0]
    assert standing_after(standing, corrected, None) == Standing(turn=4, answer=2, answered=ASKED)


def test_an_answer_that_was_begun_goes_on_where_it_stopped() -> None:
    """Over further requests, until it is over; who has said everything says it again."""
    mine = persona(
        {"turn": 1, "wants": "hold", "say": "One moment.", "after_answer": True},
        {"turn": 2, "wants": "time_left", "say": "How long?"},
        {"turn": 4, "wants": "hint", "say": "A hint?"},
    )
    first, second, *_ = sentences_of(KNEADING.model_answer)
    standing, texts = Standing(turn=1, answer=1), []
    for _ in range(5):
        reply = reply_of(mine, standing)
        texts.append(reply.text)
        standing = standing_after(standing, reply, ASKED)
    assert texts == [f"{first} One moment.", "How long?", second, "A hint?", first]
    everything = mine.model_copy(update={"sentences": None})
    assert reply_of(everything, Standing(turn=3, answer=2, begun=True)).text == KNEADING.model_answer


def test_what_was_answered_is_remembered_over_requests() -> None:
    """Only answers change it, and only they are counted."""
    mine = persona({"turn": 1, "wants": "hint", "say": "A hint?"}, {"turn": 3, "wants": "skip", "say": "Skip."})
    standing, seen = Standing(turn=1, answer=1), []
    for asked in (ASKED, ASKED, Asked(PROVING, None, follow_up=False, score=1.0)):
        standing = standing_after(standing, reply_of(mine, standing, asked), asked)
        seen.append((standing.turn, standing.answer, standing.answered))
    assert seen == [(2, 1, None), (3, 2, ASKED), (4, 2, ASKED)]


def test_yes_takes_no_turn_and_is_followed_by_what_was_asked_for() -> None:
    """A correction has to be given again, because the interviewer asks for it."""
    mine = persona({"turn": 1, "wants": "hint", "say": "A hint maybe?"}, confirms="Yes.")
    hint = reply_of(mine, Standing(1, 1))
    standing = standing_after(Standing(1, 1), hint, ASKED)
    yes = confirmation(mine, standing, hint)
    assert (yes.text, yes.wants, yes.gets, yes.is_judged) == ("Yes.", "hint", "reply", False)
    assert standing_after(standing, yes, ASKED) == standing
    corrects = persona({"turn": 2, "wants": "correct_myself", "say": "No, this.", "correction": "Gluten."})
    before = Standing(turn=2, answer=2, answered=ASKED)
    correction = reply_of(corrects, before)
    standing = standing_after(before, correction, ASKED)
    standing = standing_after(standing, confirmation(corrects, standing, correction), ASKED)
    assert (standing.turn, reply_of(corrects, standing).text) == (3, "Gluten.")


def test_only_the_question_about_a_request_is_taken_for_one() -> None:
    """All that the interviewer can ask in this way is recognised, and nothing else that it says."""
    wording = load_wording(Path(conversation.__file__).parents[2] / "graph" / "templates" / "interview.md")
    for turn in range(2):
        wish = wording.say("wish.hint", turn)
        assert asks_back([wording.say("confirm", turn, wish=wish)])
        for situation in ("correction", "abuse", "unheard", "hint.none", "distress"):
            assert not asks_back([wording.say(situation, turn)])
    assert not asks_back([])
    assert not asks_back(["Just to be sure, would you like a hint?", KNEADING.text])


def test_a_reply_does_not_change_the_question() -> None:
    """Also when it is put as a question; a question of the pack in it is the question."""
    again = ["I couldn't make that out. Could you say it again?"]
    assert what_was_asked(again, before=ASKED, gets="reply", finder=FINDER) == ASKED
    assert is_my_turn(["Think about gluten."], gets="reply", finder=FINDER)
    assert not is_my_turn(["Think about gluten."], gets="question", finder=FINDER)
    assert not is_my_turn([], gets="reply", finder=FINDER)
    skipped = what_was_asked(["We'll skip it.", PROVING.text], before=ASKED, gets="reply", finder=FINDER)
    assert skipped is not None
    assert skipped.question == PROVING


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look takes no time: the scripted clock alone says how late it is."""
    monkeypatch.setattr(conversation, "LOOK_S", 0)


@pytest.mark.usefixtures("at_once")
async def test_a_candidate_goes_on_as_its_request_asks(tmp_path: Path) -> None:
    """The open question is answered after a hint, in turn after a skip; a correction and a time come in between."""
    mine = persona(
        {"turn": 1, "wants": "hint", "say": "A hint?"},
        {"turn": 3, "wants": "correct_myself", "say": "Scrap that.", "correction": "Heat."},
        {"turn": 4, "wants": "time_left", "say": "How long?", "after_answer": True},
        {"turn": 5, "wants": "skip", "say": "Skip it."},
        {"turn": 7, "wants": "stop", "say": "Stop."},
    )
    script = [
        ["Hello.", KNEADING.text],
        ["Here is a nudge. Think about gluten."],
        ["I noted that.", PROVING.text],
        ["Good.", f"Now back to where we were. {PROVING.text}"],
        ["Right.", "About four minutes.", KNEADING.text],
        ["No problem.", PROVING.text],
        ["Fine.", KNEADING.text],
    ]
    spoken = await converse(mine, PACK, script, tmp_path)
    kneading, proving = (sentences_of(question.model_answer)[0] for question in (KNEADING, PROVING))
    assert [(said.turn, said.kind, said.text) for said, _ in spoken] == [
        (1, "hint", "A hint?"),
        (2, "answer", kneading),
        (3, "correct_myself", "Scrap that. Heat."),
        (4, "time_left", f"{proving} How long?"),
        (5, "skip", "Skip it."),
        (6, "answer", proving),
        (7, "stop", "Stop."),
    ]
    assert [said.is_judged for said, _ in spoken] == [False, True, True, True, False, True, False]
    assert all(waited < PUZZLED_S / 2 for _, waited in spoken)


@pytest.mark.usefixtures("at_once")
async def test_a_doubtful_interviewer_is_told_yes_once(tmp_path: Path) -> None:
    """Then the request is honoured, and the turn after it is the next of the script."""
    mine = persona({"turn": 1, "wants": "hint", "say": "A hint maybe?"})
    script = [
        [KNEADING.text],
        ["Just to be sure, would you like a hint?"],
        ["Think about gluten."],
        ["Thank you.", PROVING.text],
    ]
    spoken = await converse(mine, PACK, script, tmp_path)
    assert [(said.turn, said.kind, said.text) for said, _ in spoken][:3] == [
        (1, "hint", "A hint maybe?"),
        (1, "hint", "Yes, please."),
        (2, "answer", sentences_of(KNEADING.model_answer)[0]),
    ]


@pytest.mark.usefixtures("at_once")
async def test_words_that_gave_nothing_to_go_on_are_met_with_patience(tmp_path: Path) -> None:
    """An interviewer who only says something after an answer has asked nothing: the candidate waits, then goes on."""
    spoken = await converse(persona(), PACK, [[KNEADING.text], ["Take your time."]], tmp_path)
    assert [said.text for said, _ in spoken] == [sentences_of(KNEADING.model_answer)[0]] * 2
    assert spoken[1][1] >= PUZZLED_S


def test_the_asking_persona_asks_for_what_it_should() -> None:
    """The spoken proof that requests are understood: these, and it stops on its own."""
    asking = load_persona("asking")
    wanted = {"repeat", "hint", "correct_myself", "time_left", "technical_assessment", "skip", "stop"}
    assert {request.wants for request in asking.requests} == wanted
    assert asking.answers_questions
    assert asking.ends_with == ["stopped"]
