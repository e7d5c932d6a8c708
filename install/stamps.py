"""Stamps: files that say what a step of the set-up was done with, so that it is done again only when that changes.

A stamp lies inside what its step makes: who deletes the product deletes the stamp.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path


def once(stamp: Path, key: str, do: Callable[[], object]) -> bool:
    """Do a step, unless its stamp says that it was completed with exactly this; whether there was anything to do."""
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == key:
        return False
    do()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    write_whole(stamp, key)
    return True


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all, whatever interrupts."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


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
