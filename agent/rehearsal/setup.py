"""Set-up of a rehearsal: its persona, pack, folder and voice, and a Viva, running already or started for it."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console

from agent.model_files.prepare import ensure_model
from agent.packs import base_folder, packs_in_force
from agent.processes.stack import free_ports_settings, running_stack
from agent.rehearsal.client import WantedInterview
from agent.rehearsal.console import print_result
from agent.rehearsal.persona import Persona, load_persona
from agent.rehearsal.plan import Plan, Venue
from agent.rehearsal.rehearsal import Rehearsal
from agent.rehearsal.result import RehearsalResult, write_json
from agent.rehearsal.voice import CandidateVoice
from agent.settings import PROJECT_DIR, Settings
from domain.vocabulary import Difficulty, FeedbackMode
from rag.packs.pack import Pack, PackError

LEAVING_AWAY_TIMEOUT_S = 15.0
"""How long our own Viva waits for a persona that leaves: nobody wants to watch two minutes of silence."""
_LINES_OF_A_CRASH = 5


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    persona: str
    pack: str | None
    minutes: int
    feedback: FeedbackMode
    difficulty: Difficulty
    topics: tuple[str, ...]
    job_description: str
    resume: str
    about_resume: bool
    url: str | None
    keep: Path | None
    json: Path | None
    kill_worker_at_turn: int | None


async def hold_rehearsal(options: Options, settings: Settings, console: Console) -> RehearsalResult:
    """Hold a rehearsal, print it, and write its result where that was asked for.

    Raises:
        PersonaError: the persona cannot be used.
        PackError: the pack cannot be used.
        ModelError: the voice cannot be used.
        StackError: Viva could not be started.
        RehearsalError: the interview could not be held.
        OSError: the folder or the JSON file cannot be written.

    """
    persona = load_persona(options.persona)
    pack = _pack(options.pack, settings)
    plan = Plan(
        persona=persona,
        pack=pack,
        wanted=WantedInterview(
            name=persona.candidate_name,
            pack=pack.id,
            minutes=options.minutes,
            feedback=options.feedback,
            difficulty=options.difficulty,
            focus_topics=options.topics,
            job_description=options.job_description,
            resume=options.resume,
            mode="resume" if options.about_resume else None,
        ),
        folder=_folder(options.keep),
        kill_worker_at_turn=options.kill_worker_at_turn,
    )
    voice = asyncio.create_task(asyncio.to_thread(_voice, settings, persona))
    async with _venue(options.url, settings, plan, console) as venue:
        rehearsal = Rehearsal(plan, venue, voice=await voice, console=console, clock=time.time)
        result = await rehearsal.run()
    print_result(console, result)
    if venue.settings is not None:
        console.print(f"To open the report: VIVA_DATA_DIR={venue.settings.data_dir} viva up", soft_wrap=True)
    if options.json is not None:
        write_json(result, options.json)
        console.print(f"Result: {options.json}", soft_wrap=True)
    return result


def _pack(wanted: str | None, settings: Settings) -> Pack:
    packs = packs_in_force(settings)
    if wanted is None:
        return next(iter(packs.values()))
    if wanted not in packs:
        raise PackError(
            base_folder(settings) / f"{wanted}.yaml", [f"there is no such pack; the packs are {', '.join(packs)}"]
        )
    return packs[wanted]


def _folder(keep: Path | None) -> Path:
    if keep is None:
        return new_folder(PROJECT_DIR / "data" / "rehearsals", time.strftime("%Y-%m-%d-%H%M%S"))
    keep.mkdir(parents=True, exist_ok=True)
    return keep.resolve()


def new_folder(parent: Path, name: str) -> Path:
    """A folder that nobody else has, of this name or with a number behind it: two may be wanted in one second."""
    parent.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder.resolve()
    raise AssertionError("there are numbers without end")


def _voice(settings: Settings, persona: Persona) -> CandidateVoice:
    return CandidateVoice.load(ensure_model(settings.voice, settings.cache_dir, kind="voice"), persona.voice)


@asynccontextmanager
async def _venue(url: str | None, settings: Settings, plan: Plan, console: Console) -> AsyncIterator[Venue]:
    if url is not None:
        yield Venue(url.rstrip("/"), away_timeout_s=settings.away_timeout_s)
        return
    away_timeout_s = LEAVING_AWAY_TIMEOUT_S if plan.persona.leaves else settings.away_timeout_s
    own = free_ports_settings(plan.folder, away_timeout_s=away_timeout_s, imported_packs_dir=settings.imported_packs)
    console.print(f"Starting a Viva of its own on free ports, data in {own.data_dir}", soft_wrap=True)
    with (plan.folder / "viva.log").open("w", encoding="utf-8", buffering=1) as log:
        async with running_stack(own, say=_sayer(console, log)) as stack:
            yield Venue(
                own.web_url,
                settings=own,
                kill_worker=lambda: os.kill(stack.pid("worker"), signal.SIGKILL),
                away_timeout_s=away_timeout_s,
            )


def _sayer(console: Console, log: TextIO) -> Callable[[str, str], None]:
    """Everything goes to the log; the person sees what the supervisor says, and why a part ended."""
    last: dict[str, deque[str]] = {}

    def say(part: str, line: str) -> None:
        log.write(f"{time.time():.3f} {part} {line}\n")
        if part != "viva":
            last.setdefault(part, deque(maxlen=_LINES_OF_A_CRASH)).append(line)
            return
        if " ended " in line:
            for written in last.pop(line.partition(" ")[0], ()):
                console.print(f"  {written}", markup=False, highlight=False, soft_wrap=True)
        console.print(f"viva: {line}", markup=False, highlight=False, soft_wrap=True)

    return say
