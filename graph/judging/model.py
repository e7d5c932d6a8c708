"""The model judge: a language model gives verdicts and quotes; code checks that the quotes were said."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, Field

from graph.judging.quotes import locate
from graph.judging.verdicts import Verdict, VerdictStatus
from graph.questions import Question
from graph.wording import load_prompt

_PROBABILITY = {"quoted": 0.85, "missing": 0.75, "voided": 0.6}
"""How sure a model's verdict is taken to be, by what backs it. Its own word for it is not asked: models overrate it."""


class ModelVerdict(BaseModel):
    """One verdict as the model gives it. Evidence is required: an optional field comes back empty."""

    point: int = Field(description="Number of the key point, from 1")
    quote: str = Field(description="The candidate's own words about it, copied exactly; empty if there are none")
    status: VerdictStatus = Field(description="covered, partly, missing or contradicted")


class ModelVerdicts(BaseModel):
    """All verdicts on one answer."""

    verdicts: list[ModelVerdict]


class JudgingError(RuntimeError):
    """The model did not give verdicts that can be used."""


class ModelJudge:
    """Verdicts from a chat model with structured output."""

    def __init__(self, model: BaseChatModel, name: str) -> None:
        self.name = name
        self._chain: Runnable[object, object] = model.with_structured_output(ModelVerdicts)  # type: ignore[assignment]
        self._prompt = load_prompt("judge")

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question; quotes that were not said are void.

        Raises:
            JudgingError: the model left out a key point or answered in another shape.
        """
        points = question.targets.points
        listed = "\n".join(f"{number}. {point}" for number, point in enumerate(points, start=1))
        reply = await self._chain.ainvoke(
            [
                SystemMessage(self._prompt),
                HumanMessage(f"Question: {question.text}\n\nKey points:\n{listed}\n\nAnswer: {' '.join(words)}"),
            ]
        )
        if not isinstance(reply, ModelVerdicts):
            raise JudgingError(f"{self.name} did not answer in the form that was asked for")
        by_point = {verdict.point: verdict for verdict in reply.verdicts}
        absent = [number for number in range(1, len(points) + 1) if number not in by_point]
        if absent:
            raise JudgingError(f"{self.name} gave no verdict on key point {absent[0]} of {len(points)}")
        return tuple(_checked(point, by_point[number], words) for number, point in enumerate(points, start=1))


def _checked(point: str, verdict: ModelVerdict, words: Sequence[str]) -> Verdict:
    if verdict.status == "missing":
        return Verdict(point=point, status="missing", probability=_PROBABILITY["missing"], rule="the model found none")
    quote = locate(verdict.quote, words)
    if quote is None:
        rule = f"void: the model said {verdict.status}, but its quote was not said"
        return Verdict(point=point, status="missing", probability=_PROBABILITY["voided"], rule=rule)
    return Verdict(
        point=point,
        status=verdict.status,
        quote=quote,
        probability=_PROBABILITY["quoted"],
        rule="the model's verdict on words that were said",
    )
