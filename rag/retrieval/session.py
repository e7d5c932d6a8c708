"""Session of retrieval: the next question, never the same one twice, and what is known about a concept.

Each session keeps the batches that corrective retrieval found (`topic and difficulty`) and the concepts it looked up,
in two caches that never push each other out. A batch lives the longer, the better its grade.

The bank is searched, and the caller's `choose` runs, without holding anything: both may ask a model, for seconds.
Only the moment in which a choice is checked and marked is guarded. Whoever comes second chooses again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace

import numpy as np
from cachetools import TLRUCache, TTLCache
from langchain_core.runnables.config import var_child_runnable_config

from domain.vocabulary import Grade
from rag.bank.chroma import BankError
from rag.duplicates.duplicates import normalised
from rag.packs.pack import BankQuestion, Concept, Pack
from rag.retrieval.graph import CorrectiveRetrieval, Helpers, RetrievalRequest, Retrieved

BATCHES = 10
"""Batches of questions that a session keeps: one for each topic and difficulty."""
CONCEPTS = 30
"""Concepts that a session keeps."""
BATCH_TTL_S: Mapping[Grade, float] = {"high": 30 * 60.0, "medium": 15 * 60.0, "low": 5 * 60.0}
"""How long a batch is good. What fitted poorly is soon searched for anew."""
CONCEPT_TTL_S = 60 * 60.0
FETCHED_FOR_S = 4 * 60.0
"""What is fetched ahead is good for so long at least: the question before it takes about as much."""
ABANDONED_AFTER_S = 90 * 60.0
"""A session that nobody asked anything for so long is swept."""

SEARCHES = 3
"""How often the bank is searched for one question when none of what was found is chosen."""

_NEAR_NAME = 0.70
"""Cosine from which on what was said means a concept's name. In the shipped packs "idempotent" and "stampede" find
their concepts with 0.74 and more; what they do not explain ("hash table", "load balancer") stays below 0.70."""

_log = logging.getLogger(__name__)

Choose = Callable[[Sequence[BankQuestion]], Awaitable[BankQuestion | None]]
"""Picks one of the candidates, best first, at least one. None when none of them fits."""

_BatchKey = tuple[str, str | None, str | None, str]
"""Pack, topic, difficulty, and the words that were searched for."""


@dataclass(frozen=True, slots=True)
class Found:
    """The next question, and how it was found."""

    question: BankQuestion | None
    """None when no question is left that fits the request and its chooser."""
    grade: Grade
    """Of the batch it comes from; that of the last batch when there is no question."""
    attempts: int
    queries: tuple[str, ...]
    served_from_cache: bool
    latency_ms: float
    """What the caller waited for the bank; the time in which `choose` ran is not in it."""


@dataclass(frozen=True, slots=True)
class _Batch:
    found: Retrieved
    good_until_s: float


@dataclass(slots=True)
class _Session:
    used_at_s: float
    batches: TLRUCache[_BatchKey, _Batch, float]
    concepts: TTLCache[tuple[str, str], Concept, float]
    chosen: set[str] = field(default_factory=set)
    """Ids of the questions that somebody got."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Lives and ends with its session, so that there is nothing to clear away."""
    fetching: asyncio.Task[None] | None = None
    """What is searched for while nobody waits."""

    def free(
        self, batch: Retrieved | None, request: RetrievalRequest, refused: Collection[str] = ()
    ) -> list[BankQuestion]:
        """What of a batch may be asked now, best first."""
        return [
            question
            for question in (batch.candidates if batch else ())
            if question.id not in self.chosen
            and question.id not in request.exclude
            and question.id not in refused
            and (request.max_minutes is None or question.minutes <= request.max_minutes)
        ]

    def stop_fetching(self) -> None:
        """Let go of what is searched for ahead. From any thread: a session is swept by whichever opens next."""
        if self.fetching and not self.fetching.done() and not (loop := self.fetching.get_loop()).is_closed():
            loop.call_soon_threadsafe(self.fetching.cancel)

    async def mark(self, question: BankQuestion) -> bool:
        """Make a question the caller's own; False when somebody else was faster."""
        async with self.lock:
            if question.id in self.chosen:
                return False
            self.chosen.add(question.id)
            return True


