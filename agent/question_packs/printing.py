"""How `viva pack` shows what it says."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rag.pack_source import PackError


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they are: machines read them too, so nothing is wrapped or coloured."""
    sys.stdout.writelines(f"{line}\n" for line in lines)


def refused(error: PackError) -> int:
    """Print why a file is no pack, each fault with its place; the exit code."""
    print_lines([f"{shown_path(error.path)} cannot be used as a pack:", *(f"  - {fault}" for fault in error.faults)])
    return 1


def shown_path(path: Path) -> str:
    """The path from where the command was started, when it is below; else as it is."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
