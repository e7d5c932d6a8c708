"""What watching costs an interview by text: a turn with nobody at the monitor, and with fifty readers at it.

One web process as `viva web` starts it, with its own models; the readers run in the process that asks, on the same
machine. Interviews with and without readers take turns.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from rich.console import Console
from rich.table import Table

from agent.cli.text_interview.serving import own_viva
from agent.settings import load_settings

READERS = 50
INTERVIEWS = 3
"""Of each kind, after one that counts for none."""
ANSWERS = (
    "It keeps what is asked for often close to whoever asks, so that the slow store is asked less.",
    "You would measure it first, because what is slow is seldom what you think it is.",
    "An index is read instead of the table, and every write has to keep it up to date.",
    "I would retry with a growing pause, and make the call safe to be repeated.",
    "Two transactions wait for each other, and the database has to end one of them.",
)


async def main() -> None:
    """Print the milliseconds of a turn by how many watch it."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings().model_copy(update={"data_dir": Path(folder), "host_token": ""})
        with own_viva(settings) as url:
            await _measure(url)


async def _measure(url: str) -> None:
    taken: dict[int, list[float]] = {0: [], READERS: []}
    received = 0
    async with httpx.AsyncClient(base_url=url, timeout=120, trust_env=False) as client:
        await _interview(client, "Warm", 0)
        for number in range(INTERVIEWS):
            for readers in taken:
                seconds, events = await _interview(client, f"Ada {number} {readers}", readers)
                taken[readers] += seconds
                received += events
    table = Table("readers", "turns", "p50", "p95", "worst")
    for readers, seconds in taken.items():
        ms = sorted(1000 * each for each in seconds)
        table.add_row(
            str(readers),
            str(len(ms)),
            f"{statistics.median(ms):.0f} ms",
            f"{ms[-max(1, round(0.05 * len(ms)))]:.0f} ms",
            f"{ms[-1]:.0f} ms",
        )
    console = Console()
    console.print(table)
    console.print(f"{received} messages were read by the readers.")


async def _interview(client: httpx.AsyncClient, name: str, readers: int) -> tuple[list[float], int]:
    """Seconds of each turn, and how much the readers read in them."""
    started = (await client.post("/api/v1/interview/start", json={"candidate_name": name})).raise_for_status().json()
    client.headers["Authorization"] = f"Bearer {started['token']}"
    said = {"session_id": started["session_id"]}
    seconds: list[float] = []
    async with _watched(str(client.base_url), name, readers) as read:
        for answer in ANSWERS:
            begun = time.perf_counter()
            turn = await client.post("/api/v1/interview/submit_response", json={**said, "response": answer})
            turn.raise_for_status()
            seconds.append(time.perf_counter() - begun)
            await asyncio.sleep(1)
        (await client.post("/api/v1/interview/end", json=said)).raise_for_status()
    return seconds, sum(read)


@asynccontextmanager
async def _watched(url: str, name: str, readers: int) -> AsyncIterator[list[int]]:
    """So many readers of an interview, who read to its end; what each of them got is known afterwards."""
    read: list[int] = []
    tasks = [asyncio.create_task(_read(url, name)) for _ in range(readers)]
    await asyncio.sleep(1)
    yield read
    read += await asyncio.gather(*tasks)


async def _read(url: str, name: str) -> int:
    """How many messages a reader got."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    address = f"/monitor/stream/{name.lower().replace(' ', '-')}"
    writer.write(f"GET {address} HTTP/1.1\r\nHost: {where.hostname}\r\nConnection: close\r\n\r\n".encode())
    text = await reader.read()
    writer.close()
    return text.count(b"event: ")
