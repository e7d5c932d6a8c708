"""Feedback as it is heard over whole interviews, from the built-in composer and from a model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime

from domain.events import FeedbackReady
from domain.question import Question
from domain.say import Say
from domain.verdict import Counts, Verdict
from domain.vocabulary import VerdictStatus
from graph.checkpoints.serializer import serializer
from graph.dialogue.spoken_words import SpokenWords
from graph.feedback.guardrails import FEEDBACK_CHECKS, FeedbackSentence, feedback_gate, tells
from graph.nodes.give_feedback import give_feedback
from graph.validators import faults
from tests.graph.fakes import Rig, ScriptedJudge, spoken
from tests.graph.language_models.scripted import ScriptedChat, Told, of_interview, tiered
from tests.graph.language_models.test_with_models import ScriptedModels, begun

ANSWERS = (
    "good answer about oxidation of tea", "nothing that helps with this question", "half of what tea leaves are about",
    "wrong answer about oxidised leaves", "I don't know that one at all", "um",
)  # fmt: skip


async def heard(rig: Rig, turns: int, **wanted: object) -> list[Say]:
    """The feedback of an interview."""
    interview = await begun(rig, **wanted)
    said: list[Say] = []
    for turn in range(1, turns + 1):
        says = await spoken(interview.answer(ANSWERS[turn % len(ANSWERS)], turn))
        said += [say for say in says if say.kind == "feedback"]
        if any(say.kind == "closing" for say in says):
            break
    return said


async def test_no_sentence_comes_twice_and_no_structure_twice_running() -> None:
    """Over all answers of an interview, however they were judged."""
    rig = Rig()
    said = [sentence for say in await heard(rig, 14) for sentence in say.text.rstrip(".").split(". ")]
    assert len(said) > 8
    assert len(said) == len(set(said))
    assert all(former != later for former, later in pairwise(rig.notes.structures))


async def test_what_was_said_is_in_the_state_for_an_interview_that_is_resumed() -> None:
    """Every sentence once, and a structure for each feedback."""
    rig = Rig()
    interview = await begun(rig)
    first = await spoken(interview.answer(ANSWERS[0], 1))
    second = await spoken(interview.answer(ANSWERS[1], 2))
    state = await interview.snapshot()
    assert " ".join(state["feedback_said"]) == f"{first[0].text} {second[0].text}"
    assert state["previous_feedback_structures"] == rig.notes.structures


async def test_a_long_answer_with_a_doubt_in_it_is_not_taken_for_giving_up() -> None:
    """Who says only that they do not know is told that this is fine; who tells a story with a doubt is not."""
    rig = Rig()
    interview = await begun(rig)
    await spoken(interview.answer("I am not sure at all, sorry", 1))
    await spoken(interview.answer("we stood there and I was not sure " + "and then we poured the water again " * 5, 2))
    assert [structure.startswith("honest") for structure in rig.notes.structures] == [True, False]


async def test_the_acknowledgements_of_an_exam_differ_too() -> None:
    """None comes twice, and neither does the feedback that is kept."""
    rig = Rig()
    said = [say.text for say in await heard(rig, 10, feedback="exam")]
    kept = [event.text for event in rig.notes.of(FeedbackReady) if event.delivery == "kept"]
    assert len(said) > 4
    assert len(said) == len(set(said))
    assert len(said) == len(kept)
    assert len(kept) == len(set(kept))


async def test_a_model_does_not_repeat_itself() -> None:
    """What it said before is refused, in capitals or not, and what the verdicts say is spoken in its place."""
    models = ScriptedModels(text="You named the heat.")
    rig = Rig(models=models, model_feedback=True)
    interview = await begun(rig)
    first = await spoken(interview.answer(ANSWERS[0], 1))
    models.text = "You named the Heat."
    second = await spoken(interview.answer(ANSWERS[0], 2))
    assert first[0].text == "You named the heat."
    assert "the heat" not in second[0].text.casefold()


async def test_a_model_says_no_sentence_twice_in_one_feedback() -> None:
    """The text ends before the repetition."""
    rig = Rig(models=ScriptedModels(text="You named the heat.|you named THE heat.|One more."), model_feedback=True)
    interview = await begun(rig)
    says = await spoken(interview.answer(ANSWERS[2], 1))
    assert [say.text for say in says if say.kind == "feedback"] == ["You named the heat."]


async def test_a_model_stops_after_the_parts_it_was_asked_for() -> None:
    """One sentence for each, and never more than three: more cannot be taken in between two questions."""
    for turn in range(1, 7):
        rig = Rig(models=ScriptedModels(text="One.|Two.|Three.|Four."), model_feedback=True)
        interview = await begun(rig)
        says = await spoken(interview.answer(ANSWERS[2], turn))
        (structure,) = rig.notes.structures
        said = [say.text for say in says if say.kind == "feedback"]
        assert said == ["One.", "Two.", "Three."][: len(structure.split())]


async def test_not_knowing_is_honoured_with_a_model_too() -> None:
    """Nobody is scolded for saying so: the words come from the composer, which never does."""
    rig = Rig(models=ScriptedModels(text="That is a pity."), model_feedback=True)
    interview = await begun(rig)
    says = await spoken(interview.answer(ANSWERS[4], 1))
    assert "pity" not in says[0].text
    assert rig.notes.structures[0].startswith("honest")


async def test_sixty_feedbacks_in_a_row_worded_by_a_model() -> None:
    """No structure twice running and no sentence twice, with the composer stepping in wherever the model is refused."""
    composed: list[str] = []

    def write(asked: str) -> str:
        """A sentence for each part; now and then one that may not be spoken, at the second try as well."""
        number = len(chat.asked)
        if "cannot be used" in asked or number % 5 == 0:
            return "That was 3 out of 10."
        parts = asked.partition("Parts:\n")[2].partition("\nGood:")[0].splitlines()
        return " ".join(f"Words {number} about part {part}." for part in range(len(parts)))

    chat = ScriptedChat(script={"feedback": write})
    rig = Rig(models=of_interview(tiered(fast_model=chat), Told()), model_feedback=True)
    interview = await begun(Rig())
    state, context = await interview.snapshot(), rig.context()
    question, heard = state["current_question"], []
    for turn in range(1, 61):
        words = ANSWERS[turn % len(ANSWERS)].split()
        judged = await context.judges.evaluate(question, words, turn=turn)
        say: list[Say] = []
        state |= {"turn": turn, "answer": SpokenWords(words=tuple(words), spans=()), "current_evaluation": judged}
        update = await give_feedback(state, Runtime(context=context, stream_writer=say.append))
        state["previous_feedback_structures"] = (
            state.get("previous_feedback_structures", []) + (update["previous_feedback_structures"])
        )
        state["feedback_said"] = state.get("feedback_said", []) + update["feedback_said"]
        heard += update["feedback_said"]
        composed += [] if "Words" in say[0].text else [say[0].text]
    assert all(former != later for former, later in pairwise(rig.notes.structures))
    assert len(rig.notes.structures) == 60
    assert len({sentence.casefold() for sentence in heard}) == len(heard)
    assert 25 < len(composed) < 45
    assert not any(feedback_gate(sentence, "low") for sentence in heard)


class GivesTheFirst(ScriptedJudge):
    """Credits the first key point and finds nothing of the others."""

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        def status(index: int) -> VerdictStatus:
            return "missing" if index else "covered"

        points = enumerate(question.targets.points)
        return tuple(Verdict(point=p, status=status(i), probability=1.0, rule="scripted") for i, p in points)


async def test_a_model_does_not_give_away_what_is_missing() -> None:
    """A sentence that says the missing point is not spoken."""
    judge = GivesTheFirst()
    rig = Rig(judge=judge, model_feedback=True)
    interview = await begun(rig)
    state = await interview.snapshot()
    missing = state["current_question"].targets.points[1]
    rig = Rig(judge=judge, model_feedback=True, models=ScriptedModels(text=f"That was fine.|{missing}, mind you."))
    interview = rig.interview(InMemorySaver(serde=serializer()))
    await spoken(interview.begin())
    says = await spoken(interview.answer(ANSWERS[0], 1))
    assert [say.text for say in says if say.kind == "feedback"] == ["That was fine."]


class UnsureOfTheLast(ScriptedJudge):
    """Credits every key point but the last, of which it cannot say whether it was made."""

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        *made, last = question.targets.points
        nearly_made = Counts(covered=0.9, missing=0.1)
        unsure = Verdict(point=last, status="missing", probability=0.5, counts=nearly_made, told=False, rule="scripted")
        sure = (Verdict(point=point, status="covered", probability=1.0, rule="scripted") for point in made)
        return (*sure, unsure)


async def test_a_model_words_feedback_on_a_good_answer_with_a_point_that_nobody_is_sure_of() -> None:
    """There is nothing to point at, and the model is told so."""
    rig = Rig(judge=UnsureOfTheLast(), model_feedback=True, models=ScriptedModels(text="That was fine."))
    interview = rig.interview(InMemorySaver(serde=serializer()))
    await spoken(interview.begin())
    says = await spoken(interview.answer(ANSWERS[0], 1))
    assert [say.text for say in says if say.kind == "feedback"] == ["That was fine."]


def test_naming_an_idea_is_not_giving_a_point_away() -> None:
    """A point is given away by most of its words."""
    point = "An index makes writes slower, because it has to be updated"
    assert tells("Remember that the index must be updated, so writes get slower.", point)
    assert not tells("There is more to say about what an index costs.", point)


def test_what_only_reads_well_is_not_spoken() -> None:
    """Lists and markup are for the eye."""
    assert feedback_gate("- An index helps.", "high")
    assert feedback_gate("1. An index helps.", "high")
    assert feedback_gate("An **index** helps.", "high")
    assert not feedback_gate("A well-kept index helps 3 times.", "high")


MISSED = "An index makes writes slower, because it has to be updated"


@pytest.mark.parametrize(
    ("remark", "check"),
    [
        (FeedbackSentence("That was fine.", "high", place=3), "spoken length"),
        (FeedbackSentence("That was fine.", "high", place=1, most=1), "spoken length"),
        (FeedbackSentence("word " * 50, "high"), "spoken length"),
        (FeedbackSentence("- That was fine.", "high"), "speakable"),
        (FeedbackSentence("That was 7 out of 10.", "high"), "no score"),
        (FeedbackSentence("You failed that one.", "high"), "no forbidden phrase"),
        (FeedbackSentence("Great.", "low"), "no unearned praise"),
        (FeedbackSentence("That Was Fine.", "high", said=frozenset({"that was fine."})), "not said before"),
        (
            FeedbackSentence("The index is updated, so writes get slower.", "high", missed=(MISSED,)),
            "nothing given away",
        ),
    ],
)
def test_each_check_of_feedback_refuses_by_its_name(remark: FeedbackSentence, check: str) -> None:
    """What is recorded and what the model is told begin with the check that failed, and no other one fails."""
    assert [fault.check for fault in faults(FEEDBACK_CHECKS, remark)] == [check]
