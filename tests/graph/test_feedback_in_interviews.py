"""Feedback as it is heard over whole interviews, from the built-in composer and from a model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from langgraph.checkpoint.memory import InMemorySaver

from graph import Say
from graph.checkpoints import serializer
from graph.judging import Verdict
from graph.judging.verdicts import VerdictStatus
from graph.questions import Question
from graph.tact import feedback_gate, tells
from tests.graph.fakes import Rig, ScriptedJudge, spoken
from tests.graph.test_with_models import ScriptedModels, begun

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
    state = await interview._state()
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
    """None comes twice, and the feedback that is kept rotates as if it were spoken."""
    rig = Rig()
    said = [say.text for say in await heard(rig, 10, feedback="exam")]
    kept = [structure for structure in rig.notes.structures if structure != "acknowledgement"]
    assert len(said) > 4
    assert len(said) == len(set(said))
    assert len(said) == len(kept)
    assert all(former != later for former, later in pairwise(kept))


async def test_a_model_does_not_repeat_itself() -> None:
    """What it said before is refused, and what the verdicts say is spoken in its place."""
    rig = Rig(models=ScriptedModels(text="You named the heat."), model_feedback=True)
    interview = await begun(rig)
    await spoken(interview.answer(ANSWERS[0], 1))
    await spoken(interview.answer(ANSWERS[0], 2))
    assert rig.notes.structures[0] == "model"
    assert rig.notes.structures[1] != "model"


async def test_a_model_stops_after_three_sentences() -> None:
    """More cannot be taken in between two questions."""
    rig = Rig(models=ScriptedModels(text="One.|Two.|Three.|Four."), model_feedback=True)
    interview = await begun(rig)
    says = await spoken(interview.answer(ANSWERS[0], 1))
    assert [say.text for say in says if say.kind == "feedback"] == ["One.", "Two.", "Three."]


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
    state = await interview._state()
    missing = state["current_question"].targets.points[1]
    rig = Rig(judge=judge, model_feedback=True, models=ScriptedModels(text=f"That was fine.|{missing}, mind you."))
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
