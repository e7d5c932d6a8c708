"""Following an interview: every event once to everybody who reads, and nothing for those who do not."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.http.monitor.following import Following, Told
from domain.events import Event, InterviewEnded, StageTimed
from review import RecordStore, Stored
from tests.review.sample_requests import requests_by_text

EVENTS = requests_by_text(1_700_000_000.0)
ENDED_AT = 1 + next(i for i, event in enumerate(EVENTS) if isinstance(event, InterviewEnded))
READERS = 50


class CountingStore(RecordStore):
    """Counts the events that it is made to read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read = 0

    def events(self, interview_id: str, after: int = 0) -> list[Stored]:
        found = super().events(interview_id, after)
        self.read += len(found)
        return found


@asynccontextmanager
async def followed() -> AsyncIterator[tuple[CountingStore, Following]]:
    """A record in a folder of its own, and who follows it without waiting long."""
    with tempfile.TemporaryDirectory() as folder:
        store = CountingStore(Path(folder) / "record.sqlite")
        yield store, Following(store, lambda: frozenset({"evaluate"}), poll_s=0.001)
        store.close()


def write(store: RecordStore, events: list[Event]) -> None:
    """Record what happened."""
    for event in events:
        store.append("a", event)


def numbers(told: list[Told]) -> list[int]:
    """The numbers of the events that were told."""
    return [each.seq for each in told if each.seq is not None]


async def read(following: Following, after: int = 0, *, most: int = 10_000) -> list[Told]:
    """What a reader gets that goes away after so many messages."""
    told: list[Told] = []
    async with aclosing(following.batches("a", after)) as batches:
        async for batch in batches:
            told += batch[: most - len(told)]
            if len(told) == most:
                break
    return told


@given(st.lists(st.integers(1, 12), max_size=8), st.integers(0, 20))
@settings(max_examples=20)
async def test_a_reader_that_comes_back_misses_nothing_and_gets_nothing_twice(breaks: list[int], late: int) -> None:
    """However often its line breaks, and whatever is recorded in between."""
    async with followed() as (store, following):
        write(store, EVENTS[:late] or EVENTS[:1])

        async def go_on() -> None:
            for event in EVENTS[max(late, 1) :]:
                store.append("a", event)
                await asyncio.sleep(0)

        writing = asyncio.create_task(go_on())
        got: list[int] = []
        for most in breaks:
            got += numbers(await read(following, got[-1] if got else 0, most=most))
        got += numbers(await read(following, got[-1] if got else 0))
        await writing
        # What is recorded behind the end in the same moment may be told with it.
        assert got == list(range(1, len(got) + 1))
        assert len(got) >= ENDED_AT
        assert following.watched == {}


async def test_readers_that_never_read_cost_the_record_nothing() -> None:
    """Fifty that stop at their first message, and one that reads: each event is read once, and nothing piles up."""
    async with followed() as (store, following):
        write(store, EVENTS[:5])
        idle = [following.batches("a") for _ in range(READERS)]
        for each in idle:
            await anext(each)
        reading = asyncio.create_task(read(following))
        await asyncio.sleep(0.01)
        assert following.watched == {"a": READERS + 1}
        write(store, EVENTS[5:ENDED_AT])
        assert numbers(await reading) == list(range(1, ENDED_AT + 1))
        assert store.read == ENDED_AT
        for each in idle:
            await each.aclose()
        assert following.watched == {}


async def test_who_comes_late_gets_the_same() -> None:
    """From the first event, in the same order, with the state at the end."""
    async with followed() as (store, following):
        write(store, EVENTS[:ENDED_AT])
        first = await read(following)
        second = await read(following)
    assert numbers(first) == numbers(second) == list(range(1, ENDED_AT + 1))
    assert [each.name for each in first[-2:]] == ["state", "ended"]
    assert json.loads(first[-2].data)["state"]["phase"] == "ended"


async def test_who_has_everything_is_told_that_it_is_over() -> None:
    """And gets no event again."""
    async with followed() as (store, following):
        write(store, EVENTS[:ENDED_AT])
        told = await read(following, ENDED_AT)
    assert numbers(told) == []
    assert told[-1].name == "ended"


async def test_a_deleted_interview_is_told_so() -> None:
    """Whoever watches reads a sentence, and is let go."""
    async with followed() as (store, following):
        write(store, EVENTS[:5])
        reading = asyncio.create_task(read(following))
        while following.watched == {}:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        store.delete("a")
        told = await reading
    assert (told[-1].name, json.loads(told[-1].data)) == ("problem", {"detail": "This interview was deleted."})


async def test_a_fault_lets_nobody_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one of our own."""
    async with followed() as (store, following):
        write(store, [StageTimed(at=1.0, turn=0, stage="greet", seconds=0.1)])

        def broken(*_: object, **__: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("agent.http.monitor.following.monitored", broken)
        told = await read(following)
    assert [each.name for each in told] == ["problem"]


async def test_a_line_with_nothing_new_is_kept_open() -> None:
    """An empty batch now and then, which is sent as a comment; nothing is lost by it."""
    async with followed() as (store, _):
        following = Following(store, lambda: frozenset({"evaluate"}), poll_s=0.001, keep_open_s=0.01)
        write(store, EVENTS[:5])
        got: list[Told] = []
        empty = 0
        async with aclosing(following.batches("a")) as batches:
            async for batch in batches:
                got += batch
                empty += not batch
                if empty == 1 and not batch:
                    write(store, EVENTS[5:ENDED_AT])
        assert empty
    assert numbers(got) == list(range(1, ENDED_AT + 1))


async def test_a_long_record_is_handed_over_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, and with the state behind the last of them."""
    monkeypatch.setattr("agent.http.monitor.following.MOST_AT_ONCE", 7)
    async with followed() as (store, following):
        write(store, EVENTS[:ENDED_AT])
        async with aclosing(following.batches("a")) as batches:
            sizes = [(len(batch), batch[-1].name) async for batch in batches]
    assert max(size for size, _ in sizes) <= 8
    assert [name for _, name in sizes[-2:]] == ["state", "ended"]
    assert {name for _, name in sizes[:-2]} == {"activity"}
