"""Whereabouts of the running line: the file by which other processes find it. Nothing heavy."""

from __future__ import annotations

from pathlib import Path

from agent.settings import Settings


def where_file(settings: Settings) -> Path:
    """The file that says where the line's control socket is; it is there while the line listens."""
    return settings.run_dir / "phone.socket"
