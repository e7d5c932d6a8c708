"""Corrective retrieval: search the bank, grade what was found, and search once more in other words when it is poor.

The graph is retrieve → grade → (refine → retrieve → grade) → package, compiled by LangGraph, so that it can be
traced, drawn, and used as a part of other graphs. The second search has wider filters as well as other words: it
drops the difficulty, and when that admits nothing the topic too. The time limit and the questions to leave out always
hold. What both searches found is ranked together, so that a second search never loses a question of the wanted topic.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from domain.vocabulary import Difficulty, Grade
from rag.bank.bank import Hit, QuestionBank
from rag.embedding.embedder import Embedder
from rag.packs.pack import BankQuestion
from rag.retrieval.grading import GradeByModel, Grading, WantedQuestion, grade_with_model, rank
from rag.retrieval.query_rewriting import Rephrase, Situation, refine

MAX_ATTEMPTS = 2

_PIVOT_QUESTIONS = 50
"""Questions that a refinement looks at for other words. A pack may have thousands."""


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """What a question is needed for."""

    pack: str
    topic: str | None
    """Id of the topic; None for any."""
    topic_title: str
    """The topic as its author calls it: what the bank is searched for."""
    difficulty: Difficulty | None
    max_minutes: float | None = None
    """The longest question that there is time for; None for any."""
    exclude: Collection[str] = ()
    """Ids of questions that must not come."""
    n: int = 5
    words: str = ""
    """What else it should be about, in free words."""

    @property
    def query(self) -> str:
        """The words of the first search. The difficulty is a filter: as a word it only blurs the topic."""
        return f"{self.topic_title} {self.words}".strip() or self.pack.replace("-", " ")

    @property
    def wanted(self) -> WantedQuestion:
        """What the author's labels of a candidate should be."""
        return WantedQuestion(self.topic, self.difficulty)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Candidates for the next question, best first, and how they were found."""

    candidates: list[BankQuestion]
    """Empty when the filters leave nothing: then the grade is low."""
    grade: Grade
    attempts: int
    queries: tuple[str, ...]
    corrective_applied: bool
    """The first search was graded low and a second one was made."""
    latency_ms: float
    score: float
    """Mean score that the grade rests on, 0 to 1."""


def merge_hits(old: tuple[Hit, ...], new: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Reducer: everything that was found, each question once with its best score."""
    best: dict[str, Hit] = {}
    for hit in (*old, *new):
        if hit.question.id not in best or hit.score > best[hit.question.id].score:
            best[hit.question.id] = hit
    return tuple(best.values())


class RetrievalState(TypedDict, total=False):
    """State of one retrieval. A node returns only the keys that it changes."""

    request: RetrievalRequest
    query: str
    """The words of a search that was asked for by `refine`; empty when the request's own words are meant."""
    queries: Annotated[tuple[str, ...], operator.add]
    attempts: Annotated[int, operator.add]
    hits: Annotated[tuple[Hit, ...], merge_hits]
    grading: Grading
    candidates: list[BankQuestion]


@dataclass(frozen=True, slots=True)
class Helpers:
    """Models that help to retrieve. Each answers None when it cannot be used; without them everything goes by rule."""

    rephrase: Rephrase | None = None
    grade_by_model: GradeByModel | None = None


@dataclass(frozen=True, slots=True)
class RetrievalContext:
    """What the nodes work with."""

    bank: QuestionBank
    embedder: Embedder
    helpers: Helpers


CorrectiveGraph = CompiledStateGraph[RetrievalState, RetrievalContext, RetrievalState, RetrievalState]


class CorrectiveRetrieval:
    """Finds questions that fit, and says how well they do.

    `rephrase` and `grade_by_model` help where a call does not bring helpers of its own.
    """

    def __init__(
        self,
        bank: QuestionBank,
        embedder: Embedder,
        clock: Callable[[], float],
        *,
        rephrase: Rephrase | None = None,
        grade_by_model: GradeByModel | None = None,
    ) -> None:
        self.graph = build_graph()
        self._context = RetrievalContext(bank, embedder, Helpers(rephrase, grade_by_model))
        self._clock = clock

    @property
    def embedder(self) -> Embedder:
        """What turns texts into vectors here."""
        return self._context.embedder

    async def retrieve(
        self, request: RetrievalRequest, helpers: Helpers | None = None, *, session: str = ""
    ) -> Retrieved:
        """Candidates for a request. Nothing found is no error: an empty list, graded low.

        Args:
            request: what is needed.
            helpers: those of one interview, whose models are its own; None means those given at the start.
            session: the interview's id, by which traces tell its searches from others; empty outside of interviews.

        Raises:
            BankError: the bank does not hold the pack, or cannot be read.
        """
        begun_at = self._clock()
        context = self._context if helpers is None else replace(self._context, helpers=helpers)
        state = await self.graph.ainvoke({"request": request}, _apart(session), context=context)
        return Retrieved(
            candidates=state["candidates"],
            grade=state["grading"].grade,
            attempts=state["attempts"],
            queries=state["queries"],
            corrective_applied=state["attempts"] > 1,
            latency_ms=(self._clock() - begun_at) * 1000,
            score=state["grading"].score,
        )


