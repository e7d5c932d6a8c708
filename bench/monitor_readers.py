"""What the monitor's readers add to a turn: the same turns with nobody and with fifty who follow it, one of them deaf.

A web process with real models serves the monitor. Two interviews with the same answers go on in step; before a turn of
one of them fifty readers join its stream, 49 that read and one that never does, and leave after it. Which of the two
goes first is drawn for each turn. By text the turn is held in the process that serves the readers, and is timed until
its response; the other rows hold it in a process of its own, as the worker does by voice, until the next question is
known. Readers are in a third process, of this machine: what they take from its processors is among what is measured.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

from agent.cli.text_interview.serving import is_ready
from agent.model_files.prepare import ensure_models
from agent.processes.ports import free_ports_settings
from agent.settings import PROJECT_DIR, Settings, load_settings
from bench.asked_questions import questions_of
from bench.reader_crowd import READERS, read_along
from domain.events import InterviewCreated, InterviewStarted
from domain.person import user_id_of
from domain.progress import Setup
from graph import Interview, InterviewContext, build_graph, sqlite_checkpointer
from graph.intents import RuleDetector
from graph.judging import BuiltInJudge, JudgePanel
from rag import MiniLM, load_packs
from review import RecordStore, RecordWriter

PAIRS = 4
"""Of interviews, for each of the two rows."""
TURNS = 9
PACK = "backend"
_SETTLED_S = 0.3
"""After a join and after a turn: a poll of the record and more."""

Turn = Callable[[str], Awaitable[float]]
"""Says an answer; back come the seconds until the next question."""


@dataclass(frozen=True, slots=True)
class Held:
    """An interview that goes on."""

    user_id: str
    turn: Turn


async def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        settings = free_ports_settings(Path(folder), web_mind="at-start", judge="built-in", metrics=False)
        crowd, theirs = multiprocessing.get_context("spawn").Pipe()
        readers = multiprocessing.get_context("spawn").Process(target=read_along, args=(theirs,), daemon=True)
        web = subprocess.Popen(  # noqa: ASYNC220 - nothing else goes on yet
            [sys.executable, "-m", "agent.cli", "web"],
            env={**os.environ, **settings.as_environment()},
            cwd=PROJECT_DIR,
        )
        readers.start()
        theirs.close()  # Whoever waits for readers that have died is told so.
        try:
            if not is_ready(settings.web_url, web):
                raise SystemExit("The web process did not start; its output says why.")
            await _measure(settings, crowd, psutil.Process(web.pid))
        finally:
            web.terminate()
            crowd.close()
            readers.terminate()
            web.wait()


async def _measure(settings: Settings, crowd: Connection, web: psutil.Process) -> None:
    answers = [question.model_answer for question in load_packs()[PACK].questions]
    spent: dict[tuple[str, bool], list[float]] = defaultdict(list)
    worked: dict[tuple[str, bool], list[float]] = defaultdict(list)
    cases = count(1)
    draw = random.Random(2)
    async with AsyncExitStack() as opened:
        by_text = await opened.enter_async_context(_text(settings))
        apart = await opened.enter_async_context(_apart(settings))
        for number in range(PAIRS):
            for row, begin in (("by text, in the same process", by_text), ("in a process of its own", apart)):
                alone, watched = await begin(f"Alone {number}"), await begin(f"Watched {number}")
                for place, answer in enumerate(answers[: TURNS + 1]):
                    for one in draw.sample((alone, watched), 2):
                        followed = one is watched
                        # What goes before is the same for both: only who follows it is not.
                        await _told(crowd, (settings.web_port, watched.user_id))
                        if not followed:
                            await _told(crowd, ())
                        await asyncio.sleep(_SETTLED_S)
                        before = _worked_s(web)
                        seconds = await one.turn(_anew(answer, next(cases)))
                        await asyncio.sleep(_SETTLED_S)
                        if place:  # The first finds nothing at hand yet.
                            spent[row, followed].append(seconds)
                            worked[row, followed].append(_worked_s(web) - before)
                        if followed:
                            await _told(crowd, ())
    _print(spent, worked)


def _worked_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _anew(answer: str, case: int) -> str:
    """The answer in words that were never judged: what the models know already would be faster than any real one."""
    return re.sub(r"(?<=\w)([.;,:])(?= |$)", rf" in case {case}\1", answer)


async def _told(crowd: Connection, what: tuple[object, ...]) -> None:
    crowd.send(what)
    await asyncio.to_thread(crowd.recv)


@asynccontextmanager
async def _text(settings: Settings) -> AsyncIterator[Callable[[str], Awaitable[Held]]]:
    async with httpx.AsyncClient(base_url=f"{settings.web_url}/api/v1/interview", timeout=60) as client:

        async def begin(name: str) -> Held:
            wanted = {"candidate_name": name, "pack": PACK, "time_budget_minutes": 90}
            started = (await client.post("/start", json=wanted)).raise_for_status().json()
            headers = {"Authorization": f"Bearer {started['token']}"}

            async def turn(text: str) -> float:
                begun = time.perf_counter()
                said = {"session_id": started["session_id"], "response": text}
                (await client.post("/submit_response", json=said, headers=headers)).raise_for_status()
                return time.perf_counter() - begun

            return Held(user_id_of(name), turn)

        yield begin


@asynccontextmanager
async def _apart(settings: Settings) -> AsyncIterator[Callable[[str], Awaitable[Held]]]:
    embedder = MiniLM.load(ensure_models(load_settings()).embedder)
    pack = load_packs()[PACK]
    with tempfile.TemporaryDirectory() as folder:
        questions = questions_of(pack, embedder, Path(folder))
        store, writers = RecordStore(settings.record_path), list[RecordWriter]()
        judge = BuiltInJudge()
        async with sqlite_checkpointer(Path(folder) / "checkpoints.sqlite") as saver:

            async def begin(name: str) -> Held:
                id_ = f"apart-{user_id_of(name)}"
                writer = RecordWriter(store, id_)
                writers.append(writer)
                context = InterviewContext(
                    pack=pack,
                    questions=questions,
                    embedder=embedder,
                    detector=RuleDetector(),
                    judges=JudgePanel(judge),
                    clock=time.time,
                    emit=writer.put,
                )
                created = InterviewCreated(
                    at=time.time(), candidate_name=f"{name} apart", pack=pack.id, pack_title=pack.title, minutes=90,
                    feedback="coach", room="r",
                )  # fmt: skip
                writer.put(created)
                writer.put(InterviewStarted(at=time.time(), judge="built-in"))
                interview = Interview(build_graph(saver), context, Setup(id_, name, 90))
                async for _ in interview.begin():
                    pass
                await writer.flush()
                turns = count(1)

                async def turn(text: str) -> float:
                    begun = time.perf_counter()
                    async for _ in interview.answer(text, next(turns)):
                        pass
                    return time.perf_counter() - begun

                return Held(created.whose, turn)

            yield begin
        for writer in writers:
            writer.close()
        store.close()


def _print(spent: dict[tuple[str, bool], list[float]], worked: dict[tuple[str, bool], list[float]]) -> None:
    table = Table("milliseconds", *dict.fromkeys(row for row, _ in spent))
    columns = []
    for row in dict.fromkeys(row for row, _ in spent):
        nobody, crowd = (np.array(spent[row, followed]) * 1000 for followed in (False, True))
        (n50, n95), (c50, c95) = (np.percentile(each, (50, 95)) for each in (nobody, crowd))
        low, middle, high = np.percentile(crowd - nobody, (25, 50, 75))
        idle, busy = (1000 * float(np.mean(worked[row, followed])) for followed in (False, True))
        columns.append(
            [
                f"{len(nobody)} and {len(crowd)}", f"{n50:.0f} / {n95:.0f}", f"{c50:.0f} / {c95:.0f}",
                f"{c50 / n50:.2f} / {c95 / n95:.2f}", f"{middle:+.0f} ({low:+.0f} to {high:+.0f})",
                f"{idle:.0f}", f"{busy:.0f}",
            ]
        )  # fmt: skip
    names = (
        "turns", "nobody follows, p50 / p95", f"{READERS} do, p50 / p95", "ratio of p50 / of p95",
        "difference in a pair, median (quartiles)", "processor time of the web process, nobody", f"… {READERS} readers",
    )  # fmt: skip
    for name, *cells in zip(names, *columns, strict=True):
        table.add_row(name, *cells)
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
