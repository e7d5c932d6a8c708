"""Packs in force: which ones interviews can be about."""

from __future__ import annotations

from pathlib import Path

from agent.settings import Settings
from rag.packs.pack import PACKS_DIR, Pack, load_packs


def packs_in_force(settings: Settings) -> dict[str, Pack]:
    """Every pack by its id: those of `packs_dir` (Viva's own without it), and over them those that were imported.

    Raises:
        PackError: there is no pack in the folder, or one of the packs is broken.
    """
    return load_packs(base_folder(settings), settings.imported_packs)


def base_folder(settings: Settings) -> Path:
    """The folder that imported packs come on top of."""
    return settings.packs_dir or PACKS_DIR
