"""Command output: a result that goes to a file or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from agent.files import write_atomically

STANDARD = Path("-")
"""Standard input or output, where a command asks for a file."""


def write_result(text: str, target: Path) -> None:
    """Write a file in one piece, or to standard output.

    Raises:
        OSError: it cannot be written; nothing was changed.
    """
    if target == STANDARD:
        sys.stdout.write(text)
    else:
        write_atomically(target, text.encode())
