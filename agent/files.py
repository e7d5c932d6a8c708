"""Atomic writes: files that are there whole or not at all, and secrets for their owner's eyes only."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

SHORTEST_SECRET = 32
"""Characters; livekit-server refuses shorter ones."""


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file, and its folder where there is none: a reader sees what was there before, or all of the new.

    Raises:
        OSError: it cannot be written; nothing was changed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _draft(path, content, mode=0o666) as draft:
            draft.replace(path)
    except OSError as error:
        # Nobody but this module knows the draft's name.
        raise OSError(error.errno, error.strerror, str(path)) from error


def read_or_create_secret(path: Path) -> str:
    """The secret of a file, which is written first where there is none.

    Raises:
        ValueError: the file holds less than a secret.
        OSError: it cannot be read or written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # A link fails where the name exists, so that of two processes that start at once both use the first's secret.
        with (
            _draft(path, f"{secrets.token_urlsafe(48)}\n".encode("ascii"), mode=0o600) as draft,
            contextlib.suppress(FileExistsError),
        ):
            os.link(draft, path)
    secret = path.read_text(encoding="ascii").strip()
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"{path} holds fewer than {SHORTEST_SECRET} characters; delete it and a new one is generated")
    return secret


@contextlib.contextmanager
def _draft(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A file beside the path that is on the disk with all its content; what is left of it at the end goes."""
    # The name ends in nothing that a reader of the folder looks for.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
