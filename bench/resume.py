"""How long it takes to read a résumé without a model: a PDF of two pages, from its bytes to the profile.

The file goes the whole way: to a process of its own that parses it, and through the rules. The first run also loads the
lexicon; the parser's process is started anew each time. Beside it the rules alone, of the text that was read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.documents.reading import read_document
from graph.candidate.profile import read_profile

GOAL_S = 1.5
"""From the bytes to the profile, on two idle cores."""
RUNS = 10
RESUME = Path(__file__).parent.parent / "tests" / "data" / "resumes" / "a07-marketing.pdf"
"""Two pages in two columns."""


def main() -> None:
    """Measure and print."""
    content = RESUME.read_bytes()
    pages = read_document(content, RESUME.name).pages
    text = read_document(content, RESUME.name).text
    whole_s = _seconds(lambda: read_profile(read_document(content, RESUME.name).text))
    rules_s = _seconds(lambda: read_profile(text))
    table = Table("ETL of a two-page PDF without a model", "p50", "p95", "goal")
    table.add_row(f"file to profile ({pages} pages)", *_row(whole_s), f"≤ {GOAL_S:g} s")
    table.add_row("text to profile", *_row(rules_s), "")
    Console().print(table)


def _seconds(run: Callable[[], object]) -> list[float]:
    spent = []
    for _ in range(RUNS):
        started = time.perf_counter()
        run()
        spent.append(time.perf_counter() - started)
    return spent


def _row(values_s: list[float]) -> tuple[str, str]:
    return f"{np.percentile(values_s, 50):.2f} s", f"{np.percentile(values_s, 95):.2f} s"


if __name__ == "__main__":
    main()
