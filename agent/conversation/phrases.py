"""Phrases of presence: acknowledgements, silence, patience. The words are in `phrases.md`."""

from __future__ import annotations

from pathlib import Path

from graph.templates import load_wording

PHRASES = load_wording(Path(__file__).with_name("phrases.md"))
