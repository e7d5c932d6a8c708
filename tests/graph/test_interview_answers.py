"""Which words of an interview are judged, and which of the scores count."""

from __future__ import annotations

import pytest

from graph.judging import JudgePanel
from tests.graph.fakes import Rig, ScriptedJudge, begun, kinds, spoken


@pytest.mark.parametrize("request_", ["hint", "repeat", "hold", "clarify", "distress"])
async def test_a_request_in_mid_answer_keeps_what_was_said(request_: str) -> None:
    """The answer so far is judged together with what follows, and its words can be found in both turns."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer(f"good first part of it #{request_}", 1))
    assert rig.judge.judged == []
    await spoken(interview.answer("and the second part", 2))
    assert rig.judge.judged[0][1] == "good first part of it and the second part"
    spans = [(span.turn, span.first_word, span.last_word) for span in rig.notes.evaluations[0].spans]
    assert spans == [(1, 0, 4), (2, 0, 3)]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("time_left", ["feedback", "reply", "question"]),
        ("slower", ["feedback", "reply", "question"]),
        ("feedback_later", ["feedback", "reply", "question"]),
        ("skip", ["feedback", "question"]),
        ("easier", ["feedback", "question"]),
        ("stop", ["feedback", "closing"]),
    ],
)
async def test_an_answer_that_ends_with_a_request_is_judged_and_the_request_honoured(
    request_: str, expected: list[str]
) -> None:
    """Both are heard: only the answer is judged, and what was asked for happens."""
    rig = Rig()
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(f"half an answer about oxidised leaves #{request_}", 1))
    assert kinds(says) == expected
    assert [text for _, text in rig.judge.judged] == ["half an answer about oxidised leaves"]
    if request_ in ("skip", "easier"):
        assert rig.notes.questions[-1].question_kind == "retrieved"
    if request_ == "easier":
        assert rig.notes.questions[-1].difficulty == "easy"


async def test_an_unsure_request_that_was_an_answer_is_judged_with_what_follows() -> None:
    """A no gives the floor back, and nothing that was said is lost."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("good leaves can #skip? oxidation", 1))
    assert kinds(await spoken(interview.answer("no", 2))) == ["reply"]
    await spoken(interview.answer("and they stay green", 3))
    assert [text for _, text in rig.judge.judged] == ["good leaves can #skip? oxidation and they stay green"]


async def test_a_correction_replaces_the_earlier_answer() -> None:
    """The earlier score leaves the trend, the correction is judged by the earlier question, the open one is asked."""
    rig = Rig()
    interview, opening = await begun(rig)
    said = await spoken(interview.answer("half an answer about oxidised leaves #skip", 1))
    says = await spoken(interview.answer("#correct_myself good answer about green leaves", 2))
    assert kinds(says) == ["feedback", "question"]
    assert says[1].question_id == said[-1].question_id
    assert rig.judge.judged[1] == (opening[1].question_id, "good answer about green leaves")
    state = await interview.snapshot()
    assert state["performance_trajectory"] == [10.0]
    assert state["question_count"] == 1
    assert rig.notes.evaluations[1].replaces_turn == 1
    await spoken(interview.answer("good answer to the open question", 3))
    assert rig.judge.judged[2][0] == said[-1].question_id


async def test_a_correction_may_be_announced_first() -> None:
    """The interviewer asks what it should be; the next words are the correction."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("half an answer about oxidised leaves #skip", 1))
    assert kinds(await spoken(interview.answer("#correct_myself", 2))) == ["reply"]
    await spoken(interview.answer("good answer about green leaves", 3))
    assert rig.judge.judged[1] == (opening[1].question_id, "good answer about green leaves")


async def test_words_that_were_scrapped_are_judged_by_nobody() -> None:
    """A candidate who starts over is judged by what they said after it."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("wrong from the start SCRAP good answer about green leaves", 1))
    assert [text for _, text in rig.judge.judged] == ["good answer about green leaves"]
    assert rig.notes.evaluations[0].spans[0].first_word == 5


