"""Rehearsals that the spoken tests look at: `viva rehearse` with real servers, models and voices."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from agent.rehearsal.result import RehearsalResult
from domain.events import Event
from review import RecordStore

NUMBERS = frozenset("one two three four five six seven eight nine ten twenty thirty hundred thousand million".split())
PERSONAS = Path(__file__).parent / "personas"


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


async def rehearse(folder: Path, record: Path, *options: str) -> Held:
    """Run the command as a person would, and read what it wrote."""
    out = folder / "result.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agent.cli", "rehearse", "--pack", "backend", "--keep", str(folder), "--json", str(out),
        *options,
        env={**os.environ, "VIVA_JUDGE": "built-in"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    written, _ = await process.communicate()
    output = written.decode()
    assert out.exists(), output
    assert process.returncode is not None
    return Held(process.returncode, output, record, RehearsalResult.model_validate_json(out.read_text()))


PLANS = {
    "killed": ["--persona", "strong", "--minutes", "4", "--kill-worker-at-turn", "1"],
    "hesitant": ["--persona", str(PERSONAS / "hesitant.yaml"), "--minutes", "6"],
    "asking": ["--persona", "asking", "--minutes", "6"],
    "lecturing": ["--persona", str(PERSONAS / "lecturing.yaml"), "--minutes", "4"],
    "strong": ["--persona", "strong", "--minutes", "4"],
    "weak": ["--persona", "weak", "--minutes", "3"],
    "silent": ["--persona", "silent", "--minutes", "4"],
    "leaving": ["--persona", "leaving", "--minutes", "4"],
}
"""The longest first."""
AT_ONCE = 2
"""Rehearsals held side by side: they mostly wait for somebody to finish speaking. Three are too many for two cores."""


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
