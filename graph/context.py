"""Context of an interview: what it needs from outside, passed in: judges, questions, models, templates, the clock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pydantic import BaseModel

from domain.events import Event, nobody
from domain.topic_wish import TopicWish, no_wish
from domain.vocabulary import PatienceLevel
from graph.intents import IntentDetector
from graph.judging.panel import JudgePanel
from graph.language_models import LanguageModels, Task
from graph.language_models.deadline import models_within
from graph.templates import Templates, feedback_wording, interview_wording, resume_wording
from rag.embedding.embedder import Embedder
from rag.packs.pack import BankQuestion, Concept, Pack
from rag.retrieval.graph import Helpers, RetrievalRequest
from rag.retrieval.session import Choose, Found

Reply = TypeVar("Reply", bound=BaseModel)


class Questions(Protocol):
    """Where questions and explanations come from."""

    async def next_question(
        self, session: str, request: RetrievalRequest, choose: Choose, helpers: Helpers | None = None
    ) -> Found:
        """A question that fits and that nobody else in this session got, or none."""
        ...

    def rewind(self, session: str, chosen: Collection[str]) -> None:
        """A turn was taken back: of its questions only these count as chosen."""
        ...

    async def concept(self, session: str, pack: str, name_or_id: str) -> Concept | None:
        """What is known about an idea of a pack, by its id or its spoken name."""
        ...

    async def prewarm(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """Search ahead for what will be asked for later. Never fails."""
        ...

    def fetch_ahead(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """The same in the background, in place of what was begun before; `end` stops it. Never fails."""
        ...

    def end(self, session: str) -> None:
        """Forget a session."""
        ...


@dataclass(frozen=True, slots=True)
class InterviewContext:
    """The dependencies of every node."""

    pack: Pack
    questions: Questions
    embedder: Embedder
    detector: IntentDetector
    judges: JudgePanel
    clock: Callable[[], float]
    """Seconds since the epoch."""
    emit: Callable[[Event], None] = nobody
    """Takes what happens, as it happens. It neither blocks nor fails."""
    topic_wish: Callable[[], Awaitable[TopicWish | None]] = no_wish
    """The last wish of whoever watches for a topic to ask about, settled or not. It fails never."""
    models: LanguageModels | None = None
    """Without any, or while none of them answers, everything goes by rule."""
    model_deadline_s: float = 12.0
    """Seconds one run of a node waits for models in all, however many it asks and whoever asks them for it; less than
    the node's own time-out, so that there is time to go by rule."""
    model_feedback: bool = False
    """A model words the feedback; without it, it is composed from the verdicts."""
    stood_still_s: Callable[[], float] = lambda: 0.0
    """How long the interview stood still so far, seconds: the candidate was on hold, or had lost the line."""
    patience: PatienceLevel = "relaxed"
    """How long the interviewer waits in a silence until the candidate asks for something else."""
    wording: Templates = field(default_factory=interview_wording)
    feedback_wording: Templates = field(default_factory=feedback_wording)
    resume_wording: Templates = field(default_factory=resume_wording)
    slow_selector_s: float = 0.0
    """Holds the question selector back by this long. For showing that feedback does not wait for it."""

    async def ask(
        self,
        task: Task[Reply],
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[Reply], str] | None = None,
    ) -> Reply | None:
        """What a model says, or None when there is none, it fails, or the node's time is over: then go by rule.

        Args:
            task: what is asked for, of which tier.
            values: what the prompt is filled with.
            turn: number of the candidate's turn.
            check: the gate: an empty text, or a sentence that says why the reply will not do.
        """
        if self.models is None:
            return None
        # In a node its own deadline holds, which began before this one: see `timed`.
        with models_within(self.model_deadline_s):
            return await self.models.ask(task, values, turn=turn, check=check)

    def concept_names(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Spoken names of concepts of the pack."""
        names = {concept.id: concept.name for concept in self.pack.concepts}
        return tuple(names[id_] for id_ in ids if id_ in names)

    def topic_title(self, topic: str) -> str:
        """Spoken title of a topic of the pack."""
        return next((each.title for each in self.pack.topics if each.id == topic), topic.replace("-", " "))

    def unasked(self, chosen: Sequence[str]) -> list[BankQuestion]:
        """Questions of the pack that were never chosen, in the pack's order."""
        gone = set(chosen)
        return [question for question in self.pack.questions if question.id not in gone]
