"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, and its folder where there is none: a reader sees what was there before, or all of the new.

    Raises:
        OSError: it cannot be written; nothing was changed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The name ends in nothing that a reader of the folder looks for.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
