"""Viva's voice side beside a default local cascade: waiting, ends of turns, barge-in, cost.

`make bench-voice` measures all of it; docs/voice.md says what and how.
"""

from bench.voice.command import main

__all__ = ["main"]
