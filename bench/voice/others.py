"""Figures of the voice that other measurements take: hearing, and the first audio of a sentence.

A module takes part by a function `voice_rows`, with or without `async`, that returns rows of this table. One without it
prints its own table; one that is not there is left out, and it is said so.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
from collections.abc import Mapping

from bench.voice.figures import Row
from bench.voice.talks import Tell

MODULES: Mapping[str, str] = {"hearing": "bench.hearing", "first-audio": "bench.first_audio"}


async def rows_of(part: str, tell: Tell) -> list[Row]:
    """The rows of another measurement; none when it is not there, or prints its own."""
    name = MODULES[part]
    if importlib.util.find_spec(name) is None:
        tell(f"{part}: left out, there is no {name}")
        return []
    module = importlib.import_module(name)
    ask = getattr(module, "voice_rows", None)
    measure = ask or module.main
    # In a thread: it may run a loop of its own.
    made = await measure() if inspect.iscoroutinefunction(measure) else await asyncio.to_thread(measure)
    return list(made) if ask else []
