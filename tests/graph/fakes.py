"""Stand-ins for what an interview needs from outside: scripted, deterministic, and of the real types."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from numpy.typing import NDArray

from domain.events import (
    AnswerJudged,
    Event,
    FeedbackReady,
    FellBack,
    IntentDetected,
    ModelCalled,
    QuestionSelected,
    ReviewRequested,
    SettingChanged,
    StageTimed,
    Supervised,
)
from domain.progress import Setup
from domain.question import Question
from domain.say import Say
from domain.topic_wish import TopicWish
from domain.verdict import Verdict
from domain.vocabulary import PatienceLevel, VerdictStatus
from graph import Interview, InterviewContext, build_graph
from graph.checkpoints.serializer import serializer
from graph.intents import Understood
from graph.judging import JudgePanel
from graph.judging.text.stems import content_stems
from graph.language_models import LanguageModels
from graph.node import Node, Update, timed
from graph.state import InterviewState
from graph.wiring import compiled
from rag.packs.pack import Concept, Pack, load_pack
from rag.retrieval.graph import Helpers, RetrievalRequest
from rag.retrieval.session import Choose, Found

PACK = Path(__file__).parent / "data" / "tea.yaml"
START = 1_000_000.0
Kind = TypeVar("Kind", bound=Event)
_NAMES: dict[type[Event], str] = {
    IntentDetected: "intent",
    AnswerJudged: "judged",
    FeedbackReady: "feedback",
    QuestionSelected: "question",
    Supervised: "supervised",
}


@cache
def tea_pack() -> Pack:
    """A small pack about brewing tea: three topics, each at three difficulties."""
    return load_pack(PACK)


class WordEmbedder:
    """A bag of words hashed into a vector: texts that share words are near."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 256), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for stem in content_stems(text) or {"nothing"}:
                row[int(hashlib.sha256(stem.encode()).hexdigest(), 16) % 256] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class PackQuestions:
    """Finds questions by their topic and difficulty, in the order of the pack."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self.prewarmed: list[RetrievalRequest] = []
        self.ended: list[str] = []
        self.rewound: list[list[str]] = []

    def rewind(self, session: str, chosen: Collection[str]) -> None:
        self.rewound.append(list(chosen))

    async def prewarm(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        self.prewarmed += requests

    def fetch_ahead(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        self.prewarmed += requests

    def end(self, session: str) -> None:
        self.ended.append(session)

    async def next_question(
        self, session: str, request: RetrievalRequest, choose: Choose, helpers: Helpers | None = None
    ) -> Found:
        fresh = [question for question in self._pack.questions if question.id not in request.exclude]
        exact = [q for q in fresh if q.topic == request.topic and q.difficulty == request.difficulty]
        near = [q for q in fresh if q.topic == request.topic]
        return Found(
            question=await choose(exact or near or fresh),
            grade="high" if exact else "low",
            attempts=1 if exact else 2,
            queries=(request.topic_title,),
            served_from_cache=False,
            latency_ms=0.0,
        )

    async def concept(self, session: str, pack: str, name_or_id: str) -> Concept | None:
        wanted = name_or_id.lower()
        return next((each for each in self._pack.concepts if wanted in (each.id, each.name.lower())), None)


class ScriptedDetector:
    """Takes words for a request when they begin with its name: `#skip`, `#hint?` (unsure); `answer #skip` is both."""

    name = "scripted"

    async def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Understood:
        mark = next((index for index, word in enumerate(words) if word.startswith("#")), None)
        if mark is None:
            scrapped = max((index for index, word in enumerate(words) if word == "SCRAP"), default=-1)
            span = (scrapped + 1, len(words) - 1) if len(words) > scrapped + 1 else None
            return Understood(request=None, confidence=0.9, answer=span, withdrawn=scrapped >= 0, detector=self.name)
        name = words[mark][1:]
        before = (0, mark - 1) if mark else None
        after = (mark + 1, len(words) - 1) if len(words) > mark + 1 else None
        return Understood(
            request=name.rstrip("?"),
            confidence=0.5 if name.endswith("?") else 0.95,
            detail=" ".join(words[mark + 1 :]),
            answer=after if name == "correct_myself" else before,
            detector=self.name,
        )


class ScriptedJudge:
    """Gives every key point the status that the script has for this answer, with the whole answer as the quote."""

    def __init__(self, name: str = "scripted", script: Callable[[str], VerdictStatus] | None = None) -> None:
        self.name = name
        self.judged: list[tuple[str, str]] = []
        self._script = script or by_first_word

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        text = " ".join(words)
        self.judged.append((question.id, text))
        status = self._script(text)
        return tuple(
            Verdict(point=point, status=status, probability=1.0, rule="scripted") for point in question.targets.points
        )


def by_first_word(text: str) -> VerdictStatus:
    """`good …` covers everything, `half …` covers it partly, anything else misses it."""
    first = text.split(maxsplit=1)[0].lower() if text else ""
    statuses: dict[str, VerdictStatus] = {"good": "covered", "half": "partly", "wrong": "contradicted"}
    return statuses.get(first, "missing")


@dataclass
class Clock:
    """Virtual time: stands still until it is moved."""

    now: float = START

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class Notes:
    """A listener that keeps the events of an interview, in their order."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.after_node: Callable[[str], None] = lambda _: None
        """Called with the name of each node that has finished."""

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, StageTimed):
            self.after_node(event.stage)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def told(self) -> list[str]:
        """What a turn goes through, in order."""
        return [_NAMES[type(event)] for event in self.events if type(event) in _NAMES]

    @property
    def evaluations(self) -> list[AnswerJudged]:
        return self.of(AnswerJudged)

    @property
    def questions(self) -> list[QuestionSelected]:
        return self.of(QuestionSelected)

    @property
    def decisions(self) -> list[Supervised]:
        return self.of(Supervised)

    @property
    def structures(self) -> list[str]:
        return [event.structure for event in self.of(FeedbackReady)]

    @property
    def changed(self) -> list[tuple[str, object]]:
        return [(event.what, event.value) for event in self.of(SettingChanged)]

    @property
    def fallbacks(self) -> list[str]:
        return [event.agent for event in self.of(FellBack)]

    @property
    def reviews(self) -> list[str]:
        return [event.why for event in self.of(ReviewRequested)]

    @property
    def calls(self) -> list[ModelCalled]:
        return self.of(ModelCalled)


