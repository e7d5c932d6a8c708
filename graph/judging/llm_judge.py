"""Model judge: a model gives verdicts and quotes, code checks that they were said, a second model reviews them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from domain.question import Question
from domain.verdict import Quote, Verdict
from graph.judging.quote_matching import locate
from graph.judging.rubric_lookup import rubric_lookup
from graph.judging.scoring import evaluation_of
from graph.judging.text.stems import content_stems
from graph.judging.validators import evaluator_gate
from graph.language_models import LanguageModels, Task
from graph.language_models.deadline import models_within
from graph.validators import Check, first_fault

_PROBABILITY = {"quoted": 0.85, "missing": 0.75, "voided": 0.6, "lowered": 0.65, "disputed": 0.5}
"""How sure a model's verdict is taken to be, by what backs it. Its own word for it is not asked: models overrate it."""

_CREDIT: Mapping[str, int] = {"covered": 2, "partly": 1, "missing": 0}
_STEP_DOWN: Mapping[str, Literal["partly", "missing"]] = {"covered": "partly", "partly": "missing"}


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ModelVerdict(_Reply):
    """One verdict as the model gives it. Evidence is required: an optional field comes back empty."""

    point: int = Field(description="Number of the key point or wrong idea, from 1")
    quote: str = Field(description="The candidate's own words about it, copied exactly; empty if there are none")
    status: Literal["covered", "partly", "missing", "contradicted", "stated"] = Field(
        description="covered, partly, missing or contradicted; of a wrong idea stated or missing"
    )


class ModelVerdicts(_Reply):
    """All verdicts on one answer."""

    verdicts: list[ModelVerdict]


class VerdictReview(_Reply):
    """What the reviewer makes of one verdict."""

    point: int = Field(description="Number of the verdict in the list")
    decision: Literal["keep", "partly", "missing", "contradicted"]
    reason: str = Field(description="One short sentence")


class Reviews(_Reply):
    """What the reviewer makes of all verdicts."""

    reviews: list[VerdictReview]


EVALUATOR = Task("evaluator", "complex", "judge", ModelVerdicts)
"""Values: question, points (numbered), wrong (ideas, numbered on, or "none"), answer, note (a person's, or "none")."""
REFLECTION = Task("reflection", "fast", "reflection", Reviews)
"""Values: question, verdicts (numbered, each with its key point or wrong idea and its words)."""


