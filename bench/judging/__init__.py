"""How well answers are judged: public sets, Viva's own pairs, whole spoken answers, attacks, speed.

Every figure stands beside two baselines of the same run: similarity (MiniLM's cosine) and word overlap. `make
bench-judging` prints the table; with `--write` it goes into `docs/judging.md`, with the reliability diagram.
"""

from bench.judging.command import main

__all__ = ["main"]