@dataclass(slots=True)
class _Call:
    """One call for a question: what it has turned down, and how long choosing took."""

    request: RetrievalRequest
    choose: Choose
    refused: set[str] = field(default_factory=set)
    choosing_s: float = 0.0


class SessionQuestions:
    """Questions and concepts for interviews, by the name of their session.

    One instance serves all interviews of a process. A session belongs to one event loop; several may be on several.
    """

    def __init__(self, retrieval: CorrectiveRetrieval, packs: Mapping[str, Pack], clock: Callable[[], float]) -> None:
        self._retrieval = retrieval
        self._packs = packs
        self._clock = clock
        self._sessions: dict[str, _Session] = {}

    async def next_question(
        self, session: str, request: RetrievalRequest, choose: Choose, helpers: Helpers | None = None
    ) -> Found:
        """A question that fits the request, is marked as chosen, and that no other call of the session gets.

        `choose` is called with what is free, without anything being held, and again when its choice was taken
        meanwhile. When none fits, the bank is searched for others, up to `SEARCHES` times. A call that is under way
        when its session ends is finished as if it had not. `helpers` are the models of this interview, if it has any.

        Raises:
            BankError: the bank does not hold the pack, or cannot be read.
            ValueError: `choose` returned something else than one of its candidates.
        """
        begun_at_s = self._clock()
        mine, call = self._open(session), _Call(request, choose)
        kept = mine.batches.get(_key(request))
        batch = kept.found if kept else None
        question = await self._choose(mine, call, batch) if batch else None
        cached, searches = question is not None, 0
        while batch is None or (question is None and batch.candidates and searches < SEARCHES):
            batch = await self._search(session, mine, request, helpers, call.refused)
            searches += 1
            question = await self._choose(mine, call, batch)
        return Found(
            question=question,
            grade=batch.grade,
            attempts=batch.attempts,
            queries=batch.queries,
            served_from_cache=cached,
            latency_ms=(self._clock() - begun_at_s - call.choosing_s) * 1000,
        )

    async def prewarm(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """Search for what will be asked for later, the next request first, so that it is there at once.

        One after the other, because the interview itself goes on meanwhile, and no more than there is room for. What
        is at hand and will not last is searched for anew.
        Where the bank fails, there is nothing at hand later and the session goes on; it is logged once.
        """
        mine = self._open(session)
        failures: dict[str, BankError] = {}
        for request in requests[:BATCHES]:
            if self._sessions.get(session) is not mine:
                break
            kept = mine.batches.get(_key(request))
            if kept and kept.good_until_s >= self._clock() + FETCHED_FOR_S and mine.free(kept.found, request):
                continue
            try:
                await self._search(session, mine, request, helpers)
            except BankError as error:
                failures[request.query] = error
        if failures:
            reasons = "; ".join(dict.fromkeys(map(str, failures.values())))
            _log.warning("no questions could be fetched ahead for %s: %s", ", ".join(failures), reasons)

    def fetch_ahead(self, session: str, requests: Sequence[RetrievalRequest], helpers: Helpers | None = None) -> None:
        """Search for what will be asked for next while nobody waits: `prewarm`, in a task of the session.

        There is one of it: what an earlier call has not found by now is let go, and `end` stops the last.
        """
        mine = self._open(session)
        mine.stop_fetching()
        # A caller inside a graph is over before the task is: nothing of its run may be passed on.
        apart = copy_context()
        apart.run(var_child_runnable_config.set, None)
        fetching, name = self.prewarm(session, requests, helpers), f"fetch ahead for {session}"
        mine.fetching = asyncio.get_running_loop().create_task(fetching, name=name, context=apart)
        mine.fetching.add_done_callback(_tell_failure)

    async def concept(self, session: str, pack: str, name_or_id: str) -> Concept | None:
        """The concept of a pack with this id or name, or whose name means the same; None when the pack has none.

        Raises:
            BankError: there is no such pack.
        """
        mine, key = self._open(session), (pack, normalised(name_or_id))
        if (known := mine.concepts.get(key)) is not None:
            return known
        if pack not in self._packs:
            raise BankError(f"There is no pack {pack!r} to look up a concept in; there are: {', '.join(self._packs)}.")
        concept = self._packs[pack].concept(name_or_id)
        if concept is None:
            concept = await asyncio.to_thread(self._nearest_concept, self._packs[pack].concepts, name_or_id)
        if concept is not None:
            mine.concepts[key] = concept
        return concept

    def rewind(self, session: str, chosen: Collection[str]) -> None:
        """The interview was taken back: of its questions only these count as chosen, the others may come again."""
        if session in self._sessions:
            self._sessions[session].chosen = set(chosen)

    def end(self, session: str) -> None:
        """Forget a session, and stop what it searches for. One that is not known is no error."""
        if mine := self._sessions.pop(session, None):
            mine.stop_fetching()

    def sweep(self) -> int:
        """Forget the sessions that were abandoned; how many there were. Opening a session does it too."""
        now_s = self._clock()
        abandoned = [name for name, each in list(self._sessions.items()) if now_s - each.used_at_s > ABANDONED_AFTER_S]
        for name in abandoned:
            self.end(name)
        return len(abandoned)

    def __len__(self) -> int:
        """How many sessions are remembered."""
        return len(self._sessions)

    def _open(self, session: str) -> _Session:
        now_s = self._clock()
        if session not in self._sessions:
            self.sweep()
            self._sessions[session] = _Session(
                now_s,
                batches=TLRUCache(BATCHES, lambda _key, batch, _now: batch.good_until_s, self._clock),
                concepts=TTLCache(CONCEPTS, CONCEPT_TTL_S, self._clock),
            )
        mine = self._sessions[session]
        mine.used_at_s = now_s
        return mine

    async def _choose(self, mine: _Session, call: _Call, batch: Retrieved) -> BankQuestion | None:
        while free := mine.free(batch, call.request, call.refused):
            asked_at_s = self._clock()
            question = await call.choose(free)
            call.choosing_s += self._clock() - asked_at_s
            if question is None:
                call.refused.update(each.id for each in free)
            elif question not in free:
                raise ValueError(
                    f"choose must return one of its candidates or None, not the question {question.id!r}; "
                    f"they were: {', '.join(each.id for each in free)}"
                )
            elif await mine.mark(question):
                return question
        return None

    async def _search(
        self,
        session: str,
        mine: _Session,
        request: RetrievalRequest,
        helpers: Helpers | None,
        refused: Collection[str] = (),
    ) -> Retrieved:
        exclude = frozenset({*request.exclude, *mine.chosen, *refused})
        found = await self._retrieval.retrieve(replace(request, exclude=exclude), helpers, session=session)
        if found.candidates:
            mine.batches[_key(request)] = _Batch(found, self._clock() + BATCH_TTL_S[found.grade])
        return found

    def _nearest_concept(self, concepts: Sequence[Concept], said: str) -> Concept | None:
        if not concepts or not said.strip():
            return None
        vector, *names = self._retrieval.embedder.embed([said, *(concept.name for concept in concepts)])
        closeness = np.stack(names) @ vector
        best = int(closeness.argmax())
        return concepts[best] if closeness[best] >= _NEAR_NAME else None


def _key(request: RetrievalRequest) -> _BatchKey:
    return request.pack, request.topic, request.difficulty, request.query


def _tell_failure(task: asyncio.Task[None]) -> None:
    """Nobody waits for the task, so what it failed with is told here."""
    if not task.cancelled() and (error := task.exception()):
        _log.error("%s failed", task.get_name(), exc_info=error)
