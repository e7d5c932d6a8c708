"""What an interview costs, and whether four at once on two cores are still answered in time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.voice.figures import SIDES, Row, Side, percentile, ratio_of, within
from bench.voice.talks import ANSWERS, AnswerTo, Talks, Tell, hold
from bench.voice.venue import Venue

AT_ONCE = (1, 2, 4)
CORES = 2
GOAL = 1.5
"""The 95th percentile with most at once over that of one alone."""
_LOOK_S = 1.0
_MB = 1 << 20


@dataclass(slots=True)
class Load:
    """One number of interviews at once, on one side."""

    side: Side
    at_once: int
    talks: Talks = field(default_factory=Talks)
    cores: float = 0.0
    """Processor seconds of the worker in a second."""
    idle_mb: float = 0.0
    """Memory of the worker before."""
    most_mb: float = 0.0


def pin_to_two_cores() -> bool:
    """Keep this process, and all that it starts, to two cores; whether there were more."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:CORES])
    return len(cores) > CORES


async def measure_load(
    venue: Venue, answers: Sequence[AnswerTo], count: int, *, folder: Path, tell: Tell, sides: Sequence[Side] = SIDES
) -> list[Load]:
    """Both sides with one, two and four interviews at once, each until so many answers were given in all."""
    loads = []
    for at_once in AT_ONCE:
        for side in sides:
            load = Load(side, at_once)
            await _rounds(venue, answers, count, load, folder)
            loads.append(load)
            p95 = percentile(load.talks.first_audio(side), 0.95)
            failed = "".join(f"; FAILED {each.conversation}: {each.what}" for each in load.talks.failures)
            waited = "-" if p95 is None else f"{p95:.2f}"
            tell(
                f"{at_once} at once, {side}: first audio p95 {waited} s, {load.cores:.2f} cores, "
                f"{load.idle_mb:.0f} MB before, {load.most_mb:.0f} MB at most{failed}"
            )
    return loads


async def _rounds(venue: Venue, answers: Sequence[AnswerTo], count: int, load: Load, folder: Path) -> None:
    worker = venue.process(load.side)
    load.idle_mb = memory_mb(worker)
    watching = asyncio.create_task(_watch(worker, load))
    cpu, began = cpu_s(worker), time.monotonic()
    given = 0
    try:
        while given < count:
            each = min(ANSWERS, -(-(count - given) // load.at_once))
            talks = await asyncio.gather(
                *(
                    hold(
                        venue,
                        load.side,
                        [answers[(given + place * load.at_once + number) % len(answers)] for place in range(each)],
                        snr_db=None,
                        name=f"load-{load.at_once}-{load.side}-{given}-{number}",
                        folder=folder,
                    )
                    for number in range(load.at_once)
                )
            )
            for talk in talks:
                load.talks.add(talk)
            given += each * load.at_once
    finally:
        watching.cancel()
    load.cores = (cpu_s(worker) - cpu) / (time.monotonic() - began)


async def _watch(worker: psutil.Process, load: Load) -> None:
    while True:
        load.most_mb = max(load.most_mb, memory_mb(worker))
        await asyncio.sleep(_LOOK_S)


def memory_mb(worker: psutil.Process) -> float:
    """Proportional set size: a child that has just been forked shares its pages, and would count them twice."""
    return _sum(worker, lambda each: each.memory_full_info().pss) / _MB


def cpu_s(worker: psutil.Process) -> float:
    """What children that have ended took is in it as well."""

    def spent(each: psutil.Process) -> float:
        times = each.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)

    return _sum(worker, spent)


def _sum(worker: psutil.Process, figure: Callable[[psutil.Process], float]) -> float:
    """A figure of the worker and its children; one that ends meanwhile counts for nothing."""
    total = figure(worker)
    for child in worker.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            total += figure(child)
    return total


def load_rows(loads: Sequence[Load]) -> list[Row]:
    """For the table."""
    by = {(each.side, each.at_once): each for each in loads}
    rows = [row for at_once in AT_ONCE for row in _rows_of(by, at_once)]
    return [*rows, Row.of("memory that each further interview adds", lambda side: _added_mb(by, side), unit="MB")]


def _rows_of(by: Mapping[tuple[Side, int], Load], at_once: int) -> Iterator[Row]:
    def p95(side: Side, number: int = at_once) -> float | None:
        load = by.get((side, number))
        return percentile(load.talks.first_audio(side), 0.95) if load else None

    def of(side: Side, figure: Callable[[Load], float]) -> float | None:
        load = by.get((side, at_once))
        # What interviews cost in which nobody answered is no figure.
        return figure(load) if load and load.talks.samples else None

    last = at_once == max(AT_ONCE)
    yield Row.of(
        f"{at_once} at once: end of speech → first audio, p95",
        p95,
        goal=f"≤ {GOAL} times one alone" if last else "",
        met=within(ratio_of(p95("Viva"), p95("Viva", min(AT_ONCE))), GOAL) if last else None,
        samples=" / ".join(
            str(len(by[side, at_once].talks.first_audio(side))) for side in SIDES if (side, at_once) in by
        ),
    )
    each = f"{at_once} at once: processor, for each interview"
    yield Row.of(each, lambda side: of(side, lambda load: load.cores / at_once), unit="cores")
    yield Row.of(
        f"{at_once} at once: memory of the worker", lambda side: of(side, lambda load: load.most_mb), unit="MB"
    )


def _added_mb(by: Mapping[tuple[Side, int], Load], side: Side) -> float | None:
    """What one more interview adds, from the most at once and from one alone."""
    most, least = max(AT_ONCE), min(AT_ONCE)
    loads = [by.get((side, number)) for number in (least, most)]
    if any(load is None or not load.talks.samples for load in loads):
        return None
    return (by[side, most].most_mb - by[side, least].most_mb) / (most - least)
