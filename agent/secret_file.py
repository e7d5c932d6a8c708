"""A secret in a file: generated when it is first needed, whole or not at all, and for its owner's eyes only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

SHORTEST = 32
"""Characters; livekit-server refuses shorter ones."""


def read_or_create_secret(path: Path) -> str:
    """The secret of a file, which is written first where there is none.

    Raises:
        ValueError: the file holds less than a secret.
        OSError: it cannot be read or written.
    """
    if not path.exists():
        _create(path)
    secret = path.read_text(encoding="ascii").strip()
    if len(secret) < SHORTEST:
        raise ValueError(f"{path} holds fewer than {SHORTEST} characters; delete it and a new one is generated")
    return secret


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link fails where the name exists, so that of two processes that start at once both use the first's secret.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