async def test_an_answer_nobody_could_judge_is_outside_the_trend() -> None:
    """Neither "not scored" nor a fallback moves the trajectory."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("um", 1))
    await spoken(interview.answer("um", 2))
    assert rig.notes.evaluations[0].scores is None
    assert rig.notes.decisions[-1].ema is None


async def test_fallback_scores_are_outside_the_trend() -> None:
    """A model that failed has its answer judged, flagged, and kept out of the smoothed score."""

    class Broken(ScriptedJudge):
        async def verdicts(self, question: object, words: object) -> tuple[()]:
            raise TimeoutError

    rig = Rig(panel=JudgePanel(ScriptedJudge("built-in"), Broken("model")))
    interview, _ = await begun(rig)
    await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert rig.notes.evaluations[0].fallback
    assert rig.notes.decisions[-1].ema is None


async def test_a_correction_nobody_can_judge_takes_no_score_away() -> None:
    """What was judged before still stands."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer("good answer about green leaves #skip", 1))
    await spoken(interview.answer("#correct_myself um", 2))
    assert (await interview.snapshot())["performance_trajectory"] == [10.0]


async def test_a_word_or_two_is_no_answer_yet() -> None:
    """Whoever says "okay" goes on with the question; what follows is judged with it, however short it is."""
    rig = Rig()
    interview, opening = await begun(rig)
    assert kinds(await spoken(interview.answer("okay", 1))) == ["reply"]
    assert rig.judge.judged == []
    await spoken(interview.answer("good answer about oxidation of tea", 2))
    assert rig.judge.judged == [(opening[1].question_id, "okay good answer about oxidation of tea")]
    await spoken(interview.answer("okay", 3))
    assert kinds(await spoken(interview.answer("okay", 4))) == ["feedback", "question"]


async def test_who_says_that_this_is_all_is_not_told_to_go_on() -> None:
    """However little it is: it is taken as the answer, and the interview goes on."""
    interview, _ = await begun(Rig())
    assert "question" in kinds(await spoken(interview.answer("That's about it from my side.", 1)))


async def test_an_answer_can_be_judged_again_by_better_words_without_touching_the_interview() -> None:
    """The evaluation is of the same question, with all words as its span; state and record stay as they were."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("half an answer about oxidised leaves", 1))
    before = await interview.snapshot()
    recorded = len(rig.notes.evaluations)
    judged = await interview.judge_again(1, "good answer about green leaves in tins")
    assert judged is not None
    assert rig.judge.judged[1] == (opening[1].question_id, "good answer about green leaves in tins")
    assert [(span.turn, span.first_word, span.last_word) for span in judged.spans] == [(1, 0, 6)]
    assert await interview.snapshot() == before
    assert len(rig.notes.evaluations) == recorded


async def test_an_answer_that_is_not_the_last_is_not_judged_again() -> None:
    """Nor is one that nobody gave, or that corrects an earlier one: there the spans of two turns count."""
    rig = Rig()
    interview, _ = await begun(rig)
    assert await interview.judge_again(1, "anything that was never said") is None
    await spoken(interview.answer("half an answer about oxidised leaves #skip", 1))
    await spoken(interview.answer("#correct_myself good answer about green leaves", 2))
    assert await interview.judge_again(1, "half an answer about oxygen and leaves") is None
    assert await interview.judge_again(2, "good answer about green leaves") is None


async def test_what_an_answer_has_touched_is_known_before_it_is_one() -> None:
    """By the words so far and those that were kept; nothing of it is a turn, and nothing is recorded."""
    rig = Rig()
    interview, opening = await begun(rig)
    before = await interview.snapshot()
    assert await interview.touched("good answer about leaves".split()) == 1.0
    assert await interview.touched("something else".split()) == 0.0
    assert await interview.snapshot() == before
    await spoken(interview.answer("good beginning #hold", 1))
    assert await interview.touched("and more".split()) == 1.0
    assert rig.judge.judged[-1] == (opening[1].question_id, "good beginning and more")


async def test_what_goes_on_is_held_against_the_question_it_answers() -> None:
    """After a cut-off the next question may be there already: what is said belongs to the one before."""
    rig = Rig()
    interview, opening = await begun(rig)
    await spoken(interview.answer("half an answer about leaves", 1))
    words = "half an answer about leaves and more".split()
    await interview.touched(words, goes_on_from=1)
    assert rig.judge.judged[-1] == (opening[1].question_id, " ".join(words))


async def test_where_a_yes_is_expected_nothing_is_held_against_the_question() -> None:
    """Did you mean to skip it? What is said to that touches no key point, and need not."""
    interview, _ = await begun(Rig())
    await spoken(interview.answer("#skip?", 1))
    assert await interview.touched(["Yes."]) is None
