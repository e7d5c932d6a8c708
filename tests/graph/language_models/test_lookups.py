"""Lookups: what models are told of a question and of an idea, by the one way there is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from domain.question import Question
from graph.judging import ModelJudge
from graph.judging.llm_judge import JudgingError
from graph.judging.rubric_lookup import rubric_lookup
from graph.language_models import TextTask
from graph.planning.questions import from_bank
from tests.graph.fakes import Rig, open_question, spoken, tea_pack
from tests.graph.language_models.test_with_models import ScriptedModels, begun


def some_question() -> Question:
    """A question of the pack that has misconceptions."""
    best = next(each for each in tea_pack().questions if each.misconceptions)
    return from_bank(best, topic_title="tea", concepts=(), grade="high", attempts=1, lead_in="")


def test_a_rubric_is_numbered_through() -> None:
    """Wrong ideas go on where the key points end, because a verdict names either by its number."""
    question = some_question()
    told = rubric_lookup(question)
    points, wrong = question.targets.points, question.targets.misconceptions
    assert told["question"] == question.text
    assert told["points"].splitlines() == [f"{number}. {point}" for number, point in enumerate(points, 1)]
    assert told["wrong"].splitlines() == [f"{number}. {idea}" for number, idea in enumerate(wrong, len(points) + 1)]
    bare = question.model_copy(update={"targets": question.targets.narrowed(points, ())})
    assert rubric_lookup(bare)["wrong"] == "none"


async def test_a_model_judges_by_that_rubric() -> None:
    """The judge's prompt has all of it, and of the question nothing else."""
    models, question = ScriptedModels({}), some_question()
    with pytest.raises(JudgingError):
        await ModelJudge(models, lambda: "scripted").verdicts(question, ["some", "words"])
    (told,) = models.told
    assert dict(told) == {**rubric_lookup(question), "answer": "some words", "note": "none"}


class FeedbackModels(ScriptedModels):
    """Remembers what feedback is worded from."""

    async def sentences(
        self, task: TextTask, values: Mapping[str, str], *, turn: int, check: Callable[[str], str] | None = None
    ) -> AsyncIterator[str]:
        self.told.append(values)
        async for sentence in super().sentences(task, values, turn=turn, check=check):
            yield sentence


@pytest.mark.parametrize("style", ["coach", "interviewer"])
async def test_feedback_is_worded_with_what_is_behind_it(style: str) -> None:
    """Of what a coach teaches, and of the gap that an interviewer points at, a model is told what the pack explains."""
    models = FeedbackModels({}, text="You named the heat.")
    interview = await begun(Rig(models=models, model_feedback=True), feedback=style)
    idea = (await open_question(interview)).concepts[0]
    models.told.clear()
    await spoken(interview.answer("nothing that helps with this question", 1))
    concept = tea_pack().concept(idea)
    assert concept is not None
    assert concept.simple_explanation in [told.get("context") for told in models.told]
