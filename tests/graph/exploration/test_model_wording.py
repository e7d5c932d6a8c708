"""A language model words questions about the résumé: drafted, criticised, refined, and refused where it must be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import BaseModel

from domain.question import AskedQuestion
from graph.exploration.anchors import anchors_of
from graph.exploration.model_wording import resume_gate
from graph.language_models import Task
from graph.language_models.tasks import QuestionReply
from tests.graph.exploration.resume import JOB, PROFILE, about_resume
from tests.graph.fakes import Rig, WordEmbedder, open_question, spoken
from tests.graph.language_models.test_with_models import ScriptedModels

GOOD = "When you moved the billing over to Kafka, what was the hardest part of it for you?"
OTHER = "What went wrong first when you moved the billing to Kafka?"


@dataclass
class DraftingModels(ScriptedModels):
    """Drafts one after the other, and a critic's opinion of each."""

    drafts: Sequence[str] = ()
    faults: Sequence[str] = ()
    drafted: list[Mapping[str, str]] = field(default_factory=list)
    criticised: int = 0

    async def ask(
        self,
        task: Task[BaseModel],
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[BaseModel], str] | None = None,
    ) -> BaseModel | None:
        await asyncio.sleep(0)
        if task.name == "resume_question":
            self.drafted.append(values)
            reply: BaseModel = QuestionReply(question=self.drafts[len(self.drafted) - 1])
        elif task.name == "resume_critic":
            self.criticised += 1
            fault = self.faults[self.criticised - 1]
            reply = task.reply.model_validate({"is_good": not fault, "fault": fault})
        else:
            return None
        return None if check and check(reply) else reply


async def asked_with(models: DraftingModels) -> str:
    """The first question of an interview with these models."""
    interview = about_resume(Rig(models=models))
    await spoken(interview.begin())
    return (await open_question(interview)).text


async def test_a_draft_that_the_critic_likes_is_asked() -> None:
    """After one round."""
    models = DraftingModels(drafts=[GOOD], faults=[""])
    assert await asked_with(models) == GOOD
    assert (len(models.drafted), models.criticised) == (1, 1)


async def test_a_draft_is_refined_by_what_the_critic_says() -> None:
    """The second draft is made with the fault of the first before it."""
    models = DraftingModels(drafts=[OTHER, GOOD], faults=["It is too vague.", ""])
    assert await asked_with(models) == GOOD
    assert models.drafted[1]["fault"] == "It is too vague."


async def test_after_two_rounds_the_rules_word_it() -> None:
    """A critic who is never content holds nobody up."""
    models = DraftingModels(drafts=[OTHER, GOOD], faults=["Too vague.", "Still too vague."])
    assert (await asked_with(models)).startswith("You moved billing to Kafka at Contoso.")
    assert len(models.drafted) == 2


@pytest.mark.parametrize(
    ("draft", "check"),
    [
        ("Tell me about Kafka and billing.", "asks"),
        ("What was hard about billing? And what about Kafka?", "one thing"),
        ("What is the hardest thing that you have ever done?", "anchor"),
        ("Great job on the billing, what was hard?", "no judgement"),
        ("What was the hardest part of moving the billing to Kafka for you?", "asked before"),
    ],
)
def test_what_must_not_be_asked_is_refused_by_name(draft: str, check: str) -> None:
    """No question, two of them, one about nothing of the résumé, praise, or a repetition."""
    asked = [AskedQuestion("For you, what was the hardest part of moving the billing to Kafka?")]
    gate = resume_gate(anchors_of(PROFILE, JOB)[0], asked, WordEmbedder())
    assert gate(QuestionReply(question=draft)).partition(":")[0] == check
    assert gate(QuestionReply(question=OTHER)) == ""


async def test_a_refused_draft_leaves_the_wording_to_the_rules() -> None:
    """Nothing that did not pass the gate is spoken."""
    models = DraftingModels(drafts=["Tell me about Kafka."], faults=[""])
    assert (await asked_with(models)).startswith("You moved billing to Kafka at Contoso.")
