"""A watched line that says hums instead of sentences: `python -m tests.agent.phone.humming_line`.

It has a process of its own, as in the product: four calls and their interviewers in one would wait for each other.
"""

from __future__ import annotations

from bench.phone.watched_line import run
from tests.agent.phone.lines import hummed_sentences

MODULE = "tests.agent.phone.humming_line"

if __name__ == "__main__":
    run(hummed_sentences())
