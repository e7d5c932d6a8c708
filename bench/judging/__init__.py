"""How well answers are judged: whole spoken answers, pairs, attacks, speed, public sets.

Where it can be said what they would do, two baselines of the same run stand beside a figure: similarity (MiniLM's
cosine) and words in common. `make bench-judging` prints the table, and keeps it as Markdown for `docs/judging.md`.
"""

from bench.judging.command import main

__all__ = ["main"]