def _apart(session: str) -> RunnableConfig:
    """A thread of its own.

    Without one a graph that is run in another graph's node inherits how that one writes checkpoints, and with
    `durability="sync"` LangGraph 1.2 waits for a checkpoint that this graph never writes.
    """
    return {"configurable": {"thread_id": f"{session}/retrieval" if session else "retrieval"}}


def build_graph() -> CorrectiveGraph:
    """Compile the graph. It keeps no checkpoints, not even inside of a graph that does: it is over in milliseconds."""
    graph = StateGraph(RetrievalState, context_schema=RetrievalContext)
    nodes = {"retrieve": retrieve, "grade": grade_candidates, "refine": refine_query, "package": package}
    for name, node in nodes.items():
        graph.add_node(name, node)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade")
    graph.add_conditional_edges("grade", after_grade)
    graph.add_conditional_edges("refine", after_refine)
    graph.add_edge("package", END)
    return graph.compile(checkpointer=False, name="corrective_retrieval")


async def retrieve(state: RetrievalState, runtime: Runtime[RetrievalContext]) -> RetrievalState:
    """Search the bank, in a thread: it computes and reads files."""
    request, attempts = state["request"], state.get("attempts", 0)
    query = state.get("query") or request.query
    hits = await asyncio.to_thread(_search, runtime.context.bank, request, query, widened=attempts > 0)
    return {"queries": (query,), "attempts": 1, "hits": hits}


async def grade_candidates(state: RetrievalState, runtime: Runtime[RetrievalContext]) -> RetrievalState:
    """Grade the best of everything that was found so far."""
    model = runtime.context.helpers.grade_by_model
    return {"grading": await grade_with_model(_best(state), state["request"].wanted, state["queries"][-1], model)}


def after_grade(state: RetrievalState) -> Literal["refine", "package"]:
    """Correct a low grade while there are attempts left."""
    return "refine" if state["grading"].grade == "low" and state["attempts"] < MAX_ATTEMPTS else "package"


async def refine_query(state: RetrievalState, runtime: Runtime[RetrievalContext]) -> RetrievalState:
    """Find other words; none are left when everything was asked."""
    request, context = state["request"], runtime.context
    situation = await asyncio.to_thread(_situation, context.bank, request, state)
    refined = await refine(situation, context.embedder, state["attempts"] - 1, context.helpers.rephrase)
    return {"query": "" if refined is None else refined.query}


def after_refine(state: RetrievalState) -> Literal["retrieve", "package"]:
    """Search again when there are other words."""
    return "retrieve" if state.get("query") else "package"


async def package(state: RetrievalState, runtime: Runtime[RetrievalContext]) -> RetrievalState:  # noqa: ARG001 - the form of a node
    """The best candidates, in the order in which to ask them."""
    return {"candidates": [hit.question for hit in _best(state)]}


def _best(state: RetrievalState) -> list[Hit]:
    request = state["request"]
    return rank(state["hits"], request.wanted)[: request.n]


def _search(bank: QuestionBank, request: RetrievalRequest, query: str, *, widened: bool) -> tuple[Hit, ...]:
    exact = (request.topic, request.difficulty)
    filters = [(request.topic, None), (None, None)] if widened else [exact]
    for topic, difficulty in filters:
        hits = bank.search(
            query,
            pack=request.pack,
            topic=topic,
            difficulty=difficulty,
            max_minutes=request.max_minutes,
            exclude=request.exclude,
            n=request.n,
        )
        if hits:
            return tuple(hits)
    return ()


def _situation(bank: QuestionBank, request: RetrievalRequest, state: RetrievalState) -> Situation:
    of_pack = bank.remaining(pack=request.pack, topic=None, exclude=request.exclude, n=_PIVOT_QUESTIONS)
    of_topic = bank.remaining(pack=request.pack, topic=request.topic, exclude=request.exclude, n=_PIVOT_QUESTIONS)
    return Situation(
        query=state["queries"][-1],
        earlier=state["queries"],
        topic_title=request.topic_title,
        rejected=[hit.question for hit in state["hits"]],
        of_topic=of_topic,
        of_pack=of_pack,
    )
