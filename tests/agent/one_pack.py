"""Folder with one question pack, for tests that start Viva's processes and ask about nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

from rag.packs.pack import PACKS_DIR


def backend_alone(folder: Path) -> Path:
    """A new folder in this one. Each process that starts on a new data folder embeds all its packs, for seconds."""
    packs = folder / "packs"
    packs.mkdir()
    shutil.copy(PACKS_DIR / "backend.yaml", packs)
    return packs
