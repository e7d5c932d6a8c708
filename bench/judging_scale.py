"""Where closeness becomes a verdict: distributions read off the question packs themselves.

For every question the built-in judge is given three answers whose truth is known: the model answer (every key point
was made), the misconceptions (none was, and each misconception was stated), and the model answer of another question
of the same pack (nothing of it belongs here). Run it after changing the embedding model, the packs, or the judge.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.models import ensure_models
from agent.settings import load_settings
from graph.judging import BuiltInJudge
from graph.judging.scoring import score
from graph.questions import from_bank
from rag import MiniLM, load_packs
from rag.packs import BankQuestion


@dataclass
class Tally:
    """Verdicts and scores over many answers of one kind."""

    statuses: Counter[str] = field(default_factory=Counter)
    stated: int = 0
    misconceptions: int = 0
    overall: list[float] = field(default_factory=list)


async def main() -> None:
    """Judge and print."""
    judge = BuiltInJudge(MiniLM.load(ensure_models(load_settings()).embedder))
    tallies: dict[str, Tally] = {kind: Tally() for kind in ("model answer", "misconceptions", "another's answer")}
    for pack in load_packs().values():
        for index, bank in enumerate(pack.questions):
            other = pack.questions[(index + 7) % len(pack.questions)]
            answers = {
                "model answer": bank.model_answer,
                "misconceptions": " ".join(f"{wrong.rstrip('.')}." for wrong in bank.misconceptions),
                "another's answer": other.model_answer,
            }
            for kind, answer in answers.items():
                await _count(judge, bank, answer, tallies[kind])
    _print(tallies)


async def _count(judge: BuiltInJudge, bank: BankQuestion, answer: str, tally: Tally) -> None:
    question = from_bank(bank, concepts=(), grade="high", attempts=1)
    verdicts = await judge.verdicts(question, answer.split())
    tally.statuses.update(v.status for v in verdicts if v.kind == "key_point")
    tally.stated += sum(v.kind == "misconception" for v in verdicts)
    tally.misconceptions += len(bank.misconceptions)
    if scores := score(verdicts):
        tally.overall.append(scores.overall)


def _print(tallies: dict[str, Tally]) -> None:
    table = Table("answer", "covered", "partly", "missing", "misconceptions found", "overall p10 / p50 / p90")
    for kind, tally in tallies.items():
        points = sum(tally.statuses.values())
        shares = [f"{tally.statuses[status] / points:.0%}" for status in ("covered", "partly", "missing")]
        spread = " / ".join(f"{np.percentile(tally.overall, p):.1f}" for p in (10, 50, 90))
        table.add_row(kind, *shares, f"{tally.stated / tally.misconceptions:.0%}", spread)
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
