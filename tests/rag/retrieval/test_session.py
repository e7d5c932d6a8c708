"""What an interview asks for: no question twice, batches at hand for as long as they are good, and nothing left behind.

Slow tests use the real model.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import weakref
from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model_files.prepare import ModelPaths
from domain.vocabulary import Grade
from rag.bank.bank import QuestionBank
from rag.bank.chroma import BankError
from rag.embedding.embedder import Embedder, MiniLM
from rag.packs.pack import BankQuestion, Pack, load_packs
from rag.retrieval.graph import CorrectiveRetrieval, Helpers, RetrievalRequest
from rag.retrieval.session import (
    ABANDONED_AFTER_S,
    BATCH_TTL_S,
    BATCHES,
    CONCEPT_TTL_S,
    CONCEPTS,
    FETCHED_FOR_S,
    SEARCHES,
    SessionQuestions,
)
from tests.rag.fakes import Clock, HashedWords, ShelfRetrieval, questions_of

SOUP = RetrievalRequest(pack="kitchen", topic="soup", topic_title="Cooking soup", difficulty="medium", n=5)


async def first(candidates: Sequence[BankQuestion]) -> BankQuestion:
    """Choose the best."""
    return candidates[0]


async def none_of_them(candidates: Sequence[BankQuestion]) -> None:
    """Choose nothing."""


def about(topic: str) -> RetrievalRequest:
    """The same request for another topic."""
    return replace(SOUP, topic=topic, topic_title=topic)


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def shelf(clock: Clock) -> ShelfRetrieval:
    """Seven questions about soup: one batch, and two more."""
    return ShelfRetrieval(questions_of("soup", 7), clock)


@pytest.fixture
def questions(shelf: ShelfRetrieval, kitchen: Pack, clock: Clock) -> SessionQuestions:
    """What interviews ask, with that shelf behind it."""
    return SessionQuestions(shelf, {"kitchen": kitchen}, clock)


async def ask(questions: SessionQuestions, request: RetrievalRequest = SOUP, session: str = "a") -> str | None:
    """Id of the next question."""
    found = await questions.next_question(session, request, first)
    return found.question.id if found.question else None


class TestAskingForTheNextQuestion:
    """From the batch that is at hand, else from the bank."""

    async def test_a_batch_serves_until_it_is_used_up(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """Five questions from one search, the next ones from a second that leaves out the five."""
        assert [await ask(questions) for _ in range(7)] == [f"soup-{number}" for number in range(1, 8)]
        assert [len(request.exclude) for request in shelf.asked] == [0, 5]

    async def test_it_says_where_the_question_came_from(self, questions: SessionQuestions) -> None:
        """Grade, attempts and words of the batch belong to each of its questions."""
        fresh = await questions.next_question("a", SOUP, first)
        cached = await questions.next_question("a", SOUP, first)

        assert (fresh.served_from_cache, cached.served_from_cache) == (False, True)
        assert (cached.grade, cached.attempts, cached.queries) == ("high", 1, ("Cooking soup",))

    async def test_nothing_left_is_no_error(self, questions: SessionQuestions) -> None:
        """When all were asked there is no question, graded low."""
        for _ in range(7):
            await ask(questions)
        found = await questions.next_question("a", SOUP, first)

        assert (found.question, found.grade, found.served_from_cache) == (None, "low", False)

    async def test_sessions_know_nothing_of_each_other(self, questions: SessionQuestions) -> None:
        """Each interview begins with the best question."""
        assert [await ask(questions, session=name) for name in "ab"] == ["soup-1", "soup-1"]

    @pytest.mark.parametrize(
        ("exclude", "max_minutes", "expected"),
        [((), None, "soup-2"), ({"soup-2", "soup-3"}, None, "soup-4"), ((), 1.5, "soup-5"), ({"soup-5"}, 1.5, None)],
    )
    async def test_a_cached_question_fits_this_request(
        self,
        clock: Clock,
        kitchen: Pack,
        exclude: Collection[str],
        max_minutes: float | None,
        expected: str | None,
    ) -> None:
        """What was fetched for an earlier request is left out when this one excludes it or has no time for it."""
        *long, short = questions_of("soup", 5)
        shelf = ShelfRetrieval([*long, short.model_copy(update={"minutes": 1})], clock)
        questions = SessionQuestions(shelf, {"kitchen": kitchen}, clock)
        await ask(questions)

        assert await ask(questions, replace(SOUP, exclude=exclude, max_minutes=max_minutes)) == expected

    async def test_other_words_are_another_batch(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """A topic that is asked for in words of its own is searched for in these words."""
        await ask(questions)
        await ask(questions, replace(SOUP, words="clear stock"))

        assert [request.query for request in shelf.asked] == ["Cooking soup", "Cooking soup clear stock"]

    async def test_what_nobody_wanted_is_searched_past(
        self, questions: SessionQuestions, shelf: ShelfRetrieval
    ) -> None:
        """When none of a batch fits, the others are offered; what was turned down may still come another time."""
        offered: list[list[str]] = []

        async def only_the_last(candidates: Sequence[BankQuestion]) -> BankQuestion | None:
            offered.append([each.id for each in candidates])
            return next((each for each in candidates if each.id == "soup-7"), None)

        found = await questions.next_question("a", SOUP, only_the_last)

        assert found.question is not None
        assert (found.question.id, found.served_from_cache) == ("soup-7", False)
        assert [len(each) for each in offered] == [5, 2]
        assert await ask(questions) == "soup-6"

    async def test_searching_past_has_an_end(self, clock: Clock, kitchen: Pack) -> None:
        """Whoever turns down everything gets nothing after a few searches, not the whole bank."""
        shelf = ShelfRetrieval(questions_of("soup", 100), clock)
        questions = SessionQuestions(shelf, {"kitchen": kitchen}, clock)

        assert (await questions.next_question("a", SOUP, none_of_them)).question is None
        assert len(shelf.asked) == SEARCHES

    async def test_a_choice_that_was_not_offered_is_a_mistake(self, questions: SessionQuestions) -> None:
        """The caller is told what there was to choose from, and nothing is marked."""
        (stranger,) = questions_of("bread", 1)

        async def invent(candidates: Sequence[BankQuestion]) -> BankQuestion:
            return stranger

        with pytest.raises(ValueError, match="not the question 'bread-1'; they were: soup-1, soup-2"):
            await questions.next_question("a", SOUP, invent)
        assert await ask(questions) == "soup-1"

    async def test_a_failing_bank_is_the_callers_to_handle(
        self, questions: SessionQuestions, shelf: ShelfRetrieval
    ) -> None:
        """The error comes through, and the session works again when the bank does."""
        shelf.broken = {"soup"}
        with pytest.raises(BankError, match="on fire"):
            await ask(questions)
        shelf.broken = set()

        assert await ask(questions) == "soup-1"

    async def test_what_choosing_takes_is_not_the_banks_latency(
        self, questions: SessionQuestions, shelf: ShelfRetrieval, clock: Clock
    ) -> None:
        """A search of a quarter of a second and a model that thinks for five: a quarter of a second."""
        shelf.takes_s = 0.25

        async def think(candidates: Sequence[BankQuestion]) -> BankQuestion:
            clock.now += 5
            return candidates[0]

        assert (await questions.next_question("a", SOUP, think)).latency_ms == pytest.approx(250)

    async def test_an_interview_brings_its_own_models(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """Whose interview it is decides which models help to search, ahead of time and at once."""
        mine, other = Helpers(), Helpers()
        await questions.next_question("a", SOUP, first, mine)
        await questions.prewarm("b", [SOUP], other)

        assert shelf.helped[0] is mine
        assert shelf.helped[1] is other

    async def test_searches_know_whose_they_are(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """What is searched for, now or ahead, is told with the session that it is searched for."""
        await ask(questions, session="ada")
        await questions.prewarm("grace", [about("soup")])
        assert shelf.sessions == ["ada", "grace"]

    async def test_a_real_bank_gives_each_question_once(
        self, bank: QuestionBank, embedder: Embedder, kitchen: Pack, clock: Clock
    ) -> None:
        """With corrective retrieval behind it, an interview can ask the whole pack, the wanted topic first."""
        retrieval = CorrectiveRetrieval(bank, embedder, clock)
        questions = SessionQuestions(retrieval, {kitchen.id: kitchen}, clock)
        asked = [await ask(questions) for _ in range(7)]

        assert asked[0] == "salty-soup"
        assert asked[-1] is None
        assert sorted(each for each in asked if each) == sorted(question.id for question in kitchen.questions)


class TestBeingTwo:
    """Calls of one session at the same time."""

    @given(st.integers(1, 12), st.integers(1, 9), st.integers(1, 5), st.integers(0, 2**32))
    def test_nobody_gets_what_another_got(self, size: int, callers: int, n: int, seed: int) -> None:
        """However long each thinks and whatever each chooses: all different, and nobody goes away with nothing."""
        chance = random.Random(seed)
        clock = Clock()
        questions = SessionQuestions(ShelfRetrieval(questions_of("soup", size), clock), {}, clock)

        async def think(candidates: Sequence[BankQuestion]) -> BankQuestion:
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            return chance.choice(candidates)

        async def all_at_once() -> list[str]:
            request = replace(SOUP, n=n)
            calls = [questions.next_question("a", request, think) for _ in range(callers)]
            return [found.question.id for found in await asyncio.gather(*calls) if found.question]

        given_out = asyncio.run(all_at_once())

        assert len(set(given_out)) == len(given_out)
        # Each search gives n questions, and a caller can be overtaken at each of them.
        assert len(given_out) >= min(callers, size, SEARCHES * n)

    async def test_who_is_overtaken_chooses_again(self, questions: SessionQuestions) -> None:
        """The second of two who want the same question is shown what is left of it."""
        both_chose, offered = asyncio.Barrier(2), []

        async def together(candidates: Sequence[BankQuestion]) -> BankQuestion:
            offered.append(len(candidates))
            if len(candidates) == 5:
                await both_chose.wait()
            return candidates[0]

        calls = [questions.next_question("a", SOUP, together) for _ in range(2)]
        found = await asyncio.gather(*calls)

        assert {each.question.id for each in found if each.question} == {"soup-1", "soup-2"}
        assert offered == [5, 5, 4]

    async def test_nothing_is_held_while_somebody_chooses(self, questions: SessionQuestions) -> None:
        """A model that thinks for long keeps nobody else of the session waiting."""
        decided = asyncio.Event()

        async def think(candidates: Sequence[BankQuestion]) -> BankQuestion:
            await decided.wait()
            return candidates[0]

        slow = asyncio.create_task(questions.next_question("a", SOUP, think))
        quick = [await ask(questions), await ask(questions)]
        decided.set()
        found = await slow

        assert quick == ["soup-1", "soup-2"]
        assert found.question is not None
        assert found.question.id == "soup-3"

    async def test_whoever_gives_up_while_choosing_takes_nothing(self, questions: SessionQuestions) -> None:
        """A call that is cancelled marks no question and leaves nothing locked."""
        begun = asyncio.Event()

        async def never(candidates: Sequence[BankQuestion]) -> BankQuestion:
            begun.set()
            await asyncio.Event().wait()
            return candidates[0]

        call = asyncio.create_task(questions.next_question("a", SOUP, never))
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

        assert await ask(questions) == "soup-1"

    async def test_a_session_may_end_while_somebody_chooses(self, questions: SessionQuestions) -> None:
        """The call is finished, and the session stays gone."""

        async def end_it(candidates: Sequence[BankQuestion]) -> BankQuestion:
            questions.end("a")
            return candidates[0]

        found = await questions.next_question("a", SOUP, end_it)

        assert found.question is not None
        assert len(questions) == 0

    async def test_a_batch_may_expire_while_somebody_chooses(self, questions: SessionQuestions, clock: Clock) -> None:
        """What was offered in time may be chosen, and is not given out again afterwards."""

        async def take_an_hour(candidates: Sequence[BankQuestion]) -> BankQuestion:
            clock.now += 3600
            return candidates[0]

        found = await questions.next_question("a", SOUP, take_an_hour)

        assert found.question is not None
        assert found.question.id == "soup-1"
        assert await ask(questions) == "soup-2"


class TestKeeping:
    """How much is kept, and for how long."""

    @pytest.mark.parametrize(("grade", "minutes"), [("high", 30), ("medium", 15), ("low", 5)])
    async def test_a_batch_lives_as_long_as_its_grade_says(
        self, questions: SessionQuestions, shelf: ShelfRetrieval, clock: Clock, grade: Grade, minutes: float
    ) -> None:
        """A second before its time it serves, at its time the bank is searched again."""
        shelf.grade = grade
        begun_at_s = clock.now
        await ask(questions)
        clock.now = begun_at_s + minutes * 60 - 1
        assert (await questions.next_question("a", SOUP, first)).served_from_cache
        clock.now += 1
        assert not (await questions.next_question("a", SOUP, first)).served_from_cache
        assert BATCH_TTL_S[grade] == minutes * 60

    async def test_ten_batches_are_kept_and_the_one_unused_longest_goes(self, clock: Clock, kitchen: Pack) -> None:
        """With an eleventh topic the one goes that was asked for longest ago."""
        topics = [f"topic-{number}" for number in range(BATCHES + 1)]
        shelf = ShelfRetrieval([each for topic in topics for each in questions_of(topic, 5)], clock)
        questions = SessionQuestions(shelf, {"kitchen": kitchen}, clock)
        for topic in [*topics[:BATCHES], topics[0], topics[BATCHES]]:
            await ask(questions, about(topic))
        found = {
            topic: (await questions.next_question("a", about(topic), first)).served_from_cache for topic in topics[:2]
        }

        assert found == {"topic-0": True, "topic-1": False}

    async def test_concepts_never_push_out_questions(self, clock: Clock, kitchen: Pack) -> None:
        """Many looked-up concepts leave the batches where they are, and many batches the concepts."""
        concepts = [
            kitchen.concepts[0].model_copy(update={"id": f"idea-{number}", "name": f"Idea {number}"})
            for number in range(CONCEPTS + 1)
        ]
        pack = kitchen.model_copy(update={"concepts": concepts})
        topics = [f"topic-{number}" for number in range(BATCHES)]
        shelf = ShelfRetrieval([each for topic in topics for each in questions_of(topic, 5)], clock)
        questions = SessionQuestions(shelf, {"kitchen": pack}, clock)
        for topic in topics:
            await ask(questions, about(topic))
        for concept in concepts:
            await questions.concept("a", "kitchen", concept.id)
        for topic in topics:
            assert (await questions.next_question("a", about(topic), first)).served_from_cache

        kept = questions._sessions["a"].concepts
        assert [("kitchen", f"idea {number}") in kept for number in (0, 1, CONCEPTS)] == [False, True, True]

    async def test_what_was_taken_back_may_come_again(self, questions: SessionQuestions) -> None:
        """After a turn that was no turn, its question is free, and what was asked before it is not."""
        await ask(questions)
        await ask(questions)
        questions.rewind("a", {"soup-1"})

        assert [await ask(questions), await ask(questions)] == ["soup-2", "soup-3"]

    def test_a_session_that_is_not_known_can_be_ended_and_rewound(self, questions: SessionQuestions) -> None:
        """After a restart nothing is remembered, and that is no error."""
        questions.end("a")
        questions.rewind("a", {"soup-1"})
        assert len(questions) == 0


class TestFetchingAhead:
    """The next topics are searched for before they are needed."""

    async def test_a_topic_that_was_fetched_ahead_is_at_hand(
        self, questions: SessionQuestions, shelf: ShelfRetrieval
    ) -> None:
        """The first question of the topic comes from the cache, with the grade of a real search."""
        shelf.grade = "medium"
        await questions.prewarm("a", [SOUP])
        found = await questions.next_question("a", SOUP, first)

        assert (found.served_from_cache, found.grade, len(shelf.asked)) == (True, "medium", 1)

    async def test_what_is_at_hand_is_not_fetched_again(
        self, questions: SessionQuestions, shelf: ShelfRetrieval
    ) -> None:
        """A batch with questions left is left alone, a used-up one is not."""
        await ask(questions)
        await questions.prewarm("a", [SOUP])
        assert len(shelf.asked) == 1
        for _ in range(4):
            await ask(questions)
        await questions.prewarm("a", [SOUP])
        assert len(shelf.asked) == 2

    async def test_a_failing_bank_disturbs_nothing(
        self, questions: SessionQuestions, shelf: ShelfRetrieval, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The other topics are fetched, and one line says which were not and why."""
        shelf.broken = {"bread", "knives"}
        with caplog.at_level(logging.WARNING):
            await questions.prewarm("a", [about("bread"), SOUP, about("knives")])

        assert [record.getMessage() for record in caplog.records] == [
            "no questions could be fetched ahead for bread, knives: The question bank is on fire. Put it out."
        ]
        assert (await questions.next_question("a", SOUP, first)).served_from_cache

    async def test_no_more_is_fetched_than_there_is_room_for(self, clock: Clock, kitchen: Pack) -> None:
        """A long plan does not push out its own beginning, which is needed first."""
        topics = [f"topic-{number}" for number in range(BATCHES + 5)]
        shelf = ShelfRetrieval([each for topic in topics for each in questions_of(topic, 1)], clock)
        questions = SessionQuestions(shelf, {"kitchen": kitchen}, clock)
        await questions.prewarm("a", [about(topic) for topic in topics])

        assert (await questions.next_question("a", about(topics[0]), first)).served_from_cache
        assert len(shelf.asked) == BATCHES

    async def test_it_stops_when_the_session_ends(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """For an interview that is over nothing more is searched, and nothing is kept."""
        fetching = asyncio.create_task(questions.prewarm("a", [SOUP, about("bread"), about("knives")]))
        await asyncio.sleep(0)
        questions.end("a")
        await fetching

        assert len(shelf.asked) == 1
        assert len(questions) == 0


class TestFetchingAheadInTheBackground:
    """While a question is being answered, the next one is looked for."""

    @pytest.mark.parametrize(("grade", "good_s"), [("high", 26 * 60), ("medium", 11 * 60), ("low", 60)])
    async def test_what_will_not_last_is_fetched_anew(
        self, questions: SessionQuestions, shelf: ShelfRetrieval, clock: Clock, grade: Grade, good_s: int
    ) -> None:
        """A batch is at hand for the four minutes that the question before it takes, whatever its grade."""
        shelf.grade = grade
        await questions.prewarm("a", [SOUP])
        clock.now += good_s
        await questions.prewarm("a", [SOUP])
        assert len(shelf.asked) == 1
        clock.now += 1
        await fetch_ahead(questions, SOUP)
        assert len(shelf.asked) == 2
        clock.now += FETCHED_FOR_S
        assert (await questions.next_question("a", SOUP, first)).served_from_cache

    async def test_nobody_waits_for_it(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """The caller goes on at once, and what it has next is at hand when it is asked for."""
        questions.fetch_ahead("a", [SOUP])
        assert shelf.asked == []
        await ended()
        assert (await questions.next_question("a", SOUP, first)).served_from_cache

    async def test_there_is_one_search_ahead_at_a_time(
        self, questions: SessionQuestions, shelf: ShelfRetrieval
    ) -> None:
        """What is wanted now takes the place of what was wanted before; nothing piles up."""
        for topic in ("bread", "knives", "soup"):
            questions.fetch_ahead("a", [about(topic)] * 3)
            await asyncio.sleep(0)
        assert len(tasks()) <= 2, "one that is being let go, and one that searches"
        await ended()
        assert shelf.asked[-1].topic == "soup"
        assert len(shelf.asked) <= 5

    async def test_it_ends_with_the_session(self, questions: SessionQuestions, shelf: ShelfRetrieval) -> None:
        """No task is left over when the interview is, however long the search would have taken."""
        found = asyncio.Event()

        async def never(request: RetrievalRequest, helpers: Helpers | None = None, *, session: str = "") -> None:
            await found.wait()

        shelf.retrieve = never  # type: ignore[assignment, method-assign]
        questions.fetch_ahead("a", [SOUP])
        await asyncio.sleep(0.01)
        assert len(tasks()) == 1
        questions.end("a")
        await ended()
        assert len(questions) == 0

    async def test_a_fault_in_it_is_told(
        self, questions: SessionQuestions, shelf: ShelfRetrieval, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It disturbs no turn, and somebody hears of it."""

        async def fails(request: RetrievalRequest, helpers: Helpers | None = None, *, session: str = "") -> None:
            raise RuntimeError("the shelf fell down")

        shelf.retrieve = fails  # type: ignore[assignment, method-assign]
        questions.fetch_ahead("a", [SOUP])
        await ended()
        assert "the shelf fell down" in caplog.text


def tasks() -> set[asyncio.Task[object]]:
    """What runs beside the test."""
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]


async def ended() -> None:
    """Nothing runs beside the test any more."""
    async with asyncio.timeout(5):
        while running := tasks():
            await asyncio.wait(running)


async def fetch_ahead(questions: SessionQuestions, request: RetrievalRequest) -> None:
    """Search ahead to the end."""
    questions.fetch_ahead("a", [request])
    await ended()


class TestForgetting:
    """Nothing of a session outlives it."""

    async def test_an_abandoned_session_is_swept(self, questions: SessionQuestions, clock: Clock) -> None:
        """After ninety minutes without a question it goes; one that is in use stays."""
        await ask(questions, session="abandoned")
        await ask(questions, session="long")
        clock.now += ABANDONED_AFTER_S - 1
        await ask(questions, session="long")
        assert questions.sweep() == 0
        clock.now += 2

        assert questions.sweep() == 1
        assert len(questions) == 1
        assert ABANDONED_AFTER_S == 90 * 60

    async def test_opening_a_session_sweeps(self, questions: SessionQuestions, clock: Clock) -> None:
        """A process that nobody sweeps does not grow for ever."""
        for number in range(20):
            await ask(questions, session=str(number))
            clock.now += ABANDONED_AFTER_S / 4

        assert len(questions) <= 5

    async def test_a_sessions_lock_goes_with_it(self, questions: SessionQuestions) -> None:
        """There is no list of locks that only ever grows."""
        await ask(questions)
        lock = weakref.ref(questions._sessions["a"].lock)
        questions.end("a")
        gc.collect()

        assert lock() is None
        assert len(questions) == 0


class TestConcepts:
    """What is known about an idea, by its id or by what it is called."""

    @pytest.mark.parametrize("name", ["sharpening", "Sharpening", " SHARPENING ", "sharpening?"])
    async def test_a_concept_is_found_by_id_or_name(self, questions: SessionQuestions, name: str) -> None:
        """However it is written."""
        concept = await questions.concept("a", "kitchen", name)
        assert concept is not None
        assert concept.id == "sharpening"

    @pytest.mark.parametrize("name", ["", "  ", "spanner", "?"])
    async def test_what_the_pack_does_not_explain_is_none(self, questions: SessionQuestions, name: str) -> None:
        """Nothing like it, nothing said about it."""
        assert await questions.concept("a", "kitchen", name) is None

    async def test_a_wrong_pack_is_said_to_be_one(self, questions: SessionQuestions) -> None:
        """The sentence names the packs there are."""
        with pytest.raises(BankError, match="no pack 'kitsch' to look up a concept in; there are: kitchen"):
            await questions.concept("a", "kitsch", "yeast")

    async def test_a_concept_is_at_hand_for_an_hour(self, shelf: ShelfRetrieval, kitchen: Pack, clock: Clock) -> None:
        """What was said is compared with the names of all concepts once, then not for an hour."""
        embedder = shelf.embedder
        assert isinstance(embedder, HashedWords)
        concept = kitchen.concepts[0].model_copy(update={"name": "baker's yeast"})
        questions = SessionQuestions(shelf, {"kitchen": kitchen.model_copy(update={"concepts": [concept]})}, clock)

        async def comparisons() -> int:
            assert await questions.concept("a", "kitchen", "the baker's yeast") == concept
            return embedder.asked.count("the baker's yeast")

        assert [await comparisons(), await comparisons()] == [1, 1]
        clock.now += CONCEPT_TTL_S
        assert await comparisons() == 2

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("pack", "said", "expected"),
        [
            ("backend", "idempotent", "idempotency"),
            ("backend", "cursor pagination", "pagination"),
            ("backend", "stampede", "cache-stampede"),
            ("backend", "load balancer", None),
            ("backend", "hash table", None),
            ("backend", "salary", None),
            ("machine-learning", "regularization", "regularisation"),
            ("machine-learning", "random forests", "random-forest"),
            ("machine-learning", "reinforcement learning", None),
        ],
    )
    async def test_a_concept_is_found_by_what_is_meant(
        self, model_paths: ModelPaths, clock: Clock, pack: str, said: str, expected: str | None
    ) -> None:
        """With the real model another form of its name finds a concept, and another idea does not."""
        shelf = ShelfRetrieval([], clock, embedder=MiniLM.load(model_paths.embedder))
        concept = await SessionQuestions(shelf, load_packs(), clock).concept("a", pack, said)

        assert (concept.id if concept else None) == expected