class Faults:
    """Lets nodes of graphs that are built from now on fail, for as long as they are named in `nodes`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.nodes: set[str] = set()
        patch.setattr("graph.wiring.timed", self._breakable)
        patch.setattr("graph.wiring.compiled", compiled.__wrapped__)

    def _breakable(self, name: str, node: Node, timeout_s: float | None) -> Node:
        whole = timed(name, node, timeout_s)

        @wraps(node)
        async def breakable(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
            if name in self.nodes:
                raise ZeroDivisionError(f"a fault in {name}")
            return await whole(state, runtime)

        return breakable  # type: ignore[return-value]


BUSY_S = 300.0
"""Longer than a node takes on any machine: tests of nodes that are out of time have limits of their own."""


@dataclass
class Rig:
    """An interview with everything around it scripted."""

    clock: Clock = field(default_factory=Clock)
    notes: Notes = field(default_factory=Notes)
    judge: ScriptedJudge = field(default_factory=ScriptedJudge)
    panel: JudgePanel | None = None
    models: LanguageModels | None = None
    slow_selector_s: float = 0.0
    model_feedback: bool = False
    patience: PatienceLevel = "relaxed"
    pack: Pack = field(default_factory=tea_pack)
    topic_wish: TopicWish | None = None
    """The last wish of whoever watches."""

    async def _last_wish(self) -> TopicWish | None:
        return self.topic_wish

    def context(self) -> InterviewContext:
        return InterviewContext(
            pack=self.pack,
            questions=PackQuestions(self.pack),
            embedder=WordEmbedder(),
            detector=ScriptedDetector(),
            models=self.models,
            model_feedback=self.model_feedback,
            patience=self.patience,
            judges=self.panel or JudgePanel(self.judge),
            emit=self.notes,
            clock=self.clock,
            slow_selector_s=self.slow_selector_s,
            topic_wish=self._last_wish,
        )

    def interview(self, checkpointer: object, *, minutes: int = 30, **wanted: object) -> Interview:
        waits = wanted.get("review", "off") != "off"
        graph = build_graph(checkpointer, node_timeout_s=BUSY_S, pause_for_review=waits)  # type: ignore[arg-type]
        wanted.setdefault("feedback", "interviewer")
        setup = Setup("tea-1", "Ada", minutes, **wanted)  # type: ignore[arg-type]
        return Interview(graph, self.context(), setup)


async def open_question(interview: Interview) -> Question:
    """The question that waits for an answer."""
    question = (await interview.progress()).question
    assert question is not None
    return question


async def spoken(says: object) -> list[Say]:
    """Everything the interviewer has to say in one go."""
    return [say async for say in says]  # type: ignore[attr-defined]


def kinds(says: Sequence[Say]) -> list[str]:
    """The kinds of what was said, in order."""
    return [say.kind for say in says]


async def begun(rig: Rig, *, minutes: int = 30, feedback: str = "interviewer") -> tuple[object, list[Say]]:
    """An interview that has greeted and asked its first question."""
    interview = rig.interview(InMemorySaver(serde=serializer()), minutes=minutes, feedback=feedback)
    return interview, await spoken(interview.begin())
