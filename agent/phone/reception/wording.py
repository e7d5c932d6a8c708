"""Wording of the phone: what is said before an interview and about the call. The words are in `wording.md`."""

from __future__ import annotations

from pathlib import Path

from graph.templates import load_wording

WORDING = load_wording(Path(__file__).with_name("wording.md"))
