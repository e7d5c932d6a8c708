"""Stamps: what a step of the set-up was done with, so that it is done again only when that changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


class Stamps:
    """A folder with one small file for each step that was completed.

    The folder lies inside what the step produced where possible: who deletes the product deletes its stamp.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def matches(self, step: str, key: str) -> bool:
        """Whether the step was completed with exactly these inputs."""
        path = self._folder / step
        return path.is_file() and path.read_text(encoding="ascii") == key

    def write(self, step: str, key: str) -> None:
        """Note that the step is complete: whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f"{step}.draft"
        draft.write_text(key, encoding="ascii")
        draft.replace(self._folder / step)


def key_of(*inputs: str | Path | Iterable[Path]) -> str:
    """A hash of texts and of the files at paths (a missing file counts as such, so that its arrival is seen)."""
    digest = hashlib.sha256()
    for given in inputs:
        if isinstance(given, str):
            digest.update(b"text\0" + given.encode() + b"\0")
            continue
        for path in [given] if isinstance(given, Path) else sorted(given):
            content = hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"missing"
            digest.update(b"file\0" + path.name.encode() + b"\0" + content)
    return digest.hexdigest()
