"""A telephone line for tests, in the process of the test."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from agent.phone.line.exchange import MakeRoom
from agent.phone.line.line import Line
from agent.phone.line.options import LineOptions
from agent.phone.line.room import CallRoom
from agent.phone.line.sentences import RATES_HZ, SENTENCES, Sentence, SpokenSentences
from agent.settings import Settings
from bench.phone.baresip import free_port
from bench.phone.wav import Sound
from tests.agent.phone.sounds import murmur


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so; the test's own limit ends it."""
    while not condition():  # noqa: ASYNC110 (what is waited for are facts of libraries, which have no event)
        await asyncio.sleep(0.02)


HUMS: dict[Sentence, Sound] = {name: murmur(1.5, 8000, seed=100 + place) for place, name in enumerate(SENTENCES)}
"""What is said instead of the sentences: as easy to tell apart for a test as words are for people."""


def hummed_sentences() -> SpokenSentences:
    """The sentences as `HUMS`, at each rate."""
    seeds = {name: 100 + place for place, name in enumerate(SENTENCES)}
    return SpokenSentences(
        {(name, rate): murmur(1.5, rate, seed).tobytes() for name, seed in seeds.items() for rate in RATES_HZ}
    )


def line_options(settings: Settings | None = None, **changed: Any) -> LineOptions:
    """Options of a line at a free port of this machine."""
    first = random.randrange(20000, 28000, 2)
    options = LineOptions.of(settings or Settings())
    address = ("127.0.0.1", free_port())
    given = {"bind": address, "advertised": address, "ports": range(first, first + 200, 2), "invites_per_s": 50.0}
    return dataclasses.replace(options, **{**given, **changed})


@asynccontextmanager
async def running_line(
    settings: Settings, options: LineOptions | None = None, make_room: MakeRoom | None = None
) -> AsyncIterator[Line]:
    """A line that takes calls into rooms of a livekit-server, and says hums instead of sentences."""
    options = options or line_options(settings)
    line = Line(options, make_room or (lambda caller, hz: CallRoom(settings, caller, hz)), rng=random.Random(1))
    line.exchange.sentences = hummed_sentences()
    await line.start()
    try:
        yield line
    finally:
        await line.stop()