class JudgingError(RuntimeError):
    """The model did not give verdicts that can be used."""


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Verdicts from the complex model, reviewed by the fast one; where there is one model only, it does both."""

    models: LanguageModels
    model_name: Callable[[], str]
    """Name of the model whose verdicts were used last; before that, of the one that is asked first."""
    turn: int = 0
    """The candidate's turn that is judged."""
    reflection_s: float = 5.0
    """Seconds for the review; without it in time the verdicts stand as they are."""
    insists: bool = True
    """Without a model it fails, also while none was ever there; else it only judges from then on."""
    note: str = ""
    """What a person had to say about an earlier verdict on this answer."""

    @property
    def name(self) -> str:
        """The model that judges."""
        return self.model_name()

    @property
    def is_expected(self) -> bool:
        """False while nobody counts on it: then the built-in judge does not stand in for it, but is the judge."""
        return self.insists or self.models.ever_there()

    def of_turn(self, turn: int) -> ModelJudge:
        """The same judge for another turn."""
        return replace(self, turn=turn)

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question, and one for each misconception that was stated.

        Quotes that were not said are void.

        Raises:
            JudgingError: no model gave verdicts that can be used.
        """
        values = {**rubric_lookup(question), "answer": " ".join(words), "note": self.note or "none"}
        gate = partial(self._fault, question=question, words=words)
        reply = await self.models.ask(EVALUATOR, values, turn=self.turn, check=gate)
        if reply is None:
            raise JudgingError(f"{self.name} gave no verdicts that can be used")
        return await self._reviewed(question, checked(reply, question, words))

    def _fault(self, reply: ModelVerdicts, *, question: Question, words: Sequence[str]) -> str:
        """The gate: of the reply as it came, and of the evaluation that would follow from it."""
        if fault := first_fault(reply_checks(len(question.targets.points), words), reply):
            return fault
        evaluation = evaluation_of(self.name, question, checked(reply, question, words))
        return next(map(str, evaluator_gate(question, evaluation)), "")

    async def _reviewed(self, question: Question, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """The verdicts after their review: of what was credited, and of what was held against the candidate."""
        quoted = {number: verdict for number, verdict in enumerate(verdicts, start=1) if verdict.status != "missing"}
        if not quoted:
            return verdicts
        listed = "\n".join(_listed(number, verdict) for number, verdict in quoted.items())
        with models_within(self.reflection_s):
            reply = await self.models.ask(REFLECTION, {"question": question.text, "verdicts": listed}, turn=self.turn)
        if reply is None:
            return verdicts
        reviews = {review.point: review for review in reply.reviews if review.point in quoted}
        after = (
            lowered(verdict, reviews[number]) if number in reviews else verdict
            for number, verdict in enumerate(verdicts, start=1)
        )
        # A misconception has a verdict only when it was stated.
        return tuple(each for each in after if each.kind == "key_point" or each.status != "missing")


def lowered(verdict: Verdict, review: VerdictReview) -> Verdict:
    """A verdict after its review, which can take credit away and never give any, and can drop what was held against.

    Two models that see the opposite in the same words settle nothing: the credit goes down one step, and the verdict
    is marked as disputed. What is held against somebody needs both of them.
    """
    if verdict.status == "contradicted":
        return _dropped(verdict, review) if review.decision == "missing" else verdict
    if review.decision == "keep" or _CREDIT.get(review.decision, 0) >= _CREDIT.get(verdict.status, 0):
        return verdict
    disputed = review.decision == "contradicted"
    status = _STEP_DOWN[verdict.status] if disputed else review.decision
    seen = "disputed by the reviewer" if disputed else f"the reviewer lowered it from {verdict.status}"
    return verdict.model_copy(
        update={
            "status": status,
            "quote": None if status == "missing" else verdict.quote,
            "probability": _PROBABILITY["disputed" if disputed else "lowered"],
            "rule": f"{seen}: {review.reason.strip()}",
        }
    )


def _dropped(verdict: Verdict, review: VerdictReview) -> Verdict:
    return verdict.model_copy(
        update={
            "status": "missing",
            "quote": None,
            "probability": _PROBABILITY["lowered"],
            "rule": f"the reviewer found nothing said against it: {review.reason.strip()}",
        }
    )


def checked(reply: ModelVerdicts, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
    """The verdicts of a reply that has one for each key point, those on key points first; quotes not said are void."""
    points, wrong = question.targets.points, question.targets.misconceptions
    by_point = {verdict.point: verdict for verdict in reply.verdicts}
    made = (_checked(point, by_point[number], words) for number, point in enumerate(points, start=1))
    ideas = enumerate(wrong, start=len(points) + 1)
    return (*made, *filter(None, (_stated(idea, by_point.get(number), words) for number, idea in ideas)))


def reply_checks(count: int, words: Sequence[str]) -> tuple[Check[ModelVerdicts], ...]:
    """The gate of a model's reply, before anything follows from it.

    Args:
        count: how many key points there are.
        words: the answer.
    """

    def every_point(reply: ModelVerdicts) -> str:
        given = {verdict.point for verdict in reply.verdicts}
        absent = [number for number in range(1, count + 1) if number not in given]
        return f"there is no verdict on key point {absent[0]} of {count}" if absent else ""

    def evidence(reply: ModelVerdicts) -> str:
        """One quote that was not said is void; where most were not, the model did not read the answer."""
        backed = [verdict for verdict in reply.verdicts if verdict.status != "missing"]
        void = [verdict.point for verdict in backed if _place(verdict.quote, words) is None]
        if len(void) * 2 <= len(backed):
            return ""
        return f"the quotes of points {', '.join(map(str, void))} are not in the answer; copy the candidate's words"

    return Check("every key point", every_point), Check("evidence", evidence)


def _listed(number: int, verdict: Verdict) -> str:
    # The tags are written here and not in the prompt, which takes only its own out of what is filled in.
    quote = re.sub(r"[<>]", " ", verdict.quote.text) if verdict.quote else ""
    if verdict.kind == "misconception":
        return f"{number}. Wrong idea: {verdict.point} Words: <said>{quote}</said> Verdict: stated"
    return f"{number}. Key point: {verdict.point} Words: <said>{quote}</said> Verdict: {verdict.status}"


def _place(quote: str, words: Sequence[str]) -> Quote | None:
    """Where a quote is; one of mere grammar ("it is the") proves nothing, wherever it is."""
    return locate(quote, words) if content_stems(quote) else None


def _checked(point: str, verdict: ModelVerdict, words: Sequence[str]) -> Verdict:
    if verdict.status == "missing":
        return Verdict(point=point, status="missing", probability=_PROBABILITY["missing"], rule="the model found none")
    quote = _place(verdict.quote, words)
    if quote is None:
        rule = f"void: the model said {verdict.status}, but its quote was not said"
        return Verdict(point=point, status="missing", probability=_PROBABILITY["voided"], rule=rule)
    return Verdict(
        point=point,
        status="covered" if verdict.status == "stated" else verdict.status,
        quote=quote,
        probability=_PROBABILITY["quoted"],
        rule="the model's verdict on words that were said",
    )


def _stated(idea: str, verdict: ModelVerdict | None, words: Sequence[str]) -> Verdict | None:
    """None when the candidate did not state a wrong idea, or not in words that can be found."""
    # Small models say of a wrong idea that was stated that it is covered; "contradicted" may mean either.
    if verdict is None or verdict.status not in ("stated", "covered"):
        return None
    quote = _place(verdict.quote, words)
    if quote is None:
        return None
    return Verdict(
        point=idea,
        kind="misconception",
        status="contradicted",
        quote=quote,
        probability=_PROBABILITY["quoted"],
        rule="the model found the misconception in words that were said",
    )
