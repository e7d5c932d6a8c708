"""Rehearsals that the spoken tests look at: `viva rehearse` with real servers, models and voices."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from agent.rehearsal.result import RehearsalResult
from agent.settings import Settings
from domain.events import Event
from review import RecordStore

NUMBERS = frozenset("one two three four five six seven eight nine ten twenty thirty hundred thousand million".split())
Viva = Literal["usual", "hurried", "own"]
"""Who is rehearsed: the Viva of most tests, the one with short limits, or one that the rehearsal starts for itself."""
PERSONAS = Path(__file__).parent / "personas"
RESUME = Path(__file__).parent.parent / "data" / "resumes" / "a01-backend.pdf"


@dataclass(frozen=True)
class Held:
    """A rehearsal that was held."""

    code: int
    output: str
    record: Path
    """The database that holds its record."""
    result: RehearsalResult

    @property
    def events(self) -> list[Event]:
        """Its record."""
        store = RecordStore(self.record)
        try:
            return [stored.event for stored in store.events(self.result.interview_id)]
        finally:
            store.close()


async def rehearse(folder: Path, record: Path, settings: Settings, *options: str) -> Held:
    """Run the command as a person would, with these settings, and read what it wrote."""
    out = folder / "result.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agent.cli", "rehearse", "--pack", "backend", "--keep", str(folder), "--json", str(out),
        *options,
        env={**os.environ, **settings.as_environment()},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    written, _ = await process.communicate()
    output = written.decode()
    assert out.exists(), output
    assert process.returncode is not None
    return Held(process.returncode, output, record, RehearsalResult.model_validate_json(out.read_text()))


@dataclass(frozen=True)
class Plan:
    """A rehearsal to hold."""

    viva: Viva
    persona: str
    minutes: int
    options: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """For the command."""
        return ["--persona", self.persona, "--minutes", str(self.minutes), *self.options]


PLANS = {
    "killed": Plan("own", "strong", 3, ("--kill-worker-at-turn", "1")),
    "hesitant": Plan("usual", str(PERSONAS / "hesitant.yaml"), 6),
    "applying": Plan("usual", str(PERSONAS / "applying.yaml"), 6, ("--resume", str(RESUME))),
    "lecturing": Plan("usual", str(PERSONAS / "lecturing.yaml"), 4),
    "strong": Plan("hurried", "strong", 4),
    "leaving": Plan("hurried", "leaving", 4),
    "silent": Plan("hurried", "silent", 4),
}
"""The longest first. What other personas show depends on no voice: they type (test_personas_by_text.py)."""
AT_ONCE = 1
"""Rehearsals held side by side: with two, slow cores hear words ten seconds late."""
SAYS_NOTHING = "silent"
"""Keeps nobody waiting."""


def words(text: str) -> list[str]:
    """Words without case and punctuation, and without numbers, which Whisper writes as figures."""
    return [word for word in re.findall(r"[a-z']+", text.lower()) if word not in NUMBERS]


def share(wanted: list[str], found: list[str]) -> float:
    """Share of the wanted words that are found, in order."""
    matcher = SequenceMatcher(a=wanted, b=found, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(1, len(wanted))


def was_heard(said: str, text: str) -> bool:
    """True if most of what was said is in the text: a voice is never the same twice, and no single word is sure."""
    return share(words(said), words(text)) >= 0.7
