"""Clarifications without a model, from quotes of real wrong answers: would a kind interviewer say that?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.question import KeyPoints, Question
from domain.verdict import Evaluation, Quote, Verdict
from domain.vocabulary import StarPart
from graph.dialogue.spoken_words import SpokenWords
from graph.follow_ups.wording import stay
from graph.templates import interview_wording
from tests.graph.fakes import Rig, spoken
from tests.graph.language_models.test_with_models import ScriptedModels

WORDING = interview_wording()
QUOTES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "clarifications.jsonl").read_text(encoding="utf-8").splitlines()
]
"""What was said, the key point that it goes against, and what of it is said back; empty when nothing can be."""


def question(point: str, *, story: bool = False) -> Question:
    """A question with one key point, of a story or not."""
    parts: tuple[StarPart, ...] = ("action",) if story else ()
    return Question(
        id="q", text="How do you do that?", kind="retrieved", source="plan", topic="serving", topic_title="Serving",
        difficulty="easy", targets=KeyPoints(points=(point,), parts=parts), expected_answer="",
        concepts=("Brewing pot",), minutes=2,
    )  # fmt: skip


def contradicted(point: str, said: str | None, probability: float = 1.0) -> Verdict:
    """A verdict against what was said."""
    quote = None if said is None else Quote(text=said, first_word=0, last_word=len(said.split()) - 1)
    return Verdict(point=point, status="contradicted", probability=probability, rule="test", quote=quote)


async def clarified(
    *verdicts: Verdict, turn: int = 0, story: bool = False, models: ScriptedModels | None = None
) -> str:
    """What the interviewer asks about an answer with these verdicts."""
    rig = Rig(models=models)
    interview = rig.interview(InMemorySaver())
    await spoken(interview.begin())
    evaluation = Evaluation(
        question_id="q", topic="serving", difficulty="easy", judge="test", scores=None, verdicts=verdicts
    )
    state = {"turn": turn, "answer": SpokenWords(words=(), spans=())}
    asked = question(verdicts[0].point, story=story)
    next_ = await stay("clarification", evaluation, asked, number=1, state=state, context=rig.context())  # type: ignore[arg-type]
    return next_.spoken


@pytest.mark.parametrize("each", QUOTES, ids=lambda each: each["said"][:40])
async def test_a_clarification_takes_up_what_can_be_said_back(each: dict[str, Any]) -> None:
    """What is theirs alone in the second person, ended where a clause ends; else the idea, and nothing half said."""
    heading = ("clarification.story" if each["story"] else "clarification") + ("" if each["back"] else ".plain")
    for turn in range(3):
        asked = await clarified(contradicted(each["point"], each["said"]), turn=turn, story=each["story"])
        assert asked == WORDING.say(heading, turn, said=each["back"], concept="brewing pots")
        assert asked.count("?") == 1
        assert asked.endswith("?")


async def test_the_surest_of_several_doubts_is_asked_about() -> None:
    """Who may have been misheard on one thing is asked about the other."""
    doubts = (
        contradicted("Tea keeps in the dark.", "you leave the tin open in the sun all day", 0.5),
        contradicted("Water must boil.", "the water only has to be warm to the touch", 0.9),
    )
    assert "warm to the touch" in await clarified(*doubts)


async def test_a_model_is_told_what_was_said_and_never_what_is_so() -> None:
    """A key point that was contradicted in no words which can be found is asked about by rule."""
    models = ScriptedModels({"clarification": {"question": "What does the water do then?"}})
    assert await clarified(contradicted("Water must boil.", "it is cold"), models=models) == (
        "What does the water do then?"
    )
    models.asked.clear()
    asked = await clarified(contradicted("Water must boil.", None), models=models)
    assert "clarification" not in models.asked
    assert "brewing pots" in asked


async def test_a_clarification_that_tells_what_is_so_is_not_asked() -> None:
    """The rule's wording takes its place."""
    models = ScriptedModels({"clarification": {"question": "Did you know that black tea needs boiling water?"}})
    said = contradicted("Black tea needs boiling water.", "for black tea the water only has to be warm")
    assert "boiling" not in await clarified(said, models=models)
