"""What a question about a résumé costs: from the answer's judgement to the words, by rule, without a language model.

The résumé is a long one: eight projects, six positions, forty skills. Measured is all that the choice of the next
question does: anchors and their weights, the policy, the wording; at the beginning of an interview and late in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from domain.candidate import CandidateExperience, CandidateProfile, CandidateProject
from graph.exploration.anchors import anchors_of
from graph.exploration.policy import next_step
from graph.exploration.wording import worded
from graph.judging.own_work import told
from graph.templates import resume_wording

RUNS = 50
LATE = 20
"""Questions that were asked before in the second row."""
MOST_MS = 50.0
_LINES = (
    "Moved billing to Kafka, cutting latency by 40%",
    "Built a React front end for the warehouse, used by 300 people every day",
    "Led a team of five engineers and introduced code reviews",
)
_SKILLS = tuple(f"Skill {number}" for number in range(40))
_JOB = "We look for a backend engineer with Kafka and React who has led a team and owned the billing. " * 20
_ANSWER = (
    "the hardest part was that nobody knew which invoices had been sent because the old system kept no record so I "
    "wrote a job that compared both every night and in the end nobody was billed twice " * 4
).split()


def profile() -> CandidateProfile:
    """A long résumé of nobody."""
    projects = tuple(
        CandidateProject(
            name=f"Billing migration {number}", did=_LINES, skills=_SKILLS[:8], employer="Contoso", end="2023"
        )
        for number in range(8)
    )
    positions = tuple(
        CandidateExperience(employer=f"Fabrikam {number}", did=_LINES, skills=_SKILLS, end="2022")
        for number in range(6)
    )
    return CandidateProfile(skills=_SKILLS, projects=projects, experience=positions)


def main() -> None:
    """Print the table."""
    resume, wording, asked = profile(), resume_wording(), list[tuple[str, str]]()
    texts: list[str] = []

    def ask() -> None:
        step = next_step(anchors_of(resume, _JOB), asked, depth=9.0)
        assert step is not None
        spoken = worded(step, wording, turn=len(asked), place="leave", before="the order portal", asked=texts)
        last.append(((step.anchor.id, step.aspect), spoken.text))

    last: list[tuple[tuple[str, str], str]] = []
    table = Table("question", "median", "95th percentile", f"of {MOST_MS:g} ms")
    _row(table, "the first", ask)
    for _ in range(LATE):
        ask()
        asked.append(last[-1][0])
        texts.append(last[-1][1])
    _row(table, f"after {LATE} others", ask)
    _row(table, "hearing one part of an answer", lambda: told("problem", _ANSWER))
    Console().print(table)


def _row(table: Table, name: str, run: Callable[[], object]) -> None:
    run()
    taken: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        taken.append((time.perf_counter() - began) * 1000)
    half, most = np.percentile(taken, [50, 95])
    table.add_row(name, f"{half:.1f} ms", f"{most:.1f} ms", f"{most / MOST_MS:.0%}")
