"""Interviews with a language model beside the rules: what it adds, and that its faults cost nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

from domain.vocabulary import Tier
from graph import Interview
from graph.checkpoints.serializer import serializer
from graph.feedback.guardrails import feedback_gate
from graph.language_models import LanguageModels, Task, TextTask
from graph.language_models.deadline import seconds_left
from graph.language_models.prompt_history import tokens
from graph.language_models.prompts import chat_prompt
from graph.nodes.extract_context import DOCUMENT_TOKENS
from tests.graph.fakes import Rig, open_question, spoken


@dataclass
class ScriptedModels(LanguageModels):
    """Answers each agent with what the script has for it; the gate is applied as the real one does."""

    replies: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    text: str = ""
    hangs: bool = False
    asked: list[str] = field(default_factory=list)
    told: list[Mapping[str, str]] = field(default_factory=list)
    """What the prompts were filled with."""

    def available(self, tier: Tier) -> bool:
        return True

    def ever_there(self) -> bool:
        return True

    async def ask(
        self,
        task: Task[BaseModel],
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[BaseModel], str] | None = None,
    ) -> BaseModel | None:
        self.asked.append(task.name)
        self.told.append(values)
        if self.hangs:
            await asyncio.sleep(seconds_left(3600))
            return None
        if task.name not in self.replies:
            return None
        reply = task.reply.model_validate(self.replies[task.name])
        return None if check and check(reply) else reply

    async def sentences(
        self, task: TextTask, values: Mapping[str, str], *, turn: int, check: Callable[[str], str] | None = None
    ) -> AsyncIterator[str]:
        for sentence in filter(None, self.text.split("|")):
            if check and check(sentence):
                return
            yield sentence


async def begun(rig: Rig, **wanted: object) -> Interview:
    """An interview after its first question."""
    interview = rig.interview(InMemorySaver(serde=serializer()), **wanted)  # type: ignore[arg-type]
    await spoken(interview.begin())
    return interview


async def test_a_models_plan_is_followed_when_it_is_one_of_the_packs_topics() -> None:
    """The topics come in the model's order; their difficulty still follows the rules."""
    topics = ["serving", "water", "serving", "leaves", "water", "leaves", "serving"]
    rig = Rig(models=ScriptedModels({"planner": {"reason": "", "topics": topics}}))
    interview = await begun(rig)
    plan = (await interview.snapshot())["interview_plan"]
    assert plan.made_by == "model"
    assert list(plan.topics) == topics
    assert rig.notes.questions[0].topic == "serving"


async def test_a_plan_with_a_topic_that_does_not_exist_is_refused() -> None:
    """Then the plan is made by rule."""
    rig = Rig(models=ScriptedModels({"planner": {"reason": "", "topics": ["coffee"] * 7}}))
    plan = (await (await begun(rig)).snapshot())["interview_plan"]
    assert plan.made_by == "rules"


async def test_a_models_follow_up_is_asked_when_it_is_one_spoken_question() -> None:
    """And is judged by the points it was asked for."""
    rig = Rig(models=ScriptedModels({"follow_up": {"question": "What stops a green leaf from oxidising?"}}))
    interview = await begun(rig)
    says = await spoken(interview.answer("nothing that helps with this question", 1))
    assert says[-1].text == "What stops a green leaf from oxidising?"
    assert (await open_question(interview)).targets.points


async def test_a_follow_up_is_worded_with_the_conversation() -> None:
    """The model hears of what was asked and said before, as that of feedback does."""
    models = ScriptedModels({})
    interview = await begun(Rig(models=models))
    await spoken(interview.answer("good words about oxidation of tea", 1))
    await spoken(interview.answer("nothing that helps with this question", 2))
    told = models.told[models.asked.index("follow_up")]
    assert "good words about oxidation of tea" in told["conversation"]


async def test_a_follow_up_that_is_no_question_is_not_asked() -> None:
    """The rule's wording takes its place."""
    rig = Rig(models=ScriptedModels({"follow_up": {"question": "Green leaves are stopped by heat."}}))
    interview = await begun(rig)
    says = await spoken(interview.answer("nothing that helps with this question", 1))
    assert "Green leaves" not in says[-1].text
    assert says[-1].kind == "question"


async def test_a_models_choice_among_the_candidates_is_taken() -> None:
    """It may choose only what the search found."""
    rig = Rig(models=ScriptedModels({"selection": {"selected_id": "leaves-storage"}}))
    await begun(rig, difficulty="easy")
    found = [question.question_id for question in rig.notes.questions]
    assert len(found) == 1


async def test_a_models_feedback_is_spoken_sentence_by_sentence() -> None:
    """Each sentence leaves by itself, so that the first can be heard while the last is written."""
    rig = Rig(models=ScriptedModels(text="You named the heat.|There is more about the leaf."), model_feedback=True)
    interview = await begun(rig)
    says = await spoken(interview.answer("half of what tea leaves are about", 1))
    assert [say.text for say in says if say.kind == "feedback"] == [
        "You named the heat.",
        "There is more about the leaf.",
    ]


async def test_feedback_that_tells_a_score_is_not_spoken() -> None:
    """What the verdicts say is spoken in its place."""
    rig = Rig(models=ScriptedModels(text="That was 7 out of 10."), model_feedback=True)
    interview = await begun(rig)
    says = await spoken(interview.answer("good answer about oxidation of tea", 1))
    assert says[0].text
    assert "7" not in says[0].text


def test_the_gate_of_feedback() -> None:
    """No score, no verdict on the person, no praise that was not earned, nothing too long for the ear."""
    assert feedback_gate("You scored 7 there.", "high")
    assert feedback_gate("That is a rating: 4.", "high")
    assert feedback_gate("You missed the point.", "low")
    assert feedback_gate("Excellent answer.", "low")
    assert feedback_gate("word " * 50, "high")
    assert not feedback_gate("Excellent, and clearly put.", "high")
    assert not feedback_gate("You named the heat, which stops the leaf.", "medium")


async def test_long_documents_are_cut_to_what_a_small_model_can_read() -> None:
    """Two documents of the greatest length, their prompt and a reply fit Ollama's context; the rules read the whole."""
    resume = "Ada built data pipelines for tea shops. " * 1250 + "She has 12 years of experience."
    job = "- you know about leaves and water\n" * 1470 + "Leafworks is hiring a senior data engineer."
    models = ScriptedModels({})
    interview = await begun(Rig(models=models), resume=resume, job_description=job)
    told = models.told[models.asked.index("context")]
    assert told["resume"].startswith("Ada built")
    assert told["resume"].endswith("shops.")
    assert told["job_description"].endswith("\n- you know about leaves and water")
    assert all(DOCUMENT_TOKENS * 0.9 < tokens(text) <= DOCUMENT_TOKENS for text in told.values())
    prompt = sum(tokens(str(message.content)) for message in chat_prompt("context").template.format_messages(**told))
    assert prompt < 0.7 * (8192 - 1024), "with room for a reply, and for texts that take more tokens than are counted"
    role = (await interview.snapshot())["role_context"]
    assert (role.company, role.years) == ("Leafworks", 12)
